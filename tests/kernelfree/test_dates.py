"""Dates and times of day on an axis."""

from datetime import datetime, time

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from pandas_like import Series
from shown import panel_of

import kernelfree as kf
import kernelfree.book
from kernelfree import dates

DATES = np.array(["2023-12-31", "2024-02-29", "2024-03-01"], "datetime64[D]")
MIDNIGHTS = [datetime.combine(day, time()) for day in DATES.tolist()]


@pytest.mark.parametrize("days", [DATES, DATES.astype("datetime64[ns]"), list(DATES), DATES.tolist(), MIDNIGHTS])
def test_dates_are_an_axis_of_days(days):
    heights = [3.0, 1.0, 2.0]
    lines = kf.Curve(days, {"y": heights}, points={"now": (days[1], 1.0)})
    marks = {
        "points": kf.Points([(day, 1.0) for day in days]),
        "line": kf.Lines([(day, 1.0) for day in days]),
        "area": kf.Area(days, heights),
        "counts": kf.Histogram(days, days),
        "rule": kf.Rules(x=days[1]),
        "level": kf.Rules(y=2.0),
        "band": kf.Bands(x=(days[0], days[1])),
    }
    for given in (Series(days), lines, kf.Plot(marks, xlim=(days[0], days[2]))):
        made = kf.explore(lambda t, given=given: given, t=[1])
        [panel] = made._state["panels"]
        assert panel["dates"] is True
        assert panel["xaxis"] == (19722.0, 19783.0)
        ticks = ["2024-01-01", "2024-01-15", "2024-01-29", "2024-02-12", "2024-02-26"]
        assert panel["x"] == [[round((1 + 14 * i) / 61, 4), day] for i, day in enumerate(ticks)]
        assert made._picture()[0].startswith(b"\x89PNG")
        names = panel.get("columnNames", ["2023-12-31", "2024-02-29", "2024-03-01"])
        assert names == ["2023-12-31", "2024-02-29", "2024-03-01"]
        key = "lx" if panel["kind"] == "curve" else "0x"
        stored = made._numbers.reader()(panel["tables"][key], [0])
        assert np.abs(stored - [19722, 19782, 19783]).max() <= (0.05 if key == "lx" else 0)


def test_times_of_day_are_kept_to_the_second():
    start = np.datetime64("2024-03-05T10:00:00")
    places = start + np.array([0, 7, 3600 * 5 + 1]) * np.timedelta64(1, "s")
    curve = panel_of(kf.Curve(places, {"y": [1, 2, 3]}, xlabel="Time"))
    assert curve["columnNames"] == [str(place) for place in places]
    assert [text for _, text in curve["x"]] == [f"{hour}:00" for hour in range(10, 16)]
    # Where no tick is midnight, the axis has the date.
    assert (curve["xlabel"], curve["column"]) == ("Time, 2024-03-05", "Time")
    given = kf.Plot({"a": kf.Points([(place, 1) for place in places.tolist()])})
    made = kf.explore(lambda t: given, t=[1])
    stored = made._numbers.reader()(made._state["panels"][0]["tables"]["0x"], [0])[0]
    assert dates.iso(stored) == [str(place) for place in places]


@hypothesis.example(19.5, 1.0625)
@hypothesis.given(st.floats(-600_000, 2_900_000), st.floats(-4, 6.5))
def test_ticks_of_dates_are_whole_and_lie_on_their_axis(low, exponent):
    high = min(low + 10**exponent, 2_932_896.0)
    ticks, date = dates.ticks(low, high)
    places = [at for at, _ in ticks]
    assert all(low <= at <= high for at in places)
    assert len(places) <= 6
    assert len(places) > 1 or high - low < 1e-3 or high - low > 100_000
    for at, text in ticks:
        whole = str(np.datetime64(round(at * 86_400), "s"))
        assert text in (whole[:4], whole[:7], whole[:10], whole[11:16], whole[11:19])
        # What the label leaves out is the start of the year, the month or the day, or is told.
        rest = whole.replace(text, "", 1)
        assert rest in ("-01-01T00:00:00", "-01T00:00:00", "T00:00:00") or ":" in text
    times, days = (any(sign in text for _, text in ticks) for sign in ":-")
    assert bool(date) is (times and not days)
    assert dates.ticks(0, 1e7) == ([], "")  # 27,000 years
