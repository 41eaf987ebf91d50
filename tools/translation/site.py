"""What the pages around the chapters say: scripts, theme, extension, print and handout."""

import ast
import json
import os
import subprocess

import yaml
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from .catalogs import ROOT
from .code import is_text

SAY = ("say", "say_in")
CODE = (
    "pages/*.py",
    "tools/metadata.py",
    *(f"classroom/{name}.py" for name in ("handout", "answers", "answers_shown", "late")),
)


def messages():
    """Yield (context or None, message, where) of all of them."""
    yield from of_scripts()
    for path in (path for pattern in CODE for path in sorted(ROOT.glob(pattern))):
        yield from ((None, text, place(path, line)) for line, text in of_python(path))
    for path in sorted((ROOT / "pages" / "theme").glob("*.html")):
        yield from ((None, text, place(path, line)) for line, text in of_template(path))
    names = "_config.yml", "_toc.yml"
    config, toc = (yaml.safe_load((ROOT / name).read_text("utf-8")) for name in names)
    yield None, config["title"], "_config.yml"
    yield None, config["sphinx"]["config"]["mention_of_chapter"], "_config.yml"
    for part in toc["parts"]:
        yield None, part["caption"], "_toc.yml"


def of_scripts():
    """The texts of the scripts of pages and figures: templates with the tag say."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = ["node", "tools/translation/scripts.mjs"]
    options = {"cwd": ROOT, "env": {**os.environ, "PATH": path}, "check": True}
    done = subprocess.run(command, stdout=subprocess.PIPE, **options)
    return ((None, text, f"{file}:{line}") for text, file, line in json.loads(done.stdout))


def place(path, line):
    return f"{path.relative_to(ROOT)}:{line}"


def of_python(path):
    """The texts that a module says."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", None) not in SAY:
            continue
        if text := next(filter(is_text, node.args), None):
            yield node.lineno, text.value


def of_template(path):
    """The texts that a template says."""
    tree = Environment().parse(path.read_text(encoding="utf-8"))
    for line, _, text in extract_from_ast(tree, SAY):
        yield line, text if isinstance(text, str) else next(filter(None, text))
