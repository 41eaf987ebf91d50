"""What the tests of the chapters share: the notebooks, their cells, and their figures."""

import functools
import importlib.util
import json
import re
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import nbformat
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"  # the built book
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
REPOSITORY = CONFIG["repository"]["url"]


def pages():
    files = [TOC["root"]]
    for part in TOC["parts"]:
        files += [chapter["file"] for chapter in part["chapters"]]
    return [ROOT / f"{file}.ipynb" for file in files]


def numbered():
    return [page for page in pages() if page.name[:2].isdigit()]


def built(page, folder=""):
    """A page of the built book, in the edition of a folder."""
    import lxml.html

    path = HTML / folder / f"chapters/{page}.html"
    return lxml.html.document_fromstring(path.read_text(encoding="utf-8"))


@functools.cache
def read(page):
    """A notebook; it is read once, and nobody may change it."""
    return nbformat.read(page, as_version=4)


def cells(page, kind):
    return [cell.source for cell in read(page).cells if cell.cell_type == kind]


def stored_figures(page, kind="kernelfree-figure"):
    """The figures in a notebook's outputs: [(HTML, the state that Python computed), ...]."""
    found = []
    for output in (output for cell in read(page).cells for output in cell.get("outputs", ())):
        html = output.get("data", {}).get("text/html", "")
        if f'class="{kind}"' not in html:
            continue
        for data in re.findall('<script type="application/json">(.*?)</script>', html, re.DOTALL):
            found.append((html, json.loads(data)))
    return found


LIVE = "chapters/15_four_frameworks.ipynb"  # runs JAX and TensorFlow
# The arguments of pytest by which each cell must print what it has kept.
STRICT = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", "tests/book/nbval.cfg"]
# What a chapter's code needs beyond requirements.txt; see `make test-frameworks`.
NEEDS = {"15_four_frameworks": ("jax", "tensorflow")}

# They train networks, or ask a model a thousand times: nbval does it once, and only exhaustive
# tests do it again.
LONG = {"06_scaled_dot_product_attention", "11_learning_to_align", "13_what_heads_do"}
LONG |= {"16_scores_that_know_where", "17_scores_kept_in_bounds"}


def runs_here(page):
    return all(importlib.util.find_spec(need) for need in NEEDS.get(page.stem, ()))


def figures(page):
    """Run a notebook's code to its last figure: [(figure, function), ...] of each explore()."""
    for need in NEEDS.get(page.stem, ()):
        pytest.importorskip(need, reason=f"{page.stem} runs in .venv-frameworks")
    import matplotlib.pyplot as plt
    import torch

    import d2lmini
    import kernelfree
    from kernelfree import palette

    # As in a kernel of its own, which knows no role that another chapter has added.
    own = {role: palette.ROLES[role] for role in palette.RESERVED}
    palette.ROLES.clear()
    palette.ROLES.update(own, number=palette.ACCENT)
    found = []
    explore = kernelfree.explore  # d2lmini's calls it

    def noted(function, /, **options):
        figure = explore(function, **options)
        found.append((figure, in_type(torch.get_default_dtype(), function)))
        return figure

    def untraced(*args, **kwargs):
        return None

    namespace, dtype = {"__name__": page.stem}, torch.get_default_dtype()
    sources = cells(page, "code")
    last = max((n for n, source in enumerate(sources) if "explore(" in source), default=-1)
    try:
        with ExitStack() as houses:
            houses.enter_context(mock.patch.multiple(kernelfree, explore=noted, trace=untraced))
            houses.enter_context(mock.patch.object(d2lmini, "trace", untraced))
            for number, source in enumerate(sources[: last + 1]):
                exec(compile(source, f"{page.name}, cell {number}", "exec"), namespace)
    finally:
        torch.set_default_dtype(dtype)
        plt.close("all")  # outside a notebook, show_heatmaps leaves its figures to plt.show()
    return found


def in_type(dtype, function):
    """A figure's function as it runs in its chapter, which may have chosen float64."""
    import torch

    def run(**values):
        before = torch.get_default_dtype()
        torch.set_default_dtype(dtype)
        try:
            return function(**values)
        finally:
            torch.set_default_dtype(before)

    return run


CITATION = re.compile(r"(?<![\w\])])\((\d{1,2}\.\d{1,2})\)")
