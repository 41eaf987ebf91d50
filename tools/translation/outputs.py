"""What the notebooks of an edition have printed and drawn, so that a build runs nothing.

Kept in `locale/LANGUAGE/outputs/PAGE.json`, without the scripts of figures, and only where it is
not what the English notebook holds.
"""

import ast
import copy
import hashlib
import json

from tools import scripts

from .catalogs import LOCALE

NONE = "<script></script>"


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
    bares = ((mine["id"], bare(mine["outputs"]), bare(other["outputs"])) for mine, other in pairs)
    cells = {name: own for name, own, other in bares if own != other}
    path = path_of(language, page)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"code": digest(run), "outputs": cells}
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def bare(outputs):
    """Outputs without the scripts of their figures."""
    found = copy.deepcopy(outputs)
    for output in found:
        text = output.get("data", {}).get("text/html", "")
        if scripts.kind(text):
            output["data"]["text/html"] = scripts.OWN.sub(NONE, text)
    return json.loads(json.dumps(found))


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
    for cell in code_of(notebook):
        found = own.get(cell["id"], cell["outputs"])
        cell["outputs"] = [clothe(output, language) for output in found]


def clothe(output, language):
    """An output with the present script of its language."""
    from nbformat import from_dict

    text = output.get("data", {}).get("text/html", "")
    if found := scripts.kind(text):
        script = f"<script>{scripts.script_for(found, language)}</script>"
        output["data"]["text/html"] = scripts.OWN.sub(lambda _: script, text)
    return from_dict(output)
