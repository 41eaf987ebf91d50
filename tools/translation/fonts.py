"""Cuts the face of a language for still pictures: kernelfree/fonts/LANGUAGE.ttf.

    python -m tools.translate fonts [FACE]

It has the letters that stand in pictures, those of the packages' catalog and of strings of code,
and then the most frequent of all catalogs, up to 2000 in all (300 kB). FACE is the face to cut, for
Chinese Droid Sans Fallback: `apt-get install fonts-droid-fallback`.
"""

from collections import Counter
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from . import catalogs
from .catalogs import LOCALE, ROOT

FACES = {"zh": Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")}
# What matplotlib does not need.
DROPPED = ["GDEF", "GPOS", "GSUB", "gasp", "vhea", "vmtx", "DSIG", "hdmx", "VDMX", "LTSH"]


def said(language):
    """What stands in pictures, and all texts, as two strings."""
    drawn, whole = [], []
    for path in sorted((LOCALE / language).glob("*.po")):
        for (context, _), text in catalogs.said(language, path.stem).items():
            whole.append(text)
            if path.stem == "package" or context == "code":
                drawn.append(text)
    return "".join(drawn), "".join(whole)


def own_letters():
    """The letters that matplotlib's own face has."""
    from matplotlib import get_data_path  # not there where the book is only built

    return set(TTFont(Path(get_data_path(), "fonts/ttf/DejaVuSans.ttf")).getBestCmap())


def needed(language, more=""):
    """The letters of pictures, and of `more`, that matplotlib's own face lacks."""
    drawn, _ = said(language)
    return {ord(sign) for sign in drawn + more if sign.isprintable()} - own_letters()


def renew(*faces):
    """Cut the faces of all languages, from the faces that are given or where they are installed."""
    for language, path in zip(FACES, faces or FACES.values(), strict=False):
        cut(language, path)


def cut(language, path):
    """Write the face of a language; stop if the one to cut lacks a letter that is needed."""
    kept = {"notdef_outline": True, "name_IDs": [0, 13], "drop_tables": DROPPED}
    options = subset.Options(hinting=False, layout_features=[], **kept)
    face = subset.load_font(path, options)
    there, first = set(face.getBestCmap()), needed(language)
    if missing := first - there:
        raise SystemExit(f"{language}: the face lacks {''.join(map(chr, sorted(missing)))}")
    known, (_, whole) = there - first - own_letters(), said(language)
    others = [one for sign, _ in Counter(whole).most_common() if (one := ord(sign)) in known]
    wanted = first | set(others[: max(0, 2000 - len(first))])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(face)
    name = f"kernelfree {language}"
    for number, text in {1: name, 2: "Regular", 4: name, 6: name.replace(" ", "-")}.items():
        face["name"].setName(text, number, 3, 1, 0x409)
    face["head"].created = face["head"].modified = 0  # the same bytes every time
    face.recalcTimestamp = False
    made = ROOT / "kernelfree" / "fonts" / f"{language}.ttf"
    face.save(made)
    print(f"{made.relative_to(ROOT)}: {len(wanted):,} letters, {made.stat().st_size / 1000:.0f} kB")
