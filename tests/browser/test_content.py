"""Kinds of panels: a new one is two files, and needs no change of another."""

import os
import shutil
import subprocess
import sys

from bundled import ROOT
from playwright.sync_api import expect

PYTHON = '''
"""A hand that points: a number from 0 to 1."""

from dataclasses import dataclass

import numpy as np

from ._panel import Panel


@dataclass
class Dial(Panel):
    """A dial."""

    share: float
    kind = "dial"

    def spec(self, what):
        return {"kind": self.kind, "shape": [1, 1], "xlabel": "", "ylabel": ""}

    def tables(self, what):
        return {"share": np.full((1, 1), float(self.share))}

    @staticmethod
    def finish(spec, tables, scales, spans):
        return {"x": [], "y": []}

    @staticmethod
    def draw(axes, panel, tables, scales):
        turn = 2 * np.pi * tables["share"][0, 0]
        axes.plot([0, np.sin(turn)], [0, np.cos(turn)])
        axes.set(xlim=(-1, 1), ylim=(-1, 1))
'''
SCRIPT = """
import { block } from "../figure/nodes.js";
import { Panel } from "./panel.js";
import { KINDS } from "./registry.js";

KINDS.dial = class extends Panel {
  constructor(given, figure) {
    super(given, figure);
    this.node = block("panel dial", "");
  }
  paint() {
    this.node.textContent = `${Math.round(360 * this.data.share[0][0])} degrees`;
  }
  table() {
    return [["share"], [["dial", [String(this.data.share[0][0])]]]];
  }
};
"""
FIGURE = """
from kernelfree import explore
from kernelfree.panels.dial import Dial

made = explore(lambda share: {"clock": Dial(share)}, share=[0.25, 0.5, 1.0])
print(made)
made.save("dial.html")
"""


def run(folder, *command):
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_kind_is_one_file_of_python_and_one_of_javascript(page, tmp_path):
    for part in ("kernelfree", "assets", "tools"):
        shutil.copytree(ROOT / part, tmp_path / part)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "kernelfree" / "panels" / "dial.py").write_text(PYTHON)
    (tmp_path / "kernelfree" / "js" / "panels" / "dial.js").write_text(SCRIPT)
    run(tmp_path, ROOT / ".venv" / "bin" / "node", "tools/bundle.mjs")
    printed = run(tmp_path, sys.executable, "-c", FIGURE)
    assert "clock: dial 1 x 1" in printed

    page.goto((tmp_path / "dial.html").as_uri())
    expect(page.locator(".dial")).to_have_text("90 degrees")
    page.locator("[type=range]").press("ArrowRight")
    expect(page.locator(".dial")).to_have_text("180 degrees")
    page.get_by_role("button", name="Numbers").click()
    expect(page.locator("td", has_text="0.5")).to_have_count(1)
