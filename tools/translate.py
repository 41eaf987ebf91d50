"""Keep the catalogs of the other languages in step with the book, render and run its notebooks.

python -m tools.translate update [PAGE ...]  catalogs, after English words have changed
python -m tools.translate report [MOST]      what is shown in English; an error if more than MOST
python -m tools.translate render LANGUAGE    notebooks into _build/rendered/LANGUAGE
python -m tools.translate run [PAGE ...]     notebooks, all whose code has changed; keep outputs
python -m tools.translate fonts [FACE]       letters of still pictures, cut from a face
python -m tools.translate publish REMOTE     notebooks, on a branch for each language
"""

import sys

import nbformat
from nbclient.exceptions import CellExecutionError

from tools import run as runner
from tools.translation import catalogs, fonts, notebook, outputs, package, publish, site
from tools.translation.render import render

CHAPTERS = catalogs.ROOT / "chapters"
# The catalogs beside those of pages.
OTHERS = {"package": package, "page": site}


def pages(names):
    """The notebooks with these names, or all."""
    found = {path.stem: path for path in sorted(CHAPTERS.glob("*.ipynb"))}
    wrong = [name for name in names if name not in found]
    if wrong:
        sys.exit(f"translate: no page {', '.join(wrong)}; there are {', '.join(found)}")
    return [found[name] for name in names] if names else list(found.values())


def messages_of(names):
    """Yield catalogs with their messages: those of these pages and of the package, or all."""
    for page in pages(names):
        yield page.stem, notebook.messages(nbformat.read(page, 4))
    for name, part in OTHERS.items():
        if names and name == "page":
            continue  # it asks node
        yield name, list(dict.fromkeys((context, text) for context, text, _ in part.messages()))


def renew(*names):
    """Bring the catalogs of these pages, or all, up to date."""
    for name, messages in messages_of(names):
        for language in catalogs.languages():
            path = catalogs.path_of(language, name)
            catalogs.write(path, catalogs.updated(catalogs.read(path), messages))
    package.compile_catalogs()


def update(*names):
    renew(*names)
    report(names=names)


def keep_english(language, *names):
    """Keep, of pages whose code says all in English still, what the English notebooks give."""
    for page in pages(names):
        outputs.keep(language, page.stem, render(page, language), nbformat.read(page, 4))


def late(names=()):
    """What is shown in English, of these pages or of all: {language: [(catalog, message), ...]}."""
    found = {language: [] for language in catalogs.languages()}
    for name, messages in messages_of(names):
        for language, all_late in found.items():
            catalog = catalogs.read(catalogs.path_of(language, name))
            all_late += [(name, text) for _, text in catalogs.late(catalog, messages)]
    return found


def told(language, messages):
    """How many messages of a language are late."""
    pages = sorted({name for name, _ in messages})
    return f"{language}: late messages, shown in English: {len(messages)} ({', '.join(pages)})"


def report(most=None, names=()):
    for language, messages in late(names).items():
        for name, text in messages:
            print(f"locale/{language}/{name}.po: {text[:100]!r}")
        print(told(language, messages) if messages else f"{language}: no message is late")
        if most is not None and len(messages) > int(most):
            sys.exit(
                f"translate: {len(messages)} messages of {language} are late, and more than {most} "
                "are not published: translate some, as CONTRIBUTING.md says under Other languages"
            )


def rendered(language, page):
    """The path of a page that was rendered just now."""
    folder = catalogs.ROOT / "_build" / "rendered" / language
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(render(page, language), folder / page.name)
    return folder / page.name


def render_all(language):
    if language not in (known := catalogs.languages()):
        sys.exit(f"translate: no language {language!r}; there are {', '.join(known)}")
    for page in pages([]):
        rendered(language, page)


def run(*names):
    failed = False
    for language in catalogs.languages():
        for page in pages(names):
            if not names and outputs.fresh(language, page.stem, render(page, language)):
                continue  # but the words of a package may have changed: name its pages
            path = rendered(language, page)
            print(f"{language}/{page.stem} ... ", end="", flush=True)
            try:
                runner.run(path)
            except (CellExecutionError, RuntimeError) as error:
                failed = True
                print(f"NOT KEPT\n{error}", flush=True)
            else:
                outputs.keep(language, page.stem, nbformat.read(path, 4), nbformat.read(page, 4))
                print("kept", flush=True)
    sys.exit(failed)


def publish_all(remote):
    for language in catalogs.languages():
        publish.publish(language, remote)


COMMANDS = {"update": update, "report": report, "fonts": fonts.renew}
COMMANDS |= {"render": render_all, "run": run, "publish": publish_all}

if __name__ == "__main__":
    name, *names = sys.argv[1:] or [""]
    if name not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[name](*names)
