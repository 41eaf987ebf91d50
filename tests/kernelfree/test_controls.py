"""Controls: what an author may write for one, and what is refused."""

import copy
import pickle
from fractions import Fraction

import ipywidgets
import numpy as np
import pytest
from pandas_like import Series

import kernelfree as kf
from kernelfree import Number, Prediction, explore


def ones(**values):
    return [[1.0]]


TENTHS = np.linspace(0, 1, 11)


@pytest.mark.parametrize("values", [TENTHS, TENTHS.astype(np.float32), list(TENTHS), [i * 0.1 for i in range(11)]])
def test_floats_are_what_they_look_like(values):
    called = []

    def scale(a=0.3):
        called.append(a)
        return [[a]]

    made = explore(scale, a=values)
    tenths = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert made._state["controls"][0]["options"] == called == tenths
    assert made.value == {"a": 0.3}
    for near in (0.7, 0.7000000000000001, 7 * 0.1, np.float32(0.7), np.array(0.7)):
        made.value = {"a": 0}
        made.value = {"a": near}
        assert made.value == {"a": 0.7}
    told = "\n  11 states\n  number: heatmap 1 x 1, min 0, max 1, mean 0.5\n  now: a=0.7"
    assert repr(made).endswith(f"slider, 11 values, 0.0 to 1.0{told}")
    with pytest.raises(ValueError, match=r"control 'a' has no value 0\.701"):
        made.value = {"a": 0.701}


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (np.arange(-1, 1.05, 0.1), [n / 10 for n in range(-10, 11)]),
        ([1e-12, 1e-6, 1.0, 1e12], [1e-12, 1e-6, 1.0, 1e12]),
        ([np.pi, 1e20], [3.14159265359, 1e20]),
        (np.logspace(-3, 3, 7), [0.001, 0.01, 0.1, 1, 10, 100, 1000]),
        # More digits than float32 promises.
        (np.array([16777213.0, 16777214.0], np.float32), [16777213.0, 16777214.0]),
        ([3], [3]),
        (range(3), [0, 1, 2]),
        ((0, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ([0, 10], [0, 10]),
        ((1, 2, 4, 8), [1, 2, 4, 8]),
        ((4,), [4]),
        (("x", "y"), ["x", "y"]),
        (Series([0, 1, 2]), [3.0, 1.0, 2.0]),
    ],
)
def test_values_keep_their_digits_and_lists_are_what_they_hold(given, options):
    assert explore(ones, a=given)._state["controls"][0]["options"] == options


WHOLE = [(0, 10), (0, 9), (-4, 4), (5, 5), (np.int64(1), np.int64(3)), (0, 10, 2), (0, 10, 3)]
PARTS = [(0.0, 1.0), (0, 1.0), (0.0, 1.0, 0.25), (0.0, 10.0, 3)]


@pytest.mark.parametrize("given", [*WHOLE, (0, 7, 5), *PARTS])
def test_tuples_mean_what_they_mean_to_interact(given):
    def free(a):
        return [[a]]

    made = explore(free, a=given)
    options = made._state["controls"][0]["options"]
    theirs = ipywidgets.interactive(lambda a: a, a=given).children[0]
    count = int((theirs.max - theirs.min) / theirs.step + 1e-9) + 1
    np.testing.assert_allclose(options, [theirs.min + i * theirs.step for i in range(count)])
    assert made.value["a"] == pytest.approx(theirs.value)
    assert {type(o) for o in options} == {type(theirs.min)}

    def fixed(a=options[-1]):
        return [[a]]

    assert explore(fixed, a=given).value == {"a": options[-1]}


PAIRS = [("one", 10), ("two", 20)]


@pytest.mark.parametrize(
    ("given", "kind", "values"),
    [
        (3, "slider", range(-3, 10)),
        (-1, "slider", range(-3, 2)),
        (0, "slider", [0, 1]),
        (0.5, "slider", np.linspace(-0.5, 1.5, 21)),
        (0.33, "slider", np.linspace(-0.33, 0.99, 41)),
        (PAIRS, "menu", [10, 20]),
        (dict(PAIRS), "menu", [10, 20]),
        (ipywidgets.IntSlider(7, 1, 9, 2, description="Odd"), "slider", [1, 3, 5, 7, 9]),
        (ipywidgets.FloatSlider(0.5, min=0, max=1, step=0.25), "slider", [0, 0.25, 0.5, 0.75, 1]),
        (ipywidgets.BoundedIntText(2, min=1, max=3), "slider", [1, 2, 3]),
        (ipywidgets.BoundedFloatText(0.3, min=0, max=0.5), "slider", np.linspace(0, 0.5, 6)),
        (ipywidgets.FloatLogSlider(8.0, base=2, min=0, max=4, step=1), "slider", [1, 2, 4, 8, 16]),
        (ipywidgets.SelectionSlider(options=[1, 2, 5], value=5), "slider", [1, 2, 5]),
        (ipywidgets.SelectionSlider(options=PAIRS, value=20), "slider", [10, 20]),
        (ipywidgets.SelectionSlider(options=["a", "b"], value="b"), "slider", ["a", "b"]),
        (ipywidgets.Dropdown(options=[1, 2, 5], value=2), "menu", [1, 2, 5]),
        (ipywidgets.Dropdown(options=dict(PAIRS), value=20), "menu", [10, 20]),
        (ipywidgets.Select(options=["a", "b"], value="b"), "menu", ["a", "b"]),
        (ipywidgets.RadioButtons(options=PAIRS), "menu", [10, 20]),
        (ipywidgets.ToggleButtons(options=PAIRS, value=20, description="How"), "menu", [10, 20]),
        (ipywidgets.Checkbox(True, description="On"), "switch", [False, True]),
        (ipywidgets.ToggleButton(), "switch", [False, True]),
    ],
)
def test_what_interact_takes_means_the_same(given, kind, values):
    seen = []

    def function(a):
        return [[seen.append(a) or 1]]

    made = explore(function, a=given)
    theirs = ipywidgets.interactive(lambda a: a, a=given).children[0]
    assert made.value == {"a": theirs.value}
    assert seen == (values if isinstance(values[0], str) else pytest.approx(list(values)))
    control = made._state["controls"][0]
    assert (control["kind"], control["label"]) == (kind, theirs.description)
    assert explore(function, a=given, labels={"a": "A"})._state["controls"][0]["label"] == "A"


def test_what_is_fixed_is_no_control():
    made = explore(lambda a, b, c=3: Number(a + b + c), a=[1, 2], b=ipywidgets.fixed(20))
    assert made.value == {"a": 1}
    assert "number: number, 24 to 25" in repr(made)
    assert made.function(1, 2).value == 6
    with pytest.raises(ValueError, match="no controls"):
        explore(lambda b: [[b]], b=ipywidgets.fixed(20))
    with pytest.raises(ValueError, match="labels: there is no control 'b'"):
        explore(lambda a, b: [[b]], a=[1], b=ipywidgets.fixed(20), labels={"b": "B"})


def test_a_named_value_may_be_anything_and_the_page_has_its_name():
    array = np.ones(2)
    choices = {"square": np.square, "none": None, "pair": (1, 2), "many": array, "pairs": "many"}
    seen = []

    def function(a="many"):
        return [[seen.append(a) or len(seen)]]

    asks = Prediction("Which?", {"a": "A.", "b": "B."}, "a", at={"a": (1, 2)}, then={"a": "none"})
    made = explore(function, a=choices, predict=asks)
    assert [one is other for one, other in zip(seen, choices.values(), strict=True)] == [True] * 5
    assert made._state["controls"][0]["options"] == list(choices)
    assert made._state["predict"]["then"] == {"a": "none"}
    assert made.value == {"a": (1, 2)}
    for value, name in ((None, "none"), ("square", "square"), (array, "many"), ("many", "pairs")):
        made.value = {"a": value}
        assert made.value["a"] is choices[name]
        assert made.get_state("value") == {"value": {"a": name}}
        assert f"now: a={name!r}" in repr(made)
    made.set_state({"value": {"a": "many"}})
    assert made.value["a"] is array
    for again in (copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))):
        assert again(made).value["a"].tolist() == [1, 1]
        assert repr(again(made)) == repr(made)
    other = explore(function, a=choices)
    assert other.value == {"a": "many"}
    ipywidgets.link((made, "value"), (other, "value"))
    assert other.value["a"] is array
    message = r"no value 7; it has \['square', 'none', 'pair', 'many', 'pairs'\]"
    with pytest.raises(ValueError, match=message):
        made.value = {"a": 7}
    with pytest.raises(ValueError, match="the function's default 'many' is not one of its values"):
        explore(function, a={"one": 1})


def test_named_values_have_addresses_of_their_own():
    made = explore(lambda a: [[a]], a=dict(PAIRS), address={"a": ["x", "y"]})
    assert made.value == {"a": 10}
    made.set_state({"value": {"a": "y"}})
    assert made.value == {"a": 20}
    assert made.get_state("value") == {"value": {"a": "y"}}


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (range(1, 1), ValueError, r" has no values: range\(1, 1\)"),
        (None, TypeError, ": expected a range, .* got NoneType"),
        ("abc", TypeError, r": a text box .* got 'abc'; .* length=\['abc', 'another'\]"),
        ([np.ones(2)], TypeError, ": values must be all .*; give other values names, such as {"),
        ([("a", 1), ("a", 2)], ValueError, " has the value 'a' twice"),
        (ipywidgets.IntSlider(min=-3, max=9, step=2), ValueError, r" has no value 0; it has \[-3"),
        (ipywidgets.Text("abc"), TypeError, r": expected .* got Text; .* length=\['one', 'two'\]"),
        (ipywidgets.FloatText(), TypeError, r": expected .* got FloatText; .* length=\(0, 10\)"),
        (ipywidgets.Play(), TypeError, r": .* got Play; write length=\(0, 100, 1\), play='length'"),
        (ipywidgets.IntRangeSlider(), TypeError, ": .* got IntRangeSlider; give two controls"),
        (ipywidgets.SelectMultiple(), TypeError, ": .* got SelectMultiple; give a switch for each"),
        (ipywidgets.DatePicker(), TypeError, r": .* got DatePicker; .*{'May Day': datetime"),
        (ipywidgets.ColorPicker(), TypeError, ": .* got ColorPicker; give the values to"),
        ({1, 2}, TypeError, ".* got set; make a list of it"),
        ([1, "a"], TypeError, ": values must be all"),
        ([Fraction(1, 2), 1], TypeError, r": values must be all .* got \[Fraction\(1, 2\), 1\]"),
        ([True, False], TypeError, ": values must be all .* for a switch write True or False al"),
        ([1, 2, 1], ValueError, " has the value 1 twice"),
        ([0.3, 0.1 + 0.2], ValueError, r" has the value 0\.3 twice"),
        ([1.0, float("nan")], ValueError, ": every value"),
        (range(10**6), ValueError, " has 1,000,000 values"),
        (range(10**30, 0, -7), ValueError, " has 142,857,142,857"),
        ((10, 0), ValueError, r": \(10, 0\) means \(low, high\)"),
        ((0, 10, 0), ValueError, ".* the step must be above 0"),
        ((1, 2, 4), ValueError, r".* write a list, \[1, 2, 4\]"),
        ((0.0, float("inf")), ValueError, ": every number must be fin"),
        (np.ones((2, 3)), ValueError, r": expected one row of values, got 2 axes, shape \(2, 3\)"),
        ((n for n in [1]), TypeError, ": expected a range, .* got generator; make a list of it"),
    ],
)
def test_bad_controls_are_named(values, error, message):
    with pytest.raises(error, match=f"control 'length'{message}"):
        explore(ones, length=values)


@pytest.mark.parametrize(
    ("given", "default", "error"),
    [
        ((0.0, 10.0), 0.05, r"\[0.0, 0.1, 0.2, ... 10.0\] \(101 in all\); the nearest is 0.0"),
        ((0.0, 1.0, 0.3), 1.0, r"default 1.0 is not one of its values \[0.0, 0.3, 0.6, 0.9\]$"),
    ],
)
def test_a_control_that_does_not_fit_has_a_way_out(given, default, error):
    with pytest.raises(ValueError, match=error):
        kf.explore(lambda a=default: [[a]], a=given)
