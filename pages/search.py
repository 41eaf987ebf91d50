"""A search for a language that has no blanks: it keeps each sign, and each pair of neighbours.

Sphinx's own for Chinese cuts what it keeps into words, with a dictionary, and what is asked not at
all.
"""

import re
from itertools import pairwise

from sphinx.search.en import SearchEnglish

# Signs that stand for a word or a part of one: Chinese.
SIGNS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
PARTS = re.compile(rf"[{SIGNS}]+|[^\W{SIGNS}]+")
SPLIT = r"""
var splitQuery = (query) =>
  (query.match(/[SIGNS]+|(?:(?![SIGNS])[\p{L}\p{N}_])+/gu) ?? []).flatMap((part) =>
    /^[SIGNS]./.test(part) ? [...part.slice(1)].map((sign, at) => part[at] + sign) : [part]);
"""


class Pairs(SearchEnglish):
    """English words as ever; of the signs between them, each and each pair."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = SPLIT.replace("SIGNS", SIGNS)

    def split(self, text):
        return [word for part in PARTS.findall(text) for word in words(part)]


def words(part):
    """What a part of a text is found by."""
    signs = re.match(f"[{SIGNS}]", part)
    return [*part, *map("".join, pairwise(part))] if signs else [part]


def add(app, edition):
    """Use it where the edition's language asks for it."""
    if edition.tag.startswith(Pairs.lang):
        app.add_search_language(Pairs)
