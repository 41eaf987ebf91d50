"""Looking for a browser: which is taken, and that what is installed is named before."""

import subprocess
from types import SimpleNamespace

import chromium
import pytest


def test_what_is_installed_is_named_before(monkeypatch, capsys):
    said = []

    def run(command, **options):
        said.append((command, capsys.readouterr().err))
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(chromium.subprocess, "run", run)
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: name if name == "apt-get" else None)
    assert chromium.install() is None
    (first, before), *others = said
    assert first[1:] == ("-m", "playwright", "install", "chromium")
    assert "tests and the PDF need a Chromium" in before
    assert [command[0] for command, _ in others] == ["apt-get", "apt-get"]
    assert "Installing the package chromium on this system, as root" in others[0][1]
    assert "apt-get install -y -qq chromium" in others[1][1]


@pytest.mark.parametrize("known", [True, False])
def test_the_shell_is_installed_where_it_is_a_package(known, monkeypatch, capsys):
    asked = []

    def run(command, **options):
        asked.append(" ".join(command))
        return subprocess.CompletedProcess(command, 0 if known else 100)

    here = ["apt-get", "google-chrome"]
    monkeypatch.setattr(chromium.subprocess, "run", run)
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: name if name in here else None)
    chromium.install_shell()
    install = "apt-get install -y -qq chromium-headless-shell"
    assert asked == ["apt-cache show chromium-headless-shell", *([install] if known else [])]
    assert (install in capsys.readouterr().err) == known
    here.append("chromium-headless-shell")
    del asked[:]
    chromium.install_shell()
    assert asked == []


@pytest.mark.parametrize(
    ("here", "quick", "taken"),
    [
        (["chrome-headless-shell", "chrome"], True, {"executable_path": "chrome-headless-shell"}),
        (["chrome-headless-shell", "chrome"], False, {"executable_path": "chrome"}),
        (["chrome"], True, {"executable_path": "chrome"}),
        # None on the PATH: Playwright finds its own.
        ([], True, {"channel": None}),
        ([], False, {"channel": "chromium"}),
    ],
)
def test_which_browser_is_taken(here, quick, taken, monkeypatch):
    monkeypatch.setattr(chromium.shutil, "which", lambda name: name if name in here else None)
    playwright = SimpleNamespace(chromium=SimpleNamespace(launch=lambda **options: options))
    assert chromium.launched(playwright, quick) == {**taken, "args": chromium.FLAGS}
