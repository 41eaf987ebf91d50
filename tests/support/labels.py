"""Panels whose labels are wide, or many: on the page and in the still picture."""

import numpy as np

from kernelfree import Bars, Curve, Heatmap, Plot, Points

RAMP = np.linspace(0, 1, 50)
WORDS = ["characteristics", "of", "a", "word", "responsibility"]
DAYS = np.datetime64("2024-01-01") + np.arange(50)
HOURS = np.datetime64("2024-01-01T00:00") + 3 * np.arange(50) * np.timedelta64(1, "h")
CELLS = np.random.default_rng(0).random((5, 5))
PANELS = {
    "large": Curve(1e5 * RAMP, {"y": RAMP}),
    "log": Curve(10 ** (4 * RAMP), {"y": RAMP}, log="x"),
    "small": Curve(-1e-5 * RAMP[::-1], {"y": 1e6 * RAMP}),
    "inside": Curve(99 + 150_002 * RAMP, {"y": RAMP}),
    "dates": Curve(DAYS, {"y": RAMP}, xlabel="Days of the first two months of the year"),
    "hours": Curve(HOURS, {"y": RAMP}, xlabel="Time"),
    "points": Plot({"a": Points(np.stack([1e5 * RAMP, RAMP], -1))}, ticks=True),
    "bare": Plot({"a": Points([(1.0, 2.0)])}, xlabel="A drawing without ticks", ticks=False),
    "many": Heatmap(np.ones((64, 64)), xlabel="Columns"),
    "thirty": Heatmap(np.eye(30)),
    "flat": Heatmap(np.ones((2, 200)), xlabel="Columns", ylabel="Characters written so far"),
    "thin": Heatmap(np.ones((2, 1)), xlabel="One column with a name"),
    "words": Heatmap(CELLS, xticks=WORDS, yticks=WORDS),
    "more words": Heatmap(np.ones((30, 30)), xticks=6 * WORDS),
    "bars": Bars(RAMP[1:6], labels=WORDS),
    "short": Heatmap(np.ones((2, 20)), xticks=[f"w{n}" for n in range(20)]),
}
