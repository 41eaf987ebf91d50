"""What comes back in the review with other words, other numbers or its figure."""

import json
import math
import re

import pytest
import torch
from lxml import html
from sphinx.errors import ExtensionError

import chapters
from pages import review
from tools.metadata import EXERCISE

ln, exp = math.log, math.exp


def softmax(*scores):
    return torch.softmax(torch.tensor(scores, dtype=torch.float64), 0)


def tensor(*rows):
    return torch.tensor(rows, dtype=torch.float64)


def strongest_pull(others):
    scores = torch.linspace(0, 3, 3_000_001, dtype=torch.float64)
    weight = scores.exp() / (scores.exp() + others)
    return scores[(weight * (1 - weight)).argmax()].item()


def derivatives(values, weights, wanted):
    scores = tensor(*weights).log().requires_grad_()
    loss = (torch.softmax(scores, 0) @ tensor(*values) - wanted) ** 2 / 2
    return torch.autograd.grad(loss, scores)[0]


def turned(vector, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tensor([c, -s], [s, c]) @ tensor(*vector)


def three_digits(prices):
    total = 0
    for price in prices:
        total = float(f"{total + price:.3g}")
    return total


values, prices = tensor([3, 1], [0, 6], [2, 2]), [300, *[0.3] * 4]
# The answers to the variants of exercises, from the numbers that these name.
ANSWERS = {
    "01": {
        "c9616c": softmax(ln(3), 0, 0) @ tensor(10, 20, 30),
        "511db3": softmax(-2, -2, -1, -1)[:2].sum(),
        "b9c1b5": tensor(-3, -1, 0) / -4 @ tensor(20, 50, 30),
        "4ac799": strongest_pull(4),
    },
    "02": {"c9616c": tensor(0.75, 1, 0.75) / 2.5 @ tensor(6, 12, 20), "b885d4": math.sqrt((9 - 1) / 2 / ln(0.8 / 0.2))},
    "03": {
        "c9616c": tensor([1, 1], [0, 4], [3, -1]) @ tensor(2, 1),
        "bf14f7": (tensor(1, 1) @ tensor(-1, 2)) / (tensor(1, 1) @ tensor(3, 0)),
    },
    "04": {"c9616c": [*softmax(0, ln(4)), 0], "ba3415": ln((exp(1) + exp(0) + exp(2)) * 0.02 / 0.98)},
    "05": {
        "c9616c": [tensor([1, 0], [0, 3]) @ tensor(2, 1), tensor([4, 2], [1, -3]) @ tensor(0, -1)],
        "724ce1": [4 * 7**2, 2 * 3**2 + 2 * 7**2],
    },
    "06": {
        "c66bec": softmax(4 * ln(4) / math.sqrt(16), 0),
        "43c9c8": 5 * 2**2 * 3**2,
        "b487f9": next(n for n in range(1, 999) if (0.6 - 0.4) * n >= 3 * math.sqrt(n) - 1e-9),
        "538355": 1 / math.sqrt(64) ** 2,
    },
    "07": {"c9616c": tensor(10, 4) @ torch.tanh(tensor(3, 1) * ln(2) + tensor(-2, -1) * ln(2))},
    "08": {
        "c9616c": tensor(2, 1) @ tensor([1, 0], [3, 1]) @ tensor(1, 1),
        "87a526": max(h for h in range(1, 100) if h * (30 + 20) < 30 * 20),
    },
    "09": {"911bd0": [0, *softmax(ln(2), 0, 0)]},
    "10": {"6b066f": [values.sum(1).max(), values.max(0).values.sum()]},
    "11": {"98e2fe": derivatives([2, 6, 10], [1 / 4, 1 / 2, 1 / 4], 8)},
    "12": {"c9ac6d": torch.layer_norm(tensor(3, 23, 3, 23), (4,), eps=0)},
    "14": {"c9616c": (4 + 2 + 8) / 8},
    "15": {"c9616c": [*map(three_digits, (prices, prices[::-1]))]},
    "16": {
        "c16-by-hand": turned([2, 0], 2 * 30) @ turned([0, 1], 3 * 30),
        "c16-endless": softmax(*(-distance / 4 for distance in range(1000)))[0],
    },
    "17": {
        "e17n01": [0.9 * 4 / math.sqrt(4), tensor(1, 1, 1, 1) @ tensor(1, 2, 2, 4) / 2 / 5],
        "e17n02": 2 / ln(100 * 0.5 / 0.5),
        "e17n03": 10 / math.atanh(math.sqrt(1 - 0.64)),
        "e17n04": 4 + ln(1023 / 7),
        "e17n05": (2.0 + 1.5 - 1) / 2,
    },
    "18": {
        "e18n01": 50 * math.tanh(800 / math.sqrt(256) / 50),
        "e18n03": softmax(3 + 1, 1 + 1)[0],
        "e18n05": softmax(16 / 8, 16 / 8, 16 / 8, 2)[0],
    },
}


def flat(answer):
    if isinstance(answer, torch.Tensor):
        answer = answer.tolist()
    return [one for part in answer for one in flat(part)] if isinstance(answer, list) else [answer]


@pytest.mark.parametrize("page", chapters.numbered(), ids=lambda page: page.stem)
def test_other_numbers_have_the_answers_that_python_gives_them(page):
    exercises = [cell.metadata.get(EXERCISE, {}) for cell in chapters.read(page).cells]
    variants = {one["id"]: one["again"] for one in exercises if "again" in one}
    wanted = ANSWERS.get(page.stem[:2], {})
    assert set(variants) == set(wanted)
    tree = chapters.built(page.stem)
    boxes = {
        box.get("data-answer").rpartition("/")[2]: json.loads(box.find(".//script").text)
        for box in tree.xpath("//*[@class='exercise'][.//*[@class='d2lmini-answer']]")
    }
    if page in chapters.numbered()[:6]:
        for box in tree.find_class("question"):
            assert len(box.get("data-again")) > 20
            assert box.get("data-again") not in box[0].text_content()
    for id, [(asked, expected)] in variants.items():
        assert flat(expected) == pytest.approx(flat(wanted[id]), rel=1e-6, abs=1e-9), asked
        first = boxes[id]
        assert len(flat(expected)) == len(flat(first["expected"]))
        assert flat(expected) != pytest.approx(flat(first["expected"]), rel=2 * first["tolerance"])


def test_every_question_and_box_comes_back_and_only_where_a_script_says_so():
    review = chapters.built("review").find_class("all-prompts")[0]
    gathered = {box.get("data-answer"): box for box in review.xpath(".//*[@class='question' or @class='exercise']")}
    asked = {}
    for page in chapters.numbered():
        for box in chapters.built(page.stem).xpath("//*[@class='question' or @class='exercise']"):
            runs = box.xpath(".//div[@class='cell']/following-sibling::*[1][@class='in-colab']")
            if "question" in box.classes or box.find_class("d2lmini-answer") or runs:
                asked[box.get("data-answer")] = box
    assert list(gathered) == list(asked)
    assert len(asked) > 100
    for id, box in gathered.items():
        assert box.get("hidden") is not None
        assert box.get("data-again") == asked[id].get("data-again")
        assert len(box.find_class("d2lmini-answer")) == len(asked[id].find_class("d2lmini-answer"))
        assert not box.find_class("tag_solution")
        assert not re.match(r"\d", box.xpath("string(p[1])"))


def test_a_prompt_that_leans_on_a_figure_comes_with_it():
    review = chapters.built("review")
    seen = []
    for box in review.xpath("//*[@data-figure]"):
        name, _, query = box.get("data-figure").partition("?")
        before = box.getprevious()
        link = box.find_class("again")[0].find("a").get("href")
        assert link.partition("#")[2].startswith(name)
        assert before.find(".//img").get("loading") == "lazy"
        if before.tag == "figure":
            assert before.find(".//a").get("href") == link
            seen.append("picture")
            continue
        assert before.get("id") == name
        state = json.loads(before.find("script").text)
        assert "predict" not in state
        said = {key: str(value).lower().removesuffix(".0") for key, value in state["start"].items()}
        named = dict(part.split("=") for part in query.split("&") if part)
        assert said.items() >= named.items()
        seen.append(name)
    assert 1 <= seen.count("picture") < len(seen) - 4
    assert len(seen) >= 15


FIGURE = """<div><div class="kernelfree-figure" id="figure-a"><figure><p>Why?</p>
<details><summary>It</summary><img height="90" src="a.png"><p>Says.</p></details></figure>
<script>{"controls": [{"name": "d", "options": [1.0, 2.0]},
{"name": "on", "options": [false, true]}, {"name": "word", "options": ["a b"]}],
"start": {"d": 1.0, "on": false, "word": ""},
"predict": {}}</script></div><details class="prompt"><summary>?</summary></details></div>"""


def leaning(place):
    tree = html.fragment_fromstring(FIGURE)
    box = tree.find_class("prompt")[0]
    box.set("data-figure", place)
    return review.with_figure(tree, box, "chapters/one")


def test_a_prompt_names_a_state_of_its_figure():
    figure, prompt = leaning("figure-a?d=2&on=true&word=a b")
    state = json.loads(figure.find("script").text)
    assert state["start"] == {"d": 2.0, "on": True, "word": "a b"}
    assert "Why?" not in figure.text_content()
    link = prompt.find_class("again")[0].find("a").get("href")
    assert link == "one.html#figure-a?d=2&on=true&word=a%20b"


@pytest.mark.parametrize("place", ["figure-b", "figure-a?d=3", "figure-a?e=1", "figure-a?on=True"])
def test_a_prompt_that_names_nothing_stops_the_build(place):
    with pytest.raises(ExtensionError, match=r"chapters/one.*is not there"):
        leaning(place)
