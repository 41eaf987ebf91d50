"""Words that change with the state, the sentence under a figure, and what a prediction asks."""

import itertools
import json
import re

import numpy as np
import pytest
import torch

from d2lmini import Curve, Heatmap, Points, Prediction, explore
from kernelfree import texts

SENTENCES = {"cat": ["the", "cat", "sat"], "dog": ["a", "big", "dog"]}


def told(which, length):
    """Two panels whose words depend on the menu, and a sentence with numbers."""
    weights = torch.softmax(torch.arange(9.0).reshape(3, 3) * length / 10, -1)
    names = SENTENCES[which]
    return {
        f"the {which}": Heatmap(weights, xticks=names, yticks=names),
        "line": Curve([0, 1], {f"{which} line": [0, length], "flat": [1, 1]}, {which: (0, 1)}),
        "says": f"{which.title()}: word {length} of 3 has weight {weights[0, length - 1]:.3f}.",
    }


def figure(**options):
    return explore(told, which=list(SENTENCES), length=range(1, 4), **options)


def states(made):
    """Each state's values, and its panels and sentence as the page looks them up."""
    for which, length in itertools.product(SENTENCES, range(1, 4)):
        made.value = {"which": which, "length": length}
        yield (which, length), made._now()[:2]


def test_each_state_has_its_words():
    for (which, length), (panels, says) in states(figure()):
        heat, line = panels
        assert heat["name"] == f"the {which}"
        assert heat["columnNames"] == heat["rowNames"] == SENTENCES[which]
        assert [text for _, text in heat["x"]] == SENTENCES[which]
        assert line["rowNames"] == [f"{which} line", "flat"]
        assert line["names"] == [[], [which]]
        assert says == told(which, length)["says"]


def test_words_are_stored_once_for_the_controls_that_they_depend_on():
    made = figure()
    panel = made._state["panels"][0]
    assert {"name", "x", "y", "rowNames", "columnNames"} == set(panel["texts"])
    # Bit 0 is the menu: two names, whatever the slider.
    assert panel["texts"]["name"] == ["1:,1", ["the cat", "the dog"]]
    assert "xlabel" in panel
    assert json.dumps(made._state).count('"sat"') == 4
    pieces, place, three, weight = made._state["says"]
    words = [[f"{name}: word ", " of ", " has weight ", "."] for name in ("Cat", "Dog")]
    assert pieces == ["1:,1", words]
    assert place == ["2:,1,2", ["1", "2", "3"]]
    assert three == ["0:", ["3"]]
    assert weight[0].startswith("2:")


@pytest.mark.parametrize("seed", range(20))
def test_any_sentences_come_back_as_they_were(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 3).tolist()
    bits = ["", "a", "1", "-2.5", "1,024", ".5", "5.", "0x1f", "²", "注意 3", "\u2028", "</p>", "%"]
    given = [" ".join(rng.choice(bits, rng.integers(0, 5))) for _ in range(int(np.prod(sizes)))]
    stored = json.loads(json.dumps(texts.sentences(given, sizes)))
    for text, places in zip(given, itertools.product(*map(range, sizes)), strict=True):
        assert texts.sentence(stored, sizes, places) == text


def test_a_sentence_of_441_states_is_small():
    def says(x, y):
        return {"": [[x * y]], "says": f"At ({x:.1f}, {y:.1f}) the score is {x * y + 0.003:.2f}."}

    steps = [round(s / 10, 1) for s in range(-10, 11)]
    made = explore(says, x=steps, y=steps)
    assert len(json.dumps(made._state["says"])) < 3500
    made.value = {"x": -0.3, "y": 0.7}
    assert repr(made).endswith("\n  At (-0.3, 0.7) the score is -0.21.")


def test_the_sentence_stands_in_the_html_for_those_who_run_no_scripts():
    made = explore(lambda a: {"w": [[a]], "says": f"<b>{a} & more"}, a=[1, 2])
    assert "\n<p>&lt;b&gt;1 &amp; more</p>\n" in made._repr_mimebundle_()[0]["text/html"]
    quiet = explore(lambda a: [[a]], a=[1, 2])
    assert "<p>" not in quiet._repr_mimebundle_()[0]["text/html"]
    assert "says" not in quiet._state


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"w": [[1]], "one": "a", "two": "b"}, "a figure says one sentence, got 'a' and 'b'"),
        ({"says": "a"}, r"returned no panels: {'says': 'a'}"),
    ],
)
def test_bad_sentences_are_named(result, message):
    with pytest.raises(ValueError, match=message):
        explore(lambda a: result, a=[1])


def test_a_word_that_comes_twice_is_numbered():
    names = ["the", "cat", "the", ""]
    made = explore(lambda a: Heatmap([[1, 2, 3, 4]], xticks=names), a=[1])
    assert made._state["panels"][0]["columnNames"] == ["the (1)", "cat", "the (3)", ""]


# ---- predictions -------------------------------------------------------------------------------

CHOICES = {"yes": "Because.", "no": "It is not."}


def test_a_prediction_names_its_state_and_the_move_that_it_asks_about():
    ask = Prediction("?" * 201, CHOICES, "yes", at={"which": "dog"}, then={"length": 3.0})
    made = figure(predict=ask)
    assert made.value == {"which": "dog", "length": 1}
    assert made._state["predict"]["then"] == {"length": 3}
    assert "Dog: word 1" in repr(made)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"answer": "c"}, ValueError, "Prediction: answer 'c' is not among the choices"),
        ({"choices": {"yes": "1"}}, TypeError, "Prediction: choices must be a dict of at least"),
        ({"choices": {"yes": "1", "no": "x" * 2001}}, ValueError, "Prediction: .* 2,000 .* 2,001"),
        ({"choices": []}, TypeError, "Prediction: choices must be a dict"),
        ({"at": {"size": 1}}, ValueError, "predict, at: there is no control 'size'"),
        ({"at": {"length": 4}}, ValueError, r"predict, at: control 'length' has no value 4; it"),
        ({"then": {"which": "cow"}}, ValueError, "predict, then: control 'which' has no value"),
        ({"then": ["dog"]}, TypeError, "Prediction: then must be a dict .* got list"),
        (
            {"hide": ["the dog", "side"]},
            ValueError,
            "predict, hide: there is no panel, mark or line 'side'",
        ),
        ({"hide": "line"}, TypeError, "Prediction: hide must be a list of names, got str"),
    ],
)
def test_a_prediction_that_does_not_fit_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        figure(predict=Prediction("?", **{"choices": CHOICES, "answer": "yes", **given}))


def test_a_wrong_move_is_named_before_anything_is_computed():
    called = []

    def slow(a):
        called.append(a)
        return [[a]]

    with pytest.raises(ValueError, match=re.escape("no value 9")):
        explore(slow, a=[1], predict=Prediction("?", CHOICES, "no", at={"a": 9}))
    assert called == []


# ---- room --------------------------------------------------------------------------------------


def test_wide_letters_take_the_room_of_two():
    text = "键和查询相乘 and then 除以根号"
    for most in (4, 7, 8, 9, 12, 40):
        lines = texts.filled(text, most)
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert all(line == line.lstrip() for line in lines)
        assert all(texts.letters(line) <= most for line in lines)
        for line, after in itertools.pairwise(lines):  # none begins too early
            first = after.split()[0] if after[0].isascii() else after[0]
            assert texts.letters(line) + 1 + texts.letters(first) > most
        short = texts.cut(text, most)
        assert most - 2 < texts.letters(short) <= most or short == text
        assert text.startswith(short.removesuffix("\u2026"))


def test_what_is_just_allowed_is_allowed():
    texts.check_text("the title", "a" * 5, 5)
    with pytest.raises(ValueError, match="the title"):
        texts.check_text("the title", "a" * 6, 5)
    explore(lambda n: [[1.0]], n=[0, 2**53])
    with pytest.raises(ValueError, match="9,007,199,254,740,993"):
        explore(lambda n: [[1.0]], n=[0, 2**53 + 1])


def test_a_long_list_is_shortened_and_a_run_of_numbers_counted():
    assert texts.shortened(list(range(8))) == "[0, 1, 2, 3, 4, 5, 6, 7]"
    assert texts.shortened(list(range(9))) == "[0, 1, 2, ... 8] (9 in all)"
    assert texts.encode([7, 7, 7]) == "7~3"
    assert texts.encode([7, 7]) == "7,7"
    assert texts.encode([1296] * 4) == "100~4"


# ---- what is hidden until the answer -----------------------------------------------------------


def asked(**options):
    """What of a figure with three panels is hidden: place of a panel -> keys of its marks."""

    def shown(n=1):
        curve = Curve([0, 1], {"up": [0, n], "down": [n, 0]}, {"up": (1, n)}, marks=marks)
        return {"Line": curve, f"Weights of {n}": Heatmap([[n]]), "": [[n]]}

    marks = {"dot": Points([0, 0]), "key": Points([1, 1])}
    question = Prediction("?", CHOICES, "yes", **options)
    return explore(shown, n=range(1, 3), predict=question)._state["predict"]["hide"]


def test_what_is_hidden_is_named():
    assert asked() == {"0": [], "1": [], "2": []}
    assert asked(then={"n": 2}) == {}
    assert asked(hide=[]) == {}
    assert asked(hide=["up"]) == {"0": ["l:0", "p"]}
    assert asked(hide=["up", "key", ""]) == {"0": ["1", "l:0", "p"], "2": []}
    # A panel's name in any state.
    assert asked(then={"n": 2}, hide=["Weights of 2"]) == {"1": []}
