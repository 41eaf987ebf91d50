"""Figures that the page itself computes, and hands that use one."""

import functools

import torch
from drawn import place
from playwright.sync_api import expect

from d2lmini import Arrows, Bars, Curve, Heatmap, Matrix, Plane, explore

KEYS = torch.tensor([[2.0, 0.5], [-1.0, 1.5], [-0.5, -1.8]], dtype=torch.float64)
TABLE = torch.tensor([[1.0, 0.0, -0.5], [0.5, -0.25, 1.5]], dtype=torch.float64)
START = [[1.0, 0.0], [0.5, -0.5]]
SAMPLES = torch.linspace(-3, 3, 7, dtype=torch.float64)


def look(x=1.0, y=0.6, mask=False):
    scores = KEYS @ torch.stack([torch.as_tensor(x), torch.as_tensor(y)]).double()
    if mask:
        scores = scores.masked_fill(torch.tensor([True, False, False]), -torch.inf)
    weights = torch.softmax(scores, dim=0)
    marks = {"keys": Arrows(KEYS, ["A", "B", "C"], role="key"), "query": Arrows((x, y))}
    marks["output"] = Arrows(weights @ KEYS, role="output")
    return {
        "plane": Plane(marks, drag={"query": ("x", "y")}),
        "weights": Bars(weights, ["A", "B", "C"]),
        "scores": Heatmap(scores[None], "score"),
        "says": f"At ({x:.2f}, {y:.2f}) the most is {weights.max():.1%}.",
    }


def attend(queries, width=1.0):
    """Rows that a reader types, in float32."""
    scores = queries @ TABLE
    weights = torch.softmax((scores / width).float(), -1)
    bell = {"bell": torch.exp(-(SAMPLES**2) / width)}
    kernel = Curve(SAMPLES, bell)
    return {"scores": Heatmap(scores, "score"), "kernel": kernel, "weights": Heatmap(weights)}


def looking(**options):
    return explore(look, x=(-2.0, 2.0, 0.2), y=(-2.0, 2.0, 0.2), mask=False, live=True, **options)


@functools.cache
def attending():
    return explore(attend, queries=Matrix(START, -3, 3), width=(0.25, 4.0), live=True)


def use(page, figure):
    """Drag the query, move a slider by keys and by the mouse: all goes without stops."""
    host = page.locator(".kernelfree-figure > div").first
    host.scroll_into_view_if_needed()
    says = host.locator(".foot p").first
    expect(says).to_have_text(look()["says"])
    canvas = host.locator("canvas").first
    page.mouse.move(*place(figure, canvas, 1.0, 0.6))
    page.mouse.down()
    page.mouse.move(*place(figure, canvas, -0.5, 0.0), steps=3)
    page.mouse.move(*place(figure, canvas, -0.77, 1.23), steps=3)
    page.mouse.up()
    boxes = host.locator("[inputmode]").evaluate_all("all => all.map(({ value }) => value)")
    x, y = (float(text.replace("\u2212", "-")) for text in boxes)
    assert abs(x + 0.77) < 0.011
    assert abs(y - 1.23) < 0.011
    expect(says).to_have_text(look(x, y)["says"])
    slider = host.get_by_role("slider", name="x")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(says).to_have_text(look(x + 0.2, y)["says"])
    page.keyboard.press("End")
    expect(says).to_have_text(look(2.0, y)["says"])
    host.get_by_role("switch").check()
    expect(says).to_have_text(look(2.0, y, True)["says"])
    host.get_by_role("button", name="Reset").click()
    expect(says).to_have_text(look()["says"])
