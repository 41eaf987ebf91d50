"""What a page fetches: as light as is promised, and it starts, at once from a snapshot."""

import json

import pytest
from made_scripts import ROOT, node

from runhere import pack

MOST = 5.0e6  # bytes, gzipped, of all that a page fetches, the editor with it
EDITOR = ROOT / "pages" / "static" / "editor.js"
CELL = """import torch
from d2lmini.exercises.chapter_03 import QUERY
import d2lmini
print(torch.__version__)
print(QUERY)  # made when the module was imported
d2lmini.masked_softmax(torch.tensor([[[1.0, 2.0, 3.0, 4.0]]]), [2])
"""
TWICE = """
import { readFileSync } from "node:fs";
import { loadPyodide } from "%(folder)s/pyodide.js";
import { start } from "%(root)s/runhere/js/start.js";
const modules = JSON.parse(readFileSync("%(folder)s/modules.json"));
const cell = %(cell)s;
const found = [];
let made;
for (let i = 0; i < 3; i++) {
  const from = performance.now();
  const page = await start(loadPyodide, "%(folder)s/", [modules], made);
  const ready = performance.now() - from;
  const broken = "import torch\\ntorch.ones(2) + 'a'";
  const [own, other] = [cell, broken].map((code) => page.run({ sources: [code], at: 0 }));
  found.push({ ready, ...own, broken: other });
  made = page.made;
}
console.log(JSON.stringify(found));
"""


@pytest.mark.beyond
def test_what_is_packed_is_light_and_starts_again_from_a_snapshot(tmp_path):
    sizes = pack.pack(tmp_path)
    assert pack.fetched(tmp_path, sizes) + pack.sent(EDITOR) <= MOST
    script = TWICE % {"folder": tmp_path, "root": ROOT, "cell": json.dumps(CELL)}
    said = node("node", "--no-warnings", "--input-type=module", text=script)
    first, *again = json.loads(said.splitlines()[-1])
    for one in (first, *again):
        assert one["out"] == "A stand-in for PyTorch, made for this page\ntensor([1., 2.])\n"
        assert one["value"] == "tensor([[[0.2689, 0.7311, 0.0000, 0.0000]]])"
        assert one["error"] == ""
        assert one["broken"]["error"].startswith("Traceback")
        assert one["broken"]["line"] == 2
    assert min(one["ready"] for one in again) < first["ready"] / 3


def test_without_pyodide_nothing_is_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(pack, "PYODIDE", tmp_path / "none")
    assert pack.pack(tmp_path / "packed") is None
    assert not (tmp_path / "packed").exists()
