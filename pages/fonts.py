"""The book's one style sheet, and its fonts cut to the characters that the pages show."""

import base64
import hashlib
import io
import logging
import os
import re
import shutil
from functools import cache
from pathlib import Path

from docutils.utils.smartquotes import smartchars
from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from fontTools.ttLib.tables._g_l_y_f import Glyph
from lxml import html
from lxml.builder import E

from d2lmini.roles import symbols_on_dark

from . import model
from .body import expect
from .editions import LOCALE, editions, spoken

# It tells of each table that it cuts, where something has told Python to log that much.
logging.getLogger("fontTools").setLevel(logging.WARNING)

# Fonts that all editions take from the book's own folder.
FONT = re.compile(r"url\(((?:katex/fonts|fonts/source-serif)[^)]*)")
# The rule of the font of all Chinese letters; what a page shows before one scrolls, and how much.
RULE = re.compile(r'@font-face\{font-family:"Noto Sans SC"([^}]*?)url\([^)]*\)([^}]*)\}')
SHOWN = """//article//text()[not(ancestor::script or ancestor::pre or ancestor::details or
  ancestor::figure or ancestor::*[@class='katex'])]"""
HANZI, FIRST = re.compile("[\u3000-\u9fff\uff00-\uffef]"), 500
# Without a Chinese font what stands for a missing letter is narrower than the letter that comes.
BLANK = """{
  const pen = document.createElement("canvas").getContext("2d");
  if (pen.measureText("国").width !== Number.parseInt(pen.font)) {
    const bytes = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
    document.fonts.add(new FontFace("Blank", bytes));
  }
}
"""
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
# What browsers do with letters unasked, and digits of one width.
FEATURES = ["ccmp", "locl", "kern", "liga", "clig", "calt", "rlig", "mark", "mkmk", "tnum"]


def tidy(style):
    """A style sheet without comments and needless blanks."""
    style = re.sub(r"/\*.*?\*/|\n", "", style, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>])\s*|(:)\s+", r"\1\2", style).replace(";}", "}")


def needed(style, classes):
    """The rules of a style sheet but those for classes that no page has."""

    def rule(found):
        selectors = [one for one in found[1].split(",") if set(CLASS.findall(one)) <= classes]
        return f"{','.join(selectors)}{{{found[2]}}}" if selectors else ""

    return re.sub(r"([^{}]+)\{([^{}]*)\}", rule, style)


def finish(app):
    """Write site.css, and the fonts of text and of formulas as small as the book allows."""
    assets, static = Path(app.confdir, "assets"), Path(app.outdir, "_static")
    parts = (static / "katex" / "katex.min.css", static / "pygments.css", assets / "book.css")
    math, *others = (part.read_text(encoding="utf-8") for part in parts)
    expect("url(fonts/" in math, "katex.min.css", "an address of a font")
    text, formulas, classes = shown(Path(app.outdir))
    own = spoken()
    style = LOCALE / own.folder / "style.css"
    others += [symbols_on_dark(), style.read_text(encoding="utf-8") if own.folder else ""]
    sheet = "\n".join([needed(math, classes).replace("url(fonts/", "url(katex/fonts/"), *others])
    if own.folder:
        sheet = FONT.sub(r"url(../../_static/\1", sheet)
    (static / "site.css").write_text(tidy(sheet), encoding="utf-8")
    text |= others_say()
    kept = model.kept(app) / "fonts"
    kept.mkdir(parents=True, exist_ok=True)
    for folder, used in (("fonts", text), ("katex/fonts", formulas)):
        for font in (assets / folder).glob("*.woff2"):
            shutil.copyfile(cut_once(font, used, kept), static / folder / font.name)


def shown(folder):
    """Every character of the pages' text, and of their formulas, and every class."""
    text, formulas, classes = {chr(code) for code in range(32, 127)}, set(), set()
    for page in folder.rglob("*.html"):
        tree = html.document_fromstring(page.read_text(encoding="utf-8"))
        classes.update(*map(str.split, tree.xpath("//@class")))
        for formula in tree.find_class("katex-html"):
            formulas.update(formula.text_content())
            formula.drop_tree()
        text.update(tree.text_content(), *tree.xpath("//@data-again"))
    return text, expect(formulas, "fonts", "a formula that KaTeX has set"), classes


def first_letters(app, path, tree):
    """A small font of the Chinese letters that a page begins with, and the rule that asks for it:
    its first screen stands at once where the reader has no Chinese font."""
    if not spoken().tag.startswith("zh"):
        return ""
    static, kept = Path(app.outdir, "_static"), model.kept(app) / "fonts"
    shown = "".join(tree.xpath("//header//text()") + tree.xpath(SHOWN))
    font = static / "fonts" / f"noto-sans-sc-first-{path.stem}.woff2"
    shutil.copyfile(cut_once(unpacked(static, kept), {*HANZI.findall(shown)[:FIRST]}, kept), font)
    script = static / "blank.js"
    script.write_text(BLANK % blank(), encoding="utf-8")
    address = f"{os.path.relpath(script, path.parent)}?v={model.stamp(script)}"
    tree.find("head").find("link[@rel='stylesheet']").addprevious(E.script(src=address))
    rule = RULE.search((static / "site.css").read_text(encoding="utf-8"))
    address = f"{os.path.relpath(font, path.parent)}?v={model.stamp(font)}"
    return f'@font-face{{font-family:"First letters"{rule[1]}url({address}){rule[2]}}}\n'


@cache
def blank():
    """A font of 200 bytes whose every hanzi is blank and one em wide: where letters are still to
    come, no line moves when they do."""
    made = FontBuilder(1000)
    made.setupGlyphOrder([".notdef", "blank"])
    pen = TTGlyphPen(None)  # a table without any shape is refused: this one has no area
    pen.moveTo((0, 0)), pen.lineTo((0, 1)), pen.closePath()
    made.setupGlyf({".notdef": pen.glyph(), "blank": Glyph()})
    made.setupHorizontalMetrics({".notdef": (1000, 0), "blank": (1000, 0)})
    made.setupHorizontalHeader(ascent=1160, descent=-288)  # Noto's
    made.setupCharacterMap({})
    many = CmapSubtable.newSubtable(13)  # many characters, one glyph
    many.platformID, many.platEncID, many.language = 3, 10, 0
    signs = (*range(0x3000, 0xA000), *range(0xFF00, 0xFFF0))
    many.cmap = dict.fromkeys(signs, "blank")
    made.font["cmap"].tables = [many]
    made.setupNameTable({})
    made.setupOS2()
    made.setupPost(keepGlyphNames=False)
    made.updateHead(created=0, modified=0)
    made.font.recalcTimestamp, made.font.flavor = False, "woff2"
    made.font.save(file := io.BytesIO())
    return base64.b64encode(file.getvalue()).decode()


@cache
def unpacked(static, kept):
    """The font of all Chinese letters as a file that is read fast, once for each page."""
    path = next((static / "fonts").glob("noto-sans-sc-chinese*.woff2"))
    font = TTFont(path, recalcTimestamp=False)
    font.flavor = None
    font.save(file := kept / f"{model.stamp(path)}.ttf")
    return file


def others_say():
    """What the words of other editions need of the same fonts: quotation marks and the like."""
    texts = (path.read_text(encoding="utf-8") for path in LOCALE.glob("*/*.po"))
    quotes = (smartchars.quotes.get(one.tag.lower(), "") for one in editions())
    # The theme speaks languages of its own, in letters that a begun catalog does not have yet.
    letters = "".join(map(chr, range(0xA0, 0x180))) if len(editions()) > 2 else ""
    return {sign for text in (*texts, *quotes, letters) for sign in text if sign < "\u3000"}


def cut_once(path, used, kept):
    """The file of a cut font in the folder `kept`, from an earlier build if nothing changed."""
    font = TTFont(path, recalcTimestamp=False)
    used = sorted(used & set(map(chr, font.getBestCmap())))
    made_of = path.read_bytes() + "".join(used).encode() + Path(__file__).read_bytes()
    file = kept / f"{hashlib.sha256(made_of).hexdigest()}.woff2"
    if not file.exists():
        cut(font, used)
        font.save(new := file.with_suffix(f".{os.getpid()}"))
        new.rename(file)  # whole, where another edition looks for it
    return file


def cut(font, used):
    """Leave a font the glyphs of some characters alone, as WOFF2."""
    cutter = subset.Subsetter(subset.Options(layout_features=FEATURES))
    cutter.populate(text="".join(used))
    cutter.subset(font)
    font.flavor = "woff2"
