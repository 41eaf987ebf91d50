"""What is said to readers, in their language: catalogs of gettext, and a face for its letters.

A language is a file `locale/NAME.mo` in each package and, if its letters need a face for still
pictures, `fonts/NAME.ttf`. Errors that an author meets stay English.
"""

import gettext
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).parent
# The language that is spoken (None is English), what finds its words, and the names of its faces.
_language: str | None = None
_catalog = gettext.NullTranslations()
_faces: list[str] = []


def say(text, /, **fields):
    """A text in the reader's language, with its fields filled in."""
    said = _catalog.gettext(text) if text else ""
    return said.format(**fields) if fields else said


def deferred(text):
    """The text itself: `say` looks it up where it is shown."""
    return text


def current() -> str | None:
    """The language that is spoken, such as "zh"; None is English."""
    return _language


def tag():
    """The same as a page has it in its `lang`, such as "zh-CN"."""
    return _catalog.info().get("language", "en").replace("_", "-")


def faces():
    """The faces that stand in for letters which a face lacks, for matplotlib's `family`."""
    return list(_faces)


def speak(language: str | None = None, *packages: Path) -> None:
    """Say what readers see in another language, from now on.

    Parameters
    ----------
    language : str, optional
        Such as "zh"; "en", or nothing, is English.
    *packages : path
        Folders of other packages that have catalogs.

    Raises
    ------
    ValueError
        When there is no such language.
    """
    global _catalog, _language
    known = ["en", *sorted(path.stem for path in (HERE / "locale").glob("*.mo"))]
    language = "en" if language is None else language
    if language not in known:
        raise ValueError(f"speak: there is no language {language!r}; there are {', '.join(known)}")
    found = gettext.NullTranslations()
    for folder in (HERE, *packages) if language != "en" else ():
        with (folder / "locale" / f"{language}.mo").open("rb") as file:
            own = gettext.GNUTranslations(file)
        own.add_fallback(found)
        found = own
    _catalog, _language = found, None if language == "en" else language
    write_with(HERE / "fonts" / f"{language}.ttf")


def write_with(path):
    """Let matplotlib take the letters that its own face lacks from a file, if it is there."""
    if not (_faces or path.exists()):
        return
    from matplotlib import rcParams
    from matplotlib.font_manager import fontManager

    families = [name for name in rcParams["font.family"] if name not in _faces]
    _faces.clear()
    if path.exists():
        known = [entry for entry in fontManager.ttflist if entry.fname == str(path)]
        if not known:
            fontManager.addfont(path)
            known = fontManager.ttflist[-1:]
            # One weight is enough, and matplotlib warns where there is no other.
            fontManager.ttflist.append(replace(known[0], weight=700))
        _faces.append(known[0].name)
    rcParams["font.family"] = families + _faces
