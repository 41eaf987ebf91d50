"""Looking for a browser: which is taken, and that what is installed is named before."""

import subprocess
from types import SimpleNamespace

import pytest

from tools import chromium

OWN = "playwright install --only-shell chromium"
GET = "apt-get install -y -qq "


@pytest.fixture
def system(monkeypatch, capsys):
    """A system of root's: what is on the PATH, what fails, what ran: {command: said before}."""
    here, fails, ran = ["apt-get"], [], {}

    def run(command, **options):
        text = " ".join(command)
        ran[text[text.find(OWN) :] if OWN in text else text] = capsys.readouterr().err
        failed = any(part in text for part in fails)
        if not failed and command[0] == "apt-get":
            here.append(command[-1])
        return subprocess.CompletedProcess(command, int(failed))

    own = lambda: OWN in ran and OWN not in fails  # noqa: E731
    monkeypatch.setattr(chromium.subprocess, "run", run)
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: name if name in here else None)
    monkeypatch.setattr(chromium, "works", lambda: chromium.on_path() is not None or own())
    return SimpleNamespace(here=here, fails=fails, ran=ran)


def test_where_none_works_playwrights_own_is_installed(system):
    chromium.main(quick=True)
    assert list(system.ran) == [OWN]
    assert "Tests and prints need a Chromium" in system.ran[OWN]


def test_where_it_cannot_be_had_the_systems_package_is_and_its_shell(system):
    system.fails.append(OWN)
    chromium.main(quick=True)
    show = "apt-cache show chromium-headless-shell"
    packages = [GET + "chromium", show, GET + "chromium-headless-shell"]
    assert list(system.ran) == [OWN, "apt-get update -qq", *packages]
    assert "As root, from this system" in system.ran["apt-get update -qq"]
    assert "two thirds" in system.ran[packages[-1]]
    system.ran.clear()
    chromium.main(quick=True)
    assert system.ran == {}


def test_a_chromium_that_is_there_is_enough_where_no_shell_is_a_package(system):
    system.here.append("google-chrome")
    system.fails.append("apt-cache")
    chromium.main(quick=False)
    assert system.ran == {}
    chromium.main(quick=True)
    assert list(system.ran) == ["apt-cache show chromium-headless-shell"]


def test_without_any_the_end_says_what_to_do(system):
    system.fails += [OWN, "apt-get"]
    with pytest.raises(SystemExit, match="apt install chromium"):
        chromium.main(quick=False)


def test_which_browser_is_taken(monkeypatch):
    playwright = SimpleNamespace(chromium=SimpleNamespace(launch=lambda **options: options))
    shell = "chrome-headless-shell"
    for here, quick, taken in (
        ([shell, "chrome"], True, shell),
        ([shell, "chrome"], False, "chrome"),
        (["chrome"], True, "chrome"),
        ([], True, None),  # Playwright finds its own
    ):
        monkeypatch.setattr(chromium.shutil, "which", lambda name, here=here: name if name in here else None)
        assert chromium.launched(playwright, quick) == {"executable_path": taken, "args": chromium.FLAGS}
