"""Write what a page fetches when a reader asks for Python: Pyodide, cut to what is used, and the modules.

    python -m runhere.pack FOLDER

It needs `node_modules/pyodide`; where that is not, it says so and writes nothing.
"""

import ast
import gzip
import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from .page.book import DRAWN, EXPLORER, TRACE

ROOT = Path(__file__).resolve().parent.parent
PYODIDE = ROOT / "node_modules" / "pyodide"
# Many hosts know no type for scripts that are named .mjs, and browsers refuse what has none.
SCRIPTS = {"pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js"}
WORKER = ROOT / "runhere" / "static" / "worker.js"
ROOMS = {
    "torch": ROOT / "runhere" / "torch",
    "page": ROOT / "runhere" / "page",
    "d2lmini": ROOT / "d2lmini",
    "kernelfree": ROOT / "kernelfree",
    "lazy_loader": Path(importlib.util.find_spec("lazy_loader").origin).parent,
}
# Of the book's modules, beside those that draw.
LEFT_OUT = [EXPLORER, TRACE, "d2lmini.sentence", "d2lmini.encoder", "d2lmini.frameworks", "page.used"]
LEFT_OUT += [f"d2lmini.{name}" for name in ("jax", "tensorflow", "mxnet")]


def modules():
    """{name in the archive: file} of all that is not Python's own library."""
    found = {}
    for room, folder in ROOMS.items():
        for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
            inside = file.relative_to(folder)
            name = ".".join([room, *inside.with_suffix("").parts]).removesuffix(".__init__")
            if not any(f"{name}.".startswith(f"{one}.") for one in [*DRAWN, *LEFT_OUT]):
                found[f"{room}/{inside.as_posix()}"] = file
    return found


def bare(name, data):
    """A module without its comments and docstrings, which no page shows: of what readers ask about, all."""
    if not name.endswith(".py") or name.startswith(("d2lmini/", "torch/")):
        return data
    try:
        tree = ast.parse(data)
    except SyntaxError:  # of a later Python than this one
        return data
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body[0].value.value = ""
    return ast.unparse(tree).encode()


def words():
    """{language: {name in its archive: file}} of what is said in other languages."""
    found = {}
    for file in sorted(path for room in ROOMS.values() for path in room.glob("locale/*.mo")):
        found.setdefault(file.stem, {})[f"{file.parent.parent.name}/locale/{file.name}"] = file
    return found


def key():
    """What changes with anything that is packed; None where Pyodide is not."""
    if not PYODIDE.exists():
        return None
    files = [PYODIDE / "package.json", WORKER, *modules().values(), *(ROOT / "runhere").rglob("page/*.py")]
    files += [Path(__file__), *(file for own in words().values() for file in own.values())]
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name} {file.stat().st_size} ".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def sent(path):
    """The bytes of a file as a host sends it."""
    return len(gzip.compress(path.read_bytes(), 6, mtime=0))


def fetched(folder, names):
    """The bytes that a page in English fetches of these files."""
    return sum(sent(folder / name) for name in names if Path(name).stem not in words())


def used(names):
    """The files of Python's library that are read when these modules are imported."""
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "given.json"
        given.write_text(json.dumps(names), encoding="utf-8")
        rooms = json.dumps({name: str(path) for name, path in ROOMS.items()})
        script = ["node", "--no-warnings", "runhere/js/node.mjs"]
        command = [*script, rooms, "runhere/page/used.py", given]
        return json.loads(subprocess.check_output(command, cwd=ROOT, text=True))


def told(path, contents):
    path.write_text(json.dumps(contents, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")


def pack(folder):
    """Write the files; return their sizes in bytes, or None where Pyodide is not."""
    if not PYODIDE.exists():
        return None
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    own = modules()
    names = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in own]
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as library:
        files = used([name for name in names if not name.endswith(".pyi")])
        with zipfile.ZipFile(folder / "python_stdlib.zip", "w") as archive:
            for name in sorted(files):  # the same files make the same bytes
                data = bare(name, library.read(name))
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    told(folder / "modules.json", {name: bare(name, file.read_bytes()).decode() for name, file in own.items()})
    for language, files in words().items():
        told(folder / f"{language}.json", {name: [*file.read_bytes()] for name, file in files.items()})
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] = {}  # none is ever loaded
    told(folder / "pyodide-lock.json", lock)
    for name, here in SCRIPTS.items():
        text = (PYODIDE / name).read_text(encoding="utf-8").replace(*list(SCRIPTS.items())[1])
        (folder / here).write_text(text.partition("\n//# sourceMappingURL")[0], encoding="utf-8")
    for path in (PYODIDE / "pyodide.asm.wasm", WORKER):
        (folder / path.name).write_bytes(path.read_bytes())
    return {file.name: file.stat().st_size for file in sorted(folder.iterdir())}


def main():
    sizes = pack(*sys.argv[1:])
    if sizes is None:
        sys.exit("runhere: node_modules has no pyodide, so pages have no Python; `npm ci` brings it")
    for name, size in sizes.items():
        print(f"{size:>10,}  {name}")


if __name__ == "__main__":
    main()
