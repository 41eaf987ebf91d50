"""Keep the catalogs of the other languages in step with the book, and render its notebooks.

python tools/translate.py update [PAGE ...]     after English words have changed
python tools/translate.py report [PAGE ...]     what is shown in English, and what looks wrong
python tools/translate.py package              the packages' catalogs, and what is compiled of them
python tools/translate.py fonts [FACE]         the faces of still pictures, cut from FACE
python tools/translate.py render FOLDER         the notebooks of each language into FOLDER/LANGUAGE
"""

import sys

import nbformat
import run as runner
from translation import catalogs, fonts, notebook, outputs, package
from translation.render import render

CHAPTERS = catalogs.ROOT / "chapters"


def pages(names):
    """The notebooks with these names, or all."""
    found = {path.stem: path for path in sorted(CHAPTERS.glob("*.ipynb"))}
    wrong = [name for name in names if name not in found]
    if wrong:
        sys.exit(f"translate: no page {', '.join(wrong)}; there are {', '.join(found)}")
    return [found[name] for name in names] if names else list(found.values())


def update(names):
    for language in catalogs.languages():
        for page in pages(names):
            path = catalogs.path_of(language, page.stem)
            messages = notebook.messages(nbformat.read(page, 4))
            catalogs.write(path, catalogs.updated(catalogs.read(path), messages))
    report(names)


def report(names):
    total = 0
    for language in catalogs.languages():
        for page in pages(names):
            late = catalogs.out_of_date(catalogs.read(catalogs.path_of(language, page.stem)))
            total += len(late)
            if late:
                print(f"{language}/{page.stem}: {len(late)}")
    print(f"out of date: {total}")


def run(names):
    for language in catalogs.languages():
        folder = catalogs.ROOT / "_build" / "rendered" / language
        folder.mkdir(parents=True, exist_ok=True)
        for page in pages(names):
            path = folder / page.name
            made = render(page, language)
            if outputs.fresh(language, page.stem, made):
                continue
            nbformat.write(made, path)
            print(f"{language}/{page.stem} ... ", end="", flush=True)
            runner.run(path)
            outputs.keep(language, page.stem, nbformat.read(path, 4), nbformat.read(page, 4))
            print("kept", flush=True)


COMMANDS = {"update": update, "report": report, "run": run}
COMMANDS |= {"package": lambda names: package.renew(), "fonts": fonts.renew}

if __name__ == "__main__":
    name, *names = sys.argv[1:] or [""]
    if name not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[name](names)
