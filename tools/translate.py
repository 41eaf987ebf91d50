"""Keep the catalogs of the other languages in step with the book, render and run its notebooks.

python -m tools.translate begin LANGUAGE     a further language, such as fr or pt-BR
python -m tools.translate update [PAGE ...]  catalogs, after English words have changed
python -m tools.translate report [MOST]      what is shown in English; an error if more than MOST
python -m tools.translate render LANGUAGE    notebooks into _build/rendered/LANGUAGE
python -m tools.translate run [PAGE ...]     notebooks, all whose code has changed; keep outputs
python -m tools.translate fonts [FACE]       letters of still pictures, cut from a face
python -m tools.translate publish REMOTE     notebooks, on a branch for each language
"""

import sys
from collections import Counter
from contextlib import suppress

import nbformat
from babel import Locale, UnknownLocaleError
from nbclient.exceptions import CellExecutionError

from tools import run as runner
from tools.translation import catalogs, fonts, outputs, package, publish, site
from tools.translation.render import messages, render

CHAPTERS = catalogs.ROOT / "chapters"
# A language with this file is far from whole, and may be published as it is.
BEGUN = "begun"
# The catalogs beside those of pages.
OTHERS = {"package": package, "page": site}


def pages(names=()):
    """The notebooks with these names, or all."""
    found = {path.stem: path for path in sorted(CHAPTERS.glob("*.ipynb"))}
    if wrong := [name for name in names if name not in found]:
        sys.exit(f"translate: no page {', '.join(wrong)}; there are {', '.join(found)}")
    return [found[name] for name in names or found]


def messages_of(names):
    """Yield catalogs with their messages: those of these pages and of the package, or all."""
    for page in pages(names):
        yield page.stem, messages(runner.read(page))
    for name, part in OTHERS.items():
        if not names or name != "page":  # which asks node
            yield name, [(None, text) for text in dict.fromkeys(part.messages())]


def renew(*names):
    """Bring the catalogs of these pages, or all, up to date."""
    for name, wanted in messages_of(names):
        for language in catalogs.languages():
            path = catalogs.path_of(language, name)
            catalogs.write(path, catalogs.updated(catalogs.read(path), wanted))
    package.compile_catalogs()


def update(*names):
    renew(*names)
    report(names=names)


def keep_english(language, *names):
    """Keep, of pages whose code says all in English still, what the English notebooks give."""
    for page in pages(names):
        outputs.keep(language, page.stem, render(page, language), nbformat.read(page, 4))


def begin(*names):
    """Make the folder of a language: all is English in it, and counts as run."""
    language, spoken = " ".join(names), None
    with suppress(UnknownLocaleError, ValueError):
        spoken = Locale.parse(language, sep="-")
    if not spoken or language in ("en", *catalogs.languages()):
        what = "the tag of a language that has no book yet, such as fr or pt-BR"
        sys.exit(f"translate: begin takes {what}, not {language!r}")
    folder = catalogs.LOCALE / language
    first = catalogs.Catalog(locale=spoken, fuzzy=False)
    first.add("en", language)
    first.add("English", spoken.get_display_name(spoken))
    catalogs.write(folder / "page.po", first)
    (folder / "style.css").write_text("/* Faces and room that this language needs: see zh. */\n")
    (folder / BEGUN).write_text("Until this file goes, late messages hold nothing up.\n")
    renew()
    keep_english(language)
    report()


def lacks(language, late_messages):
    """What a language that has begun has still to get, in lines."""
    for name, count in Counter(name for name, _ in late_messages).items():
        yield f"{count} messages, in locale/{language}/{name}.po"
    spoken = Locale.parse(language, sep="-")
    face = catalogs.ROOT / "kernelfree" / "fonts" / f"{language}.ttf"
    months = "".join(spoken.months["format"]["wide"].values())  # in the letters of the language
    if not face.exists() and fonts.needed(language, months):
        yield "a face for still pictures: name one in FACES, in tools/translation/fonts.py"
        yield f"faces for its pages: name them in locale/{language}/style.css, as zh does"
    if spoken.text_direction == "rtl":
        yield "pages that run from right to left: no style sheet of the book does so yet"
    name = spoken.get_language_name("en")
    if name not in (CHAPTERS / "glossary.ipynb").read_text(encoding="utf-8"):
        yield f"its terms in chapters/glossary.ipynb, which says nothing of {name}"
    if not (catalogs.ROOT / "pages" / "static" / language).is_dir():
        yield "scripts that speak it: `make scripts`, once page.po says what they say"


def late(names=()):
    """What is shown in English, of these pages or of all: {language: [(catalog, message), ...]}."""
    found = {language: [] for language in catalogs.languages()}
    for name, wanted in messages_of(names):
        for language, all_late in found.items():
            said = catalogs.said(language, name)
            all_late += [(name, one[1]) for one in wanted if one not in said]
    return found


def told(language, late_messages):
    """How many messages of a language are late."""
    count, names = len(late_messages), ", ".join(sorted({name for name, _ in late_messages}))
    return f"{language}: late messages, shown in English: {count} ({names})"


def report(most=None, names=()):
    for language, found in late(names).items():
        begun = catalogs.LOCALE / language / BEGUN
        if begun.exists():
            if not names:
                print(f"{language} has begun. It lacks", *lacks(language, found), sep="\n- ")
                print(f"With all of that, remove {begun.relative_to(catalogs.LOCALE.parent)}.")
            continue
        for name, text in found if len(found) <= 20 else ():  # catalogs have them all
            print(f"locale/{language}/{name}.po: {text[:100]!r}")
        print(told(language, found) if found else f"{language}: no message is late")
        if most is not None and len(found) > int(most):
            sys.exit(
                f"translate: {len(found)} messages of {language} are late, and more than {most} "
                "are not published: translate some, as CONTRIBUTING.md says under Other languages"
            )


def rendered(language, page):
    """The path of a page that was rendered just now."""
    path = catalogs.ROOT / "_build" / "rendered" / language / page.name
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(render(page, language), path)
    return path


def render_all(language):
    if language not in (known := catalogs.languages()):
        sys.exit(f"translate: no language {language!r}; there are {', '.join(known)}")
    for page in pages():
        rendered(language, page)


def run(*names):
    failed = False
    for language, page in ((one, page) for one in catalogs.languages() for page in pages(names)):
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


COMMANDS = {"begin": begin, "update": update, "report": report, "fonts": fonts.renew}
COMMANDS |= {"render": render_all, "run": run, "publish": publish.publish}

if __name__ == "__main__":
    name, *names = sys.argv[1:] or [""]
    if name not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[name](*names)
