"""What a prediction asks, in which state, and what it hides."""

import re

import pytest
from shown import telling

from kernelfree import Curve, Heatmap, Points, Prediction, explore

CHOICES = {"yes": "Because.", "no": "It is not."}


def test_a_prediction_names_its_state_and_the_move_that_it_asks_about():
    ask = Prediction("?" * 201, CHOICES, "yes", at={"which": "dog"}, then={"length": 3.0})
    made = telling(predict=ask)
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
        ({"hide": ["the dog", "side"]}, ValueError, "predict, hide: .* no panel, mark or line 'side'"),
        ({"hide": "line"}, TypeError, "Prediction: hide must be a list of names, got str"),
    ],
)
def test_a_prediction_that_does_not_fit_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        telling(predict=Prediction("?", **{"choices": CHOICES, "answer": "yes", **given}))


def test_a_wrong_move_is_named_before_anything_is_computed():
    called = []

    def slow(a):
        called.append(a)
        return [[a]]

    with pytest.raises(ValueError, match=re.escape("no value 9")):
        explore(slow, a=[1], predict=Prediction("?", CHOICES, "no", at={"a": 9}))
    assert called == []


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
