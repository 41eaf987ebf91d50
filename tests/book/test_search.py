"""What people ask finds the chapter that answers, in each language."""

import json

import pytest
from made_scripts import ROOT, node
from serving import HTML

QUESTIONS = json.loads((ROOT / "tests" / "data" / "questions.json").read_text("utf-8"))
PAGES = """
import { readFileSync } from "node:fs";
import { rank } from "./pages/js/search/rank.js";
const [index, questions] = process.argv.slice(1);
let book;
new Function("bookText", readFileSync(index, "utf8"))((text) => { book = text; });
const pages = (question) => rank(book, question).map(({ page }) => book[page][0]);
console.log(JSON.stringify(JSON.parse(questions).map(pages)));
"""


def found(language, *questions):
    index = HTML / language / "searchindex.js"
    script = ["node", "--no-warnings", "--input-type=module", "-e", PAGES, "--"]
    pages = json.loads(node(*script, index, json.dumps(questions)))
    return [list(dict.fromkeys(one)) for one in pages]


@pytest.mark.parametrize("language", QUESTIONS)
def test_the_chapter_that_answers_is_among_the_first_three(language):
    asked = QUESTIONS[language]
    assert len(asked) == 20
    pages = found("" if language == "en" else language, *asked)
    pairs = zip(asked.items(), pages, strict=True)
    missed = [ask for (ask, name), some in pairs if not any(one.startswith(f"chapters/{name}") for one in some[:3])]
    assert len(missed) <= 3, missed


def test_other_widths_find_the_same():
    assert found("zh", "ＫＶ缓存") == found("zh", "KV缓存")
    # What folds and scripts say is no text.
    index = (HTML / "searchindex.js").read_text("utf-8")
    assert "The script of this figure" not in index
    assert "Show the code" not in index
