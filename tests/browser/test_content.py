"""Panels of an author's own content on the page; a new kind is two files, and no other changes."""

import shutil
import sys

import pytest
from accessible import problems
from content import colors, shown
from examples import DARK
from made_scripts import ROOT, node
from playwright.sync_api import expect

from kernelfree import explore

PYTHON = """
from dataclasses import dataclass
import numpy as np
from ._panel import Panel

@dataclass
class Dial(Panel):
    share: float
    kind = "dial"

    def spec(self, what):
        return {"kind": self.kind, "shape": [1, 1], "xlabel": "", "ylabel": ""}

    def tables(self, what):
        return {"share": np.full((1, 1), float(self.share))}

    @staticmethod
    def finish(spec, tables, scales, heights):
        return {"x": [], "y": []}

    @staticmethod
    def draw(axes, panel, tables, scales):
        axes.plot([0, 1], [0, tables["share"][0, 0]])
"""
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


@pytest.mark.beyond
def test_a_new_kind_is_one_file_of_python_and_one_of_javascript(page, tmp_path):
    for part in ("kernelfree", "assets", "pages", "runhere", "tools", "locale"):
        shutil.copytree(ROOT / part, tmp_path / part)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "kernelfree" / "panels" / "dial.py").write_text(PYTHON)
    (tmp_path / "kernelfree" / "js" / "panels" / "dial.js").write_text(SCRIPT)
    node("node", "tools/bundle.mjs", folder=tmp_path)
    printed = node(sys.executable, "-c", FIGURE, folder=tmp_path)
    assert "clock: dial 1 x 1" in printed
    page.goto((tmp_path / "dial.html").as_uri())
    expect(page.locator(".dial")).to_have_text("90 degrees")
    page.locator("[type=range]").press("ArrowRight")
    expect(page.locator(".dial")).to_have_text("180 degrees")
    page.get_by_role("button", name="Numbers").click()
    expect(page.locator("td", has_text="0.5")).to_have_count(1)


def test_content_is_shown_moves_and_is_told(show):
    dark = f"{DARK}<script>document.documentElement.className = 'dark'</script>"
    page = show(explore(shown, size=[1, 2]), head=dark)
    for name in ("drawing", "a diagonal of 1"):
        expect(page.get_by_role("img", name=name)).to_have_count(1)
    # The middle of the drawing's paper, and a corner of the diagonal.
    assert colors(page, (0.3, 0.1), (0.1, 0.1)) == [[255, 255, 255, 255], [128, 128, 128, 255]]
    expect(page.locator(".image canvas").last).to_have_css("image-rendering", "pixelated")
    page.locator("[type=range]").press("ArrowRight")
    expect(page.get_by_role("img", name="a diagonal of 2")).to_have_count(1)
    for where, told in {
        ".text": "first line\nsize 2",
        ".number": "0.5000 mhow long",
        ".table th[scope=row]": ["a", "b", "x"],
        ".table td": ["name", "2", "0.5", *["", "1", "1"], *["", "2", "2"]],
        ".html th": ["a", "b", "x"],
        ".html b": "2",
    }.items():
        expect(page.locator(where)).to_have_text(told)
    told = page.locator("[aria-live]").last
    expect(told).to_contain_text("a diagonal of 2. text: first line\nsize 2. ")
    expect(told).to_contain_text("table: 2 rows. frame: 2 rows. html: about 2. ")
    for look in ("dark", ""):
        page.evaluate(f"document.documentElement.className = '{look}'")
        page.wait_for_timeout(100)
        assert colors(page, (0.3, 0.1), (0.1, 0.1)) == [[255, 255, 255, 255]] * 2
        assert problems(page, ".kernelfree-figure") == []
