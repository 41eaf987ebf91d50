"""What a figure writes is what its function returned, to the digits that it writes."""

import json
import re

import hypothesis
import numpy as np
import pytest
from bundled import PANELS, bundled
from exhaustive import examples
from hypothesis import strategies as st

from d2lmini import Bars, Curve, Grid, Heatmap, Plot, Points, Words, explore
from kernelfree import Heatmap as Plain
from kernelfree import Number
from kernelfree.numerals import NOISE, written

READ = f"""
{PANELS}
import {{ Figure }} from "./figure/figure.js";
/** The tables of all states of a figure with one control, what stands in cells, and the numbers. */
window.read = (state) => {{
  let value = state.start;
  const model = {{ get: () => value, set() {{}}, save_changes() {{}} }};
  const el = document.createElement("div");
  const figure = new Figure({{ ...state, model, el, host: el }});
  const [{{ name, options }}] = state.controls;
  return options.map((option) => {{
    value = {{ [name]: option }};
    figure.draw();
    clearTimeout(figure.waiting);
    return figure.views.map((view) => [
      view.table()[1].map(([, texts]) => texts),
      JSON.stringify(view.data, (_, part) => part !== part ? "nan" : part),
    ]);
  }});
}};
"""
SIZES = st.one_of(
    st.floats(-1e300, 1e300),
    st.integers(-(2**53), 2**53),
    st.builds(lambda digits, power: digits * 10.0**power, st.integers(-9999, 9999), st.integers(-40, 40)),
    st.sampled_from([0, 7, 1e16, 331893745, 9007.5]),
)


def unit_of(text):
    """The value of a written number's last digit."""
    head, _, power = text.partition("e")
    return 10.0 ** (int(power or 0) - len(head.partition(".")[2]))


def check(text, number, lost=0.0):
    if np.isnan(number):
        assert text == "masked"
        return
    text = text.replace("\u2212", "-")
    read = float(text)
    assert abs(read - number) <= 0.5001 * unit_of(text) + abs(number) * 1e-15 + lost, (text, number)
    assert lost > abs(number) or bool(read) == bool(number), (text, number)


def with_sums(rows):
    return [[*row, np.nansum(row)] for row in rows]


# A panel of 2 x 3 numbers, or of some of them, and the table that a page should write of it.
KINDS = {
    "heatmap": (
        lambda rows: Heatmap(rows, masked=rows == 7),
        lambda rows: with_sums(np.where(rows == 7, np.nan, rows)),
    ),
    "large": (lambda rows: Plain(rows, large=True), list),  # sums of what has no role mean nothing
    "bars": (lambda rows: Bars(rows[0]), lambda rows: with_sums(rows[:1])),
    "stacked": (lambda rows: Bars(dict(zip("ab", abs(rows), strict=True))), lambda rows: with_sums(abs(rows))),
    "words": (lambda rows: Words(["a", "b", "c"], rows[0]), lambda rows: with_sums(rows[:1])),
    "curve": (lambda rows: Curve([1, 2, 3], dict(zip("ab", rows, strict=True))), list),
    "log": (lambda rows: Curve([1, 2, 3], {"a": above(rows[0])}, log="y"), lambda rows: [above(rows[0])]),
    "number": (lambda rows: Number(rows[0, 0]), lambda rows: rows[:1, :1]),
    "plot": (
        lambda rows: Plot({"p": Points(rows[:, :2], size=abs(rows[:, 2]))}),
        lambda rows: np.c_[rows[:, :2], abs(rows[:, 2])],
    ),
    "grid": (lambda rows: {"w": rows, "g": Grid("w", "a", border=abs(rows[0, :2]))}, lambda rows: [abs(rows[0, :2])]),
}
# What is lost of a power of ten before it is written.
LOST = {"log": 1.2e-4}


def above(numbers):
    return abs(numbers) + 1e-280


@pytest.mark.parametrize("kind", KINDS)
@examples(8, 200)
@hypothesis.given(given=st.lists(st.lists(SIZES, min_size=6, max_size=6), min_size=2, max_size=2))
@hypothesis.example(given=[[0.0] * 6, [0.0] * 4 + [1.06e36, 9.994e39]])  # a sum that would be 1.00e40 with three digits
def test_what_is_written_is_what_the_function_returned(reading, kind, given):
    make, table = KINDS[kind]
    arrays = [np.array(one, float).reshape(2, 3) for one in given]
    try:
        figure = explore(lambda a: make(arrays[a]), a=range(2))
    except ValueError as refused:
        told = str(refused)
    else:
        told = ""
    if told:
        assert re.search(r"^(the )?panel.*\d", told)
        shown = np.abs([np.array(table(one), float) for one in arrays])
        assert not 1e-289 < np.nanmax(shown) < 1e299
        return
    seen = reading(figure)
    look = figure._state["panels"][-1]
    for state, ((*_, (texts, data)), rows) in enumerate(zip(seen, arrays, strict=True)):
        for line, wanted in zip(texts, table(rows), strict=True):
            for column, (text, number) in enumerate(zip(line, wanted, strict=True)):
                lost = LOST.get(kind, 0.0) * abs(number)
                if column == 3:
                    lost = NOISE * np.nanmax(np.abs(wanted[:3]), initial=0)
                check(text, number, lost)
        figure.value = {"a": state}
        reader = figure._numbers.reader()
        for key, at in look["tables"].items():
            still = reader(at, [state])
            live = np.array(json.loads(data)[key], float)[:, : still.shape[1]]
            np.testing.assert_array_equal(live, still)
        if kind == "number":
            assert texts[0][0] == written(still[0, 0], look["digits"])


@pytest.fixture(scope="module")
def reading(browser):
    context = browser.new_context()
    page = context.new_page()
    page.add_script_tag(content=bundled(READ))
    yield lambda figure: page.evaluate("(state) => read(state)", figure._state)
    context.close()
