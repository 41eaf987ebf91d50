"""Looking for a browser: which is taken, and that what is installed is named before."""

import subprocess
from types import SimpleNamespace

import pytest

from tools import chromium


@pytest.fixture
def system(monkeypatch, capsys):
    """A system of root's: the programs that are here, and what is run: (command, said before)."""
    here, status, ran = ["apt-get"], [0], []

    def run(command, **options):
        ran.append((" ".join(command), capsys.readouterr().err))
        return subprocess.CompletedProcess(command, status[0])

    monkeypatch.setattr(chromium.subprocess, "run", run)
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: name if name in here else None)
    return SimpleNamespace(here=here, status=status, ran=ran)


def test_what_is_installed_is_named_before(system):
    system.status[0] = 1
    assert chromium.install() is None
    (first, before), *others = system.ran
    assert first.endswith(" -m playwright install chromium")
    assert "tests and the PDF need a Chromium" in before
    assert [command.partition(" ")[0] for command, _ in others] == ["apt-get", "apt-get"]
    assert "Installing the package chromium on this system, as root" in others[0][1]
    assert "apt-get install -y -qq chromium" in others[1][1]


@pytest.mark.parametrize("known", [True, False])
def test_the_shell_is_installed_where_it_is_a_package(known, system):
    system.here.append("google-chrome")
    system.status[0] = 0 if known else 100
    chromium.install_shell()
    install = "apt-get install -y -qq chromium-headless-shell"
    asked = [command for command, _ in system.ran]
    assert asked == ["apt-cache show chromium-headless-shell", *([install] if known else [])]
    assert all(install in said for _, said in system.ran[1:])
    system.here.append("chromium-headless-shell")
    chromium.install_shell()
    assert len(system.ran) == len(asked)


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
