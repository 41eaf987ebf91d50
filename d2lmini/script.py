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


def classic(module):
    """The module as one classic script that draws every figure which is not drawn yet.

    Comments and indentation stay behind. All figures carry the same text, so that one hash allows
    them all, and a page can keep one.
    """
    body = re.sub(r"^\s*(//|/\*\*|\*).*\n|^\s+", "", module, flags=re.MULTILINE)
    body = body.replace("export default { render };", "mountAll();")
    return f"(() => {{\n{body}}})();"


ESM = module()
SCRIPT = classic(ESM)
