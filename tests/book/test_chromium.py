"""Looking for a browser: what is installed is named before."""

import subprocess

import chromium


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
