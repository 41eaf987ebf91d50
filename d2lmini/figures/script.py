"""The figures' JavaScript: one ES module for widgets, one classic script for pages."""

import json
import re
from importlib.resources import files


def module():
    """The figure's ES module, with its style sheet put in."""
    script, style = (
        files(__package__).joinpath(name).read_text(encoding="utf-8")
        for name in ("explorer.js", "explorer.css")
    )
    style = re.sub(r"/\*.*?\*/|\n", "", style, flags=re.DOTALL)
    style = re.sub(r"\s*([{};,])\s*|(:)\s+", r"\1\2", style)
    return script.replace('const CSS = "";', f"const CSS = {json.dumps(style)};")


# How a page without a kernel begins: with every figure that is not alive yet.
AT_ONCE = 'document.querySelectorAll(".d2lmini-figure").forEach(mount);'
# In a page with one script for all figures: each when it is about to be seen and the browser has
# time (where it cannot tell, soon), or when it is linked to; and when the page says so, at once.
WHEN_NEAR = """\
const all = () => document.querySelectorAll(".d2lmini-figure");
const soon = window.requestIdleCallback ?? setTimeout;
const asked = () => location.hash.includes("?") && all().forEach(mount);
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) soon(() => mount(target), { timeout: 200 });
  },
  { rootMargin: "100%" },
);
const start = () => {
  all().forEach((el) => near.observe(el));
  addEventListener("hashchange", asked);
  asked();
};
for (const now of ["d2lmini-figure", "beforeprint"])
  addEventListener(now, () => all().forEach(mount));
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();"""
NOW = 'dispatchEvent(new Event("d2lmini-figure"));'


def classic(module, start=AT_ONCE):
    """The module as one classic script that draws the page's figures.

    Comments, indentation and needless ends of lines stay behind. All figures carry the same text,
    so that one hash allows them all, and a page can keep one.
    """
    body = re.sub(r"^\s*(//|/\*\*|\*).*\n|^\s+", "", module, flags=re.MULTILINE)
    body = re.sub(r"(?<=[{,;(\[])\n", "", body)
    body = body.replace("export default { render };", start)
    return f"(() => {{\n{body}}})();"


ESM = module()
SCRIPT = classic(ESM)
