"""What the notebooks of an edition have printed and drawn, so that a build runs nothing.

Kept in `locale/LANGUAGE/outputs/PAGE.json`, without the scripts of figures, and only where it is
not what the English notebook holds.
"""

import ast
import hashlib
import json
import re
from unicodedata import east_asian_width

from nbformat import from_dict

from tools import scripts

from .catalogs import LOCALE


def path_of(language, page):
    return LOCALE / language / "outputs" / f"{page}.json"


def digest(notebook):
    """What the outputs depend on: the code without its comments."""
    trees = [ast.dump(ast.parse(cell["source"])) for cell in code_of(notebook)]
    return hashlib.sha256("\n".join(trees).encode()).hexdigest()


def code_of(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def keep(language, page, run, english):
    """Keep what a notebook of an edition gave when it ran."""
    pairs = zip(code_of(run), code_of(english), strict=True)
    cells = {mine["id"]: own for mine, other in pairs if (own := bare(mine)) != bare(other)}
    path = path_of(language, page)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"code": digest(run), "outputs": cells}
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def bare(cell):
    """The outputs of a cell without the scripts of their figures."""
    found = json.loads(json.dumps(cell["outputs"]))
    for data in (output.get("data", {}) for output in found):
        if scripts.kind(text := data.get("text/html", "")):
            data["text/html"] = scripts.OWN.sub("<script></script>", text)
    return found


def kept(language, page):
    """What is kept for a page; nothing yet."""
    path = path_of(language, page)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"outputs": {}}


def fresh(language, page, notebook):
    """Whether what is kept comes from this code; where there is none, nothing is."""
    return not code_of(notebook) or kept(language, page).get("code") == digest(notebook)


def restore(language, page, notebook):
    """Put the kept outputs into a notebook that has the English ones."""
    own = kept(language, page)["outputs"]
    trees = [ast.parse(cell["source"]) for cell in code_of(notebook)]
    functions = [one for tree in trees for one in tree.body if isinstance(one, ast.FunctionDef)]
    for cell in code_of(notebook):
        cell["outputs"] = from_dict(own.get(cell["id"], cell["outputs"]))
        for output in cell["outputs"]:
            if html := output.get("data", {}).get("text/html"):
                output["data"]["text/html"] = scripts.renewed(html, language)
            if "text" in output:
                called = (one for one in functions if f"{one.name}(" in cell["source"])
                lines = "\n".join([cell["source"], *map(ast.unparse, called)])
                output["text"] = in_columns(output["text"], lines)


def in_columns(text, source):
    """What code has printed, with its columns straight: Python pads a word to a number of letters,
    and a Chinese letter is as wide as two others."""
    for size, pattern in reversed([*padded_words(source)]):
        # What stands in the code itself has been padded by its translator.
        found = [one for one in pattern.finditer(text) if one[0].strip() not in source]
        words = [one[2].rstrip() for one in found]
        size = max([size, *map(width, words)])
        for one, word in zip(reversed(found), reversed(words), strict=True):
            padded = word + " " * (size - width(word))
            text = text[: one.start(2)] + padded + text[one.end(2) :]
    return text


def padded_words(source):
    """The size of each name that code pads, and a pattern for it in its line."""
    for node in ast.walk(ast.parse(source)):
        line, parts = "", node.values if isinstance(node, ast.JoinedStr) else []
        said = [re.escape(part.value) if isinstance(part, ast.Constant) else "" for part in parts]
        for text, part, after in zip(said, parts, [*said, ""][1:], strict=True):
            if size := re.fullmatch(r"f'\{\w+:(\d+)\}'", ast.unparse(ast.JoinedStr([part]))):
                word = f".{{{int(size[1]) - 1}}} "
                pattern = rf"^({line})({word})(?={after or ' '}).*"
                yield int(size[1]), re.compile(pattern, re.MULTILINE)
            line += text or (f".{{{size[1]},}}?" if size else ".*?")


def width(text):
    """How many columns a text takes."""
    return len(text) + sum(east_asian_width(sign) in "WF" for sign in text)
