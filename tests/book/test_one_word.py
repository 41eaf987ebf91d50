"""*One word goes through*: in each chapter the word becomes what loops in Python make of it."""

import math
import re

import pytest

import chapters

X = {"the": (0, 0), "river": (3, 0), "bank": (1, 1), "floods": (2, 0), "pays": (0, 2)}
SENTENCE, COMPANION = ["the", "river", "bank", "floods"], ["the", "bank", "pays"]
ROOT_2 = math.sqrt(2)


def product(q, k):
    return sum(a * b for a, b in zip(q, k, strict=True))


def additive(q, k):
    return sum(4 * math.tanh(a / 2 + b / 2) for a, b in zip(q, k, strict=True))


def pooled(words, score, numbers=(0, 1)):
    powers = [math.exp(score(X["bank"], X[word])) for word in words]
    return [sum(power * X[word][n] for power, word in zip(powers, words, strict=True)) / sum(powers) for n in numbers]


def divided(q, k):
    return product(q, k) / ROOT_2


def cell(number, id):
    page = next(page for page in chapters.numbered() if page.name.startswith(number))
    return next(cell for cell in chapters.read(page).cells if cell.id == id)


BECOMES = {
    "01": lambda: pooled(SENTENCE, product),
    "03": lambda: pooled(SENTENCE, product),
    "04": lambda: pooled([*COMPANION, "the"], product),  # no mask yet; padding is (0, 0), too
    "05": lambda: pooled(SENTENCE, product),
    "06": lambda: pooled(SENTENCE, divided),
    "07": lambda: pooled(SENTENCE, additive),
    "09": lambda: pooled(SENTENCE, divided),
    # Head n has number n of all vectors.
    "10": lambda: [pooled(SENTENCE, lambda q, k, n=n: q[n] * k[n], [n])[0] for n in (0, 1)],
    "16": lambda: pooled(SENTENCE, divided),
}


@pytest.mark.parametrize("number", BECOMES)
def test_the_word_becomes_what_the_formula_makes_of_it(number):
    now = cell(number, "one-word-figure").outputs[0].data["text/plain"]
    became = re.search(r"'bank' was \(1, 1\), and has become \((.*), (.*)\)\.", now)
    assert [float(n) for n in became.groups()] == [round(n, 2) for n in BECOMES[number]()]


def turned(degrees):
    """The divided score after query and key have turned with their places."""

    def score(q, k):
        at = SENTENCE.index("bank") - next(i for i, word in enumerate(SENTENCE) if X[word] == k)
        angle = math.radians(degrees) * at  # a score follows the distance alone
        cos, sin = math.cos(angle), math.sin(angle)
        return divided((q[0] * cos - q[1] * sin, q[0] * sin + q[1] * cos), k)

    return score


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("04", pooled(COMPANION, product)),
        ("05", pooled(COMPANION, product)),
        ("09", pooled(SENTENCE, lambda q, k: divided((q[0], -q[1]), k))),
        ("16", pooled(SENTENCE, turned(30))),
    ],
)
def test_the_text_says_what_other_states_make_of_it(number, said):
    assert "({:.2f}, {:.2f})".format(*said) in cell(number, "one-word-after").source
