"""What the pages around the chapters say: scripts, theme, extension, print and handout."""

import json
import subprocess

import yaml
from babel.messages.extract import extract_from_file

from tools.build import NODE

from .catalogs import ROOT
from .code import texts_in

SAY = {"say": None, "say_in": (2,)}  # and which argument is the text
CLASSROOM = "handout", "answers", "answers_shown", "grade", "late"
CODE = "pages/*.py", "tools/metadata.py", *(f"classroom/{name}.py" for name in CLASSROOM)


def messages():
    """Yield all of them, some more than once."""
    yield from (text for text, _ in of_scripts())
    for path in (path for pattern in CODE for path in sorted(ROOT.glob(pattern))):
        yield from texts_in(path.read_text(encoding="utf-8"), *SAY)
    for path in sorted(ROOT.glob("pages/theme/*.html")):
        yield from (text for _, text, *_ in extract_from_file("jinja2", path, keywords=SAY))
    names = "_config.yml", "_toc.yml"
    config, toc = (yaml.safe_load((ROOT / name).read_text("utf-8")) for name in names)
    yield from (config["title"], config["sphinx"]["config"]["mention_of_chapter"])
    yield from (part["caption"] for part in toc["parts"])


def of_scripts():
    """The texts of the scripts of pages and figures, templates with the tag say: (text, place)."""
    command = [NODE / "node", "tools/translation/scripts.mjs"]
    found = json.loads(subprocess.check_output(command, cwd=ROOT))
    return [(text, f"{file}:{line}") for text, file, line in found]
