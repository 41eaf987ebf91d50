"""Scripts of figures: one for all, small, and closed to what an author writes."""

import gzip
import html
import json
import re

import numpy as np
from shown import bundle, figure, panel, softmax, table

from kernelfree import Arrows, Bars, Heatmap, Plane, Points, explore
from kernelfree.script import script


def test_all_figures_carry_one_script_without_what_a_strict_policy_forbids():
    texts = [bundle(figure())["text/html"], bundle(explore(lambda a: [[a]], a=[1, 2]))["text/html"]]
    scripts = [re.findall(r"<script>(.*?)</script>", text, re.DOTALL) for text in texts]
    assert scripts[0] == scripts[1]
    assert len(scripts[0]) == 1
    for word in ("eval(", "Function(", "import(", "innerHTML", "http://", "https://", "blob:"):
        assert word not in scripts[0][0]
    for text in texts:
        assert " style=" not in text
        assert "<style" not in text


def test_only_a_figure_that_asks_for_tools_carries_their_script():
    plain, asking = (bundle(figure(tools=tools))["text/html"] for tools in (False, True))
    tools = script("tools.packed.js")
    assert tools not in plain
    assert asking.replace(f";\n{tools}", "").replace('"tools":true,', "") == plain
    assert script("tools.js") in figure(tools=True)._esm
    assert script("tools.js") not in figure()._esm


def test_no_string_of_the_author_ends_the_script():
    evil = "</script><script>alert(1)</script><!--\u2028"
    panel = Heatmap([[1.0]], xticks=[evil], yticks=[evil], xlabel=evil)
    made = explore(lambda **values: {evil: panel}, title=evil, labels={evil: evil}, **{evil: [evil]})
    text = bundle(made)["text/html"]
    assert text.count("<script") == text.count("</script") == 2
    assert "alert(1)</" not in text
    state = re.search(r'<script type="application/json">(.*)</script>', text)
    assert json.loads(state.group(1))["title"] == evil
    assert html.escape(evil, quote=True) in text


def test_scripts_stay_small():
    for kind, most, packed in (
        ("static", 37_000, 15_600),
        ("live", 62_500, 25_700),
        ("trace", 30_000, 12_500),
        ("tools", 20_500, 9_300),
        ("tex", 2_800, 1_500),
    ):
        source = script(f"{kind}.js").encode()
        assert len(source) <= most, kind
        assert len(gzip.compress(source, 9)) <= packed, kind


KEYS = np.array([[2.0, 0.5], [-0.5, 1.5], [-1.0, -1.5]])


def keeper(x=0.0, y=0.0):
    query = np.array([x, y])
    scores = KEYS @ query
    weights = softmax(scores)
    fruits = ["plum", "lime", "mango"]
    marks = {"keys": Arrows(KEYS, fruits), "query": Arrows(query)}
    marks["weights"] = Points(KEYS, size=weights, shade=weights, role="weight")
    plane = Plane(marks, "sweet", "sour", drag={"query": ("x", "y")})
    return {"plane": plane, "scores": Bars(scores, fruits, "score"), "weights": Bars(weights, fruits)}


STEPS = [round(-2 + 0.2 * i, 1) for i in range(21)]


def test_a_point_over_441_states_and_three_panels_is_small():
    made = explore(keeper, x=STEPS, y=STEPS)
    bundle = made._repr_mimebundle_()[0]
    text, picture, source = bundle["text/html"], bundle["image/png"], script("static.packed.js")
    assert source in text
    text = text.replace(source, "")
    assert len(text.encode()) < 24_000  # with the script's 20,500: 45,000
    assert len(gzip.compress(text.replace(picture, "").encode())) < 6_000
    assert 'alt="keeper: plane, plane of keys, query, weights; scores, 3 bars' in text
    assert "plane: plane of keys, query, weights" in repr(made)
    assert json.dumps(made._state)  # nothing of NumPy is left
    # Size and shade are one table, and the tails of arrows stand still.
    tables = panel(made)["tables"]
    assert tables["2size"] == tables["2shade"]
    assert tables["0u"] == tables["0v"]
    for places in ((0, 0), (3, 17), (20, 20)):
        query = np.array([STEPS[place] for place in places])
        found = [table(made, key, *places)[0, 0] for key in ("1x", "1y")]
        np.testing.assert_allclose(found, query, atol=0.002)
        want = softmax(KEYS @ query)
        np.testing.assert_allclose(table(made, "2size", *places)[0], want, atol=5e-4)
