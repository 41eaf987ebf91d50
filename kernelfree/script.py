"""The figures' JavaScript: one ES module for widgets, one classic script for pages."""

import json
import re
from functools import cache
from importlib.resources import files

PAGE = files(__package__) / "page"

# What only live figures need: the file of each.
LIVE = {"live": "live.js", "rare": "more.js", "matrix": "matrix.js"}
# The file of each kind of panel, and of what moves its marks.
FILES = {
    "heatmap": "heatmap.js",
    "curve": "curve.js",
    "bars": "bars.js",
    "plot": "points.js",
    "plane": "points.js",
    "words": "words.js",
    "grid": "grid.js",
    "hand": "hand.js",
}


def joined(name, known=None, folder=PAGE):
    """A module of a folder after those that it imports and are not `known`, without imports.

    The files are modules for those who write them; what runs is one text, since a page that is
    opened from a disk can't load another module. Names at the top of a file are unique in all.
    """
    known = set() if known is None else known
    if name in known:
        return ""
    known.add(name)
    text = folder.joinpath(name).read_text(encoding="utf-8")
    before = [
        joined(other, known, folder)
        for other in re.findall(r'^import .* from "./(.*)";$', text, re.M)
    ]
    return "".join(before) + re.sub(
        r"^import .*\n|^export (?!default)", "", text, flags=re.MULTILINE
    )


def tidy(style):
    """A style sheet without comments and needless blanks."""
    style = re.sub(r"/\*.*?\*/|\n", "", style, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>])\s*|(:)\s+", r"\1\2", style).replace(";}", "}")


def module(kinds):
    """The ES module of figures with panels of these kinds, with its style sheet put in."""
    more = [PAGE / f"{kind}.css" for kind in ("words", "matrix") if kind in kinds]
    sheets = [PAGE / "explorer.css", *more]
    style = tidy("".join(sheet.read_text(encoding="utf-8") for sheet in sheets))
    known = set()
    # The hand first: so what is alike stands near enough for a packer.
    names = {{**FILES, **LIVE}[kind] for kind in kinds}
    names = [*sorted(names, key=lambda name: (name != "hand.js", name)), "explorer.js"]
    text = "".join(joined(name, known) for name in names)
    return text.replace('const CSS = "";', f"const CSS = {json.dumps(style)};")


# How a page without a kernel begins: with every figure that is not alive yet.
AT_ONCE = 'document.querySelectorAll(".d2lmini-figure").forEach(mount);'
# In a page with one script for all figures: each when it is about to be seen and the browser has
# time (where it cannot tell, soon), or when it is linked to; and when the page says so, at once.
WHEN_NEAR = """\
const all = () => document.querySelectorAll(".d2lmini-figure");
// Where a figure fails its first picture comes back, and the others live.
const bring = (el) => {
  try {
    mount(el);
  } catch (error) {
    el.dataset.failed = "";
    el.querySelector(":scope > div")?.remove();
    reportError(error);
  }
};
const soon = window.requestIdleCallback ?? setTimeout;
const meant = ({ hash }) => {
  // Names are written as addresses have them: what stands in an address may be no text.
  const [id, query] = (hash ?? "").slice(1).split("?");
  if (query) for (const el of all()) if (encodeURI(el.id) === id) bring(el);
};
const addressed = () => meant(location);
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) soon(() => bring(target), { timeout: 200 });
  },
  { rootMargin: "100%" },
);
const start = () => {
  for (const el of all()) {
    el.dataset.waits = "";
    near.observe(el);
  }
  addEventListener("hashchange", addressed);
  // Before the figure itself hears of the click, so that it can move without a jump.
  addEventListener("click", ({ target }) => meant(target.closest?.("a") ?? {}), { capture: true });
  addressed();
};
for (const now of ["d2lmini-figure", "beforeprint"])
  addEventListener(now, () => all().forEach(bring));
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();"""
NOW = 'dispatchEvent(new Event("d2lmini-figure"));'


def squeezed(text):
    """A script without comments, and without needless blanks and ends of lines."""
    body = re.sub(r"^\s*(//|/\*\*|\*).*\n| // .*$", "", text, flags=re.MULTILINE)
    # Declarations of a line each, one after the other, are one.
    runs = re.compile(r"^( *)(const|let) .*;(\n\1(const|let) .*;)+$", re.MULTILINE)
    body = runs.sub(lambda run: re.sub(r";\n *(const|let) ", ",", run[0]), body)
    body = re.sub(r"^\s+", "", body, flags=re.MULTILINE)
    # Outside strings: blanks around signs that end a word anyway (two signs in a row may be one),
    # the last comma or semicolon of a list, brackets around a single name, the 0 of 0.5.
    string = r""" "(?:\\.|[^"\\])*" | '[^']*' | `(?:\\.|[^`\\])*` """
    for needless in (
        r"(?<=[\w)\]])\s([-+/%])\s(?=[\w(\"])",
        r"\s([-+]=)",
        r"\s*([{}()\[\];,:?=<>&|*!])\s*",
        r";(})",
        r",([)}\]])",
        r"(?<![\w)\]])\((\w+)\)(?==>)",
        r"(?<![\w.$])0(\.\d)",
        r"(?<=\breturn)\s(?=[\"'`])()",
    ):
        body = re.sub(rf"({string})|{needless}", r"\1\2", body, flags=re.VERBOSE)
    # What is never set again may be set again.
    return re.sub(rf"({string})|\bconst\b", lambda found: found[1] or "let", body, flags=re.VERBOSE)


def classic(module, start=AT_ONCE):
    """The module as one classic script that draws the page's figures."""
    body = squeezed(module.replace("export default { render };", start))
    return f"(() => {{\n{body}}})();"


def needs(panels):
    """What a figure with these panels needs of the page: some of the names in `FILES`."""
    moved = any("drag" in mark for panel in panels for mark in panel.get("marks", ()))
    return sorted({panel["kind"] for panel in panels} | ({"hand"} if moved else set()))


@cache
def inlined(*needed):
    """The script of a figure that needs this, without what it takes to draw others.

    Figures that need the same carry the same text, so that one hash allows them all.
    """
    return classic(module(needed))


# What all figures need, and what all need that are not live.
ESM = module({**FILES, **LIVE})
MODULE = module(FILES)
SCRIPT = classic(MODULE)
