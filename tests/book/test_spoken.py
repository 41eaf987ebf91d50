"""What scripts say: all of it is marked, and every language has its own bundles with its words."""

import functools
import json

import pytest
from made_scripts import ROOT, node

from kernelfree.book import scripts_in
from kernelfree.script import script_in
from tools.translation.site import of_scripts

# What a string that looks like words is used for, where no reader sees it.
UNSAID = {
    "selectors of elements": [
        *("around 1", "closest 0", "first 0", "matches 0", "querySelector 0", "querySelectorAll 0"),
        *("select 0", "ALONE =", "BY_HAND =", "FIGURE =", "HEADING =", "LEFT_OUT =", "PICTURE ="),
        *("SHOWN =", "TRAP =", "keeps =", "lines =", "own =", "typed ="),
    ],
    "classes and styles": [
        *("background =", "block 0", "color =", "fill:", "fonts =", "setAttribute 1"),
        *("shape-rendering:", "matchMedia 0", "FontFace 0", "font:", "outline:"),
        *("className =", "padding:", "background:", "translate ="),
        "&.cm-focused .cm-matchingBracket:",
    ],
    "names that the browser has": [
        *("==", "addEventListener 0", "defineProperty 1", "getOwnPropertyDescriptor 1"),
        *("normalize 0", "pen =", "RegExp 0", "node 0", "lengthAdjust:", "setAttribute 0"),
    ],
    "errors that scripts tell each other": ["RangeError 0", "SyntaxError 0", "TypeError 0"],
    "numbers as Python writes them, and names in a model": [*("-Infinity:", "replace 0", "fill 0", "of 0", "real =")],
    "code and text that stays as it is in every language": ["EXAMPLE =", "LISTENER =", "subject:"],
}
# The same where nothing says what it is used for.
UNUSED = {"(prefers-color-scheme: dark)", "(forced-colors: active)", "[UNK]", "[CLS]", "[SEP]"}
UNUSED |= {"attentionLine", "Ctrl-Enter", "Cmd-Enter", "Python"}


@functools.cache
def marked():
    return [message for message, _ in of_scripts()]


def test_all_that_readers_see_or_hear_is_marked():
    uses = {use for some in UNSAID.values() for use in some}
    unmarked = json.loads(node("node", "tests/book/unmarked.mjs"))
    found = [one for one in unmarked if not one[2].endswith("weights.js")]
    assert [one for one in found if one[1] not in uses and one[0] not in UNUSED] == []
    left = uses - {use for _, use, *_ in found}
    assert not left, "no exception without a case"


def test_messages_are_whole_and_say_where_they_stand():
    assert {"Play", "Not yet: {0}", "Step {0} of {1}"} < set(marked())
    where = dict(of_scripts())
    path, line = where["Show of hands"].split(":")
    assert "say`Show of hands`" in (ROOT / path).read_text("utf-8").splitlines()[int(line) - 1]


@pytest.mark.parametrize("kind", ["static", "live", "trace"])
def test_a_script_is_that_of_the_language(kind):
    folder = ROOT / "kernelfree" / "static"
    for language, place in ((None, folder), ("zh", folder / "zh"), ("xx", folder)):
        text = (place / f"{kind}.packed.js").read_text("utf-8").rstrip("\n")
        assert scripts_in(language, kind, ".packed.js") == text
        assert script_in(language, f"{kind}.packed.js") == text
    assert script_in("zh", "work.js") == script_in(None, "work.js")


CATALOG = r"""
msgid "Step {0} of {1}"
msgstr ""
"{1} \"`$"
"{0}"

#, fuzzy
msgid "one"
msgstr "eins"

msgid "two"
msgstr ""

#~ msgid "three"
#~ msgstr "drei"

msgctxt "score"
msgid "four"
msgstr "vier"

msgid "five"
msgstr "fünf"
"""


def spoken(source, catalog):
    code = f"""
        import {{ catalogOf, spoken }} from "./tools/translation/scripts.mjs";
        console.log(spoken({json.dumps(source)}, catalogOf({json.dumps(catalog)})));
    """
    return node("node", "--input-type=module", "-e", code).strip()


def test_words_are_put_in_where_they_are_translated_and_up_to_date():
    step = "say`Step ${a + 1} of ${say`five`}`"
    source = f"a(say`one`, say`two`, say`three`, say`four`, say`five`, {step})"
    made = 'a(`one`, `two`, `three`, `four`, `fünf`, `${`fünf`} "\\`$${a + 1}`)'
    assert spoken(source, CATALOG) == made
    assert spoken(source, "").replace("`", "") == source.replace("say`", "").replace("`", "")


def test_a_translation_with_a_field_too_many_is_refused():
    with pytest.raises(AssertionError, match=r'"five": its translation has a field \{0\}'):
        spoken("say`five`", CATALOG.replace("fünf", "{0}"))
