"""explore(): the widget and its value, what is shown, which functions and options are refused."""

import base64
import copy
import io
import json
import pickle
import re

import ipywidgets
import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image
from shown import bundle, figure

import kernelfree as kf
from kernelfree import Curve, Heatmap, explore
from kernelfree.explorer import Figure
from kernelfree.filling import slug
from kernelfree.widget import VIEW


def test_value_starts_at_the_first_options_at_defaults_and_at_the_given_switch():
    def three(a, b=3, c="y", d=False):
        return [[a + b]]

    made = explore(three, a=[5, 6], b=range(5), c=["x", "y"], d=True)
    assert made.value == {"a": 5, "b": 3, "c": "y", "d": True}


def test_value_can_be_set_in_part_and_observed_and_linked():
    one, two = figure(), figure()
    seen = []
    one.observe(lambda change: seen.append(change["new"]), "value")
    one.value = {"second": 3}
    assert one.value == {"first": 1, "second": 3}
    assert seen == [{"first": 1, "second": 3}]
    ipywidgets.link((one, "value"), (two, "value"))
    two.value = {"first": 4}
    assert one.value == two.value == {"first": 4, "second": 3}
    ipywidgets.jslink((one, "value"), (two, "value"))


def test_wrong_values_are_named():
    made = figure()
    for value, message in (
        ({"third": 1}, "no control 'third'; there are first, second"),
        ({"first": 9}, r"control 'first' has no value 9; it has \[1, 2, 3, 4\]"),
        ({"first": True}, "control 'first' has no value True"),
    ):
        with pytest.raises(ValueError, match=message):
            made.value = value
        assert made.value == {"first": 1, "second": 1}


def test_value_from_the_page_is_accepted_as_json_writes_it():
    made = explore(lambda t, on: [[t * on]], t=[0.5, 1.0, 2.0], on=False)
    made.set_state({"value": {"t": 1, "on": True}})
    assert made.value == {"t": 1.0, "on": True}
    assert isinstance(made.value["t"], float)


def test_the_value_cannot_be_changed_in_place():
    made = figure()
    kept = {"first": 1, "second": 1}
    changes = {"update": [{"first": 2}], "__ior__": [{"first": 2}], "clear": [], "popitem": []}
    changes |= {"__setitem__": ["first", 2], "setdefault": ["third", 1]}
    for change, given in (changes | {"pop": ["first"], "__delitem__": ["first"]}).items():
        with pytest.raises(TypeError, match="can't be changed in place; set the part that changes"):
            getattr(made.value, change)(*given)
        assert made.value == kept
    assert json.dumps(made.value) == '{"first": 1, "second": 1}'
    made.value = {**made.value, "first": 3}
    assert made.value == {"first": 3, "second": 1}


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_figures_are_copied_and_pickled(again):
    made = figure(title="Lengths", play="first")
    made.value = {"second": 3}
    other = again(made)
    assert isinstance(other, Figure)
    assert other.value == made.value == {"first": 1, "second": 3}
    assert repr(other) == repr(made)
    assert bundle(other)["text/html"] == bundle(made)["text/html"]
    assert other.model_id != made.model_id
    other.value = {"first": 4}
    assert made.value == {"first": 1, "second": 3}
    assert again(made.value) == made.value


def test_explore_is_a_decorator_too():
    @kf.explore(frequency=[1.0, 2.0], title="Waves")
    def wave(frequency):
        return np.sin(frequency * np.arange(5.0))

    assert wave.value == {"frequency": 1.0}
    assert wave._state["title"] == "Waves"
    np.testing.assert_array_equal(wave.function(0.0), np.zeros(5))


def test_light_is_a_word_that_figures_share():
    made = explore(lambda a: Curve([0, 1], {"y": [0, a]}), a=[1], light="market")
    assert made._state["light"] == "market"
    with pytest.raises(TypeError, match="light: expected a word that figures share, got bool"):
        explore(lambda a: [[a]], a=[1], light=True)


def test_every_title_has_its_own_address():
    # As they were, for the addresses in books and mails.
    assert slug("The Title: 2 * x") == "figure-the-title-2-x"
    assert slug("a_b") == "figure-a-b"
    assert slug("注意力") == "figure-注意力"
    assert slug("Température  d’Élan") == "figure-température-d-élan"
    assert slug("Tempe\u0301rature") == slug("Temp\u00e9rature")
    titles = ["注意力", "温度", "Внимание", "कि", "की", "x ≤ y", "x ≥ y", "→", "←", "?", "!", "—"]
    titles += ["", "١٢", "①", "👩‍🔬", "weights"]
    found = [slug(title) for title in titles]
    assert len(set(found)) == len(titles)
    for one in found:
        assert re.fullmatch(r"figure-[^\s\"'<>&?#%]+", one)
    assert f'id="{slug("注意力")}"' in bundle(figure(title="注意力"))["text/html"]


def test_the_text_says_what_it_is_without_an_address():
    assert repr(figure(title="Lengths")) == (
        "Figure: Lengths\n"
        "  first: slider, 4 values, 1 to 4\n"
        "  second: slider, 4 values, 1 to 4\n"
        "  16 states\n"
        "  number: heatmap 2 x 4, min 0, max 1, mean 0.25\n"
        "  now: first=1, second=1"
    )
    text = repr(explore(lambda t: Curve([1, 2, 3], {"y": [1, np.nan, 1e-8]}, log="y"), t=[1]))
    assert "curve: curve 1 x 3, gaps 0.333, min 1e-08, max 1, mean 0.5" in text


def test_the_sentence_stands_in_the_html_for_those_who_run_no_scripts():
    made = explore(lambda a: {"w": [[a]], "says": f"<b>{a} & more"}, a=[1, 2])
    assert "\n<p>&lt;b&gt;1 &amp; more</p>\n" in made._repr_mimebundle_()[0]["text/html"]
    quiet = explore(lambda a: [[a]], a=[1, 2])
    assert "<p>" not in quiet._repr_mimebundle_()[0]["text/html"]
    assert "says" not in quiet._state


def test_text_html_picture_and_view_are_offered():
    data = bundle(figure())
    assert set(data) >= {"text/plain", "text/html", "image/png", VIEW}
    assert data["text/html"] == bundle(figure())["text/html"]  # the same every time
    picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert picture.mode == "P"
    assert len(data["image/png"]) < 10_000
    tag = re.search(r'<img alt="([^"]*)" width="(\d+)" height="(\d+)"', data["text/html"])
    assert tag.group(1) == "weights: heatmap of 2 x 4"
    assert abs(int(tag.group(2)) * 1.25 - picture.width) < 2


class Person(NotebookClient):
    """Executes as JupyterLab does, for somebody who could be asked for input."""

    async def async_start_new_kernel_client(self):
        client = await super().async_start_new_kernel_client()
        client.allow_stdin = True
        return client


@pytest.mark.beyond
@pytest.mark.parametrize("client", [Person, NotebookClient])
def test_a_notebook_runs_clean_with_a_progress_bar_and_an_interrupt(client):
    cells = [
        "import time\nfrom kernelfree import explore, trace",
        "figure = explore(lambda t: [[t]], t=[1, 2])\nfigure",
        "explore(lambda t: [[time.sleep(0.4) or t]], t=range(5))",
        "def stop(t):\n    raise KeyboardInterrupt\n"
        "try:\n    explore(stop, t=[1])\nexcept KeyboardInterrupt:\n    print('stopped')",
        "explore(lambda t: [[t]], t=[1, 2])",
        "figure.value = {'t': 2}",
        "def doubled(scores):\n    return 2 * scores\ntrace(doubled, scores=[1.0])",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    client(notebook, timeout=60, kernel_name="python3").execute()
    _, plain, slow, stopped, again, _, traced = [cell.outputs for cell in notebook.cells]
    assert stopped[0].text == "stopped\n"
    assert [o.output_type for o in plain] == ["execute_result"]
    assert again[0].data["text/html"] == plain[0].data["text/html"]
    shown = [plain, slow[-1:], again, traced]
    alone = {"text/plain", "text/html", "image/png"}
    if client is Person:
        # The bar was shown, by its view alone, and then taken away.
        assert [o.output_type for o in slow] == ["display_data", "execute_result"]
        assert slow[0].data == {}
        assert [set(one.data) for (one,) in shown] == [alone | {VIEW}] * 4
        known = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
        assert {one.data[VIEW]["model_id"] for (one,) in shown} <= known.keys()
        return
    # Nobody watches: no widget is in the file, not even in passing.
    assert [o.output_type for o in slow] == ["execute_result"]
    assert [set(one.data) for (one,) in shown] == [alone] * 4
    assert "widgets" not in notebook.metadata


def test_a_figure_in_another_widget_is_known_to_it():
    notebook = nbformat.v4.new_notebook()
    cell = "import ipywidgets\nfrom kernelfree import explore\n"
    cell += "ipywidgets.VBox([explore(lambda t: [[t]], t=[1, 2])])"
    notebook.cells.append(nbformat.v4.new_code_cell(cell))
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    said = "".join(one.get("text", "") for one in notebook.cells[0].outputs)
    assert "a page without one shows nothing in its place; display it by itself" in said
    known = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    (box,) = [one["state"] for one in known.values() if one["model_name"] == "VBoxModel"]
    (child,) = box["children"]
    assert known[child.removeprefix("IPY_MODEL_")]["state"]["value"] == {"t": 1}


def ones(**values):
    return [[1.0]]


def test_no_controls_and_too_many_states():
    with pytest.raises(ValueError, match="no controls"):
        explore(ones)
    message = (
        r"a \(100\) x b \(100\) x c \(99\) make 990,000 combinations, .* thin 'a', .*"
        r" or let the page run the function, .*: live=True, a=\(0\.0, 99\.0\)"
    )
    with pytest.raises(ValueError, match=message):
        explore(ones, a=range(100), b=range(100), c=range(99))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"labels": {"b": "B"}}, ValueError, "labels: there is no control 'b'"),
        ({"play": "b"}, ValueError, "play: there is no slider 'b'"),
        ({"predict": "why?"}, TypeError, "predict: expected a Prediction, got str"),
        ({"title": range(3)}, TypeError, "title: .* got range; .* can be called 'title'"),
        ({"labels": ["x"]}, TypeError, "labels: .* got list; .* no control can be called 'labels'"),
        ({"predict": True}, TypeError, "no control can be called 'predict'"),
        ({"tools": "yes"}, TypeError, "tools: expected True or False, got str; .* no control can be called 'tools'"),
        ({"play": [1, 2]}, TypeError, "play: .* got list; .* no control can be called 'play'"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        explore(ones, a=[1, 2], **options)


@pytest.mark.parametrize(
    ("function", "more", "message"),
    [
        (lambda n: [[1]], {"size": [2]}, r"'size': the function does not take it \(it takes n\), .* no such option$"),
        (lambda n: [[1]], {"titel": {"n": "one"}}, "'titel': the function does not take it .*; did you mean title?"),
        (lambda n: [[1]], {"label": {"n": "one"}}, "'label': the function does not take it .*; did you mean labels?"),
        (lambda n: [[1]], {"nn": {"n": "one"}}, "control 'nn': the function does not take it .*; did you mean n?"),
        (lambda: [[1]], {"live": True}, r"\(it takes nothing\)"),
        (lambda n, size: [[1]], {}, "missing a required argument: 'size'"),
        (lambda n=7: [[1]], {}, "control 'n': the function's default 7 is not one of"),
        (lambda n, title: [[1]], {"title": "Lengths"}, "needs 'title', which is an option of explore itself"),
        (3, {}, "expected a function, got int"),
    ],
)
def test_a_function_that_does_not_fit_its_controls(function, more, message):
    with pytest.raises(ValueError if "default" in message else TypeError, match=message):
        explore(function, n=[1], **more)


def test_a_function_that_raises_is_named_with_its_values():
    def divide(a, b):
        return [[a / b]]

    with pytest.raises(ValueError, match=r"divide\(a=1, b=0\) raised ZeroDivisionError") as caught:
        explore(divide, a=[1, 2], b=[2, 0])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_ticks_without_words_leave_the_axis_bare():
    bare = ["", ""]
    assert explore(lambda a: Heatmap(np.eye(2), xticks=bare, yticks=bare), a=[1])._picture()
