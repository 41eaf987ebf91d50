"""The book's fonts: cut to the characters that the pages show, and again only when those change."""

from pathlib import Path

from fontTools.ttLib import TTFont

from pages import fonts as book_fonts

ROOT = Path(__file__).resolve().parents[2]
FONT = ROOT / "assets" / "fonts" / "source-serif-4-latin-400-normal.woff2"


def shown(file):
    return {chr(code) for code in TTFont(file).getBestCmap()}


def test_a_cut_font_has_the_characters_that_are_used_and_no_others(tmp_path):
    assert len(shown(FONT)) > 100
    cut = book_fonts.cut_once(FONT, set("aβé\u2318"), tmp_path)  # the font has neither β nor ⌘
    assert shown(cut) == set("aé")
    assert cut.stat().st_size < FONT.stat().st_size / 5
