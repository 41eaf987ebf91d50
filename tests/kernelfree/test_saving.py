"""Figures as files of their own."""

import json
import os
import re
from pathlib import Path

import pytest
from shown import figure, telling

from kernelfree import explore, save
from kernelfree.script import script


def test_a_figure_is_saved_as_it_stands_with_its_size_said(tmp_path, capsys):
    made, path = figure(title="Three & more"), tmp_path / "weights.html"
    made.value = {"first": 2}
    made.save(path)
    text = path.read_text(encoding="utf-8")
    assert "<title>Three &amp; more</title>" in text
    state = re.search(r'<script type="application/json">(.*)</script>', text).group(1)
    assert json.loads(state)["start"] == {"first": 2, "second": 1}
    for foreign in ("src=", "href=", "url(", "@import"):
        assert foreign not in text.replace('src="data:image/png;base64,', "")
    said = re.fullmatch(r"(.*): (\d+) kB, (\d+) kB gzipped\n", capsys.readouterr().out)
    assert said[1] == str(path)
    assert int(said[2]) == round(path.stat().st_size / 1000)
    assert 0 < int(said[3]) < int(said[2])


def test_a_saved_figure_is_replaced_and_nothing_else(tmp_path):
    path = tmp_path / "weights.html"
    figure().save(path)
    figure(title="Another").save(str(path))
    assert "<title>Another</title>" in path.read_text()
    mine = tmp_path / "index.html"
    mine.write_text("<p>my page")
    with pytest.raises(FileExistsError, match="is no saved figure; choose another name"):
        figure().save(mine)
    assert mine.read_text() == "<p>my page"


def test_a_shared_script_can_what_any_of_its_figures_needs(tmp_path):
    shared = tmp_path / "figures.js"
    for tools, kind in (False, "static"), (True, "static tools"), (False, "static tools"):
        figure(tools=tools).save(tmp_path / f"{tools}.html", script="figures.js")
        assert shared.read_text().startswith(f"/* kernelfree: {kind} */")
        assert (script("tools.js") in shared.read_text()) == ("tools" in kind)


def test_a_page_that_can_not_be_written_leaves_the_one_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "weights.html"
    figure().save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        figure(title="Another").save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("path", "script", "error", "message"),
    [
        ("weights", None, ValueError, "must end with .html, got 'weights'"),
        ("weights.png", None, ValueError, "must end with .html"),
        ("no/such/folder/weights.html", None, FileNotFoundError, "there is no folder"),
        (3, None, TypeError, "save: expected the name of a file, got 3"),
        ("a.html", "a", ValueError, "script: expected a file beside the page that ends with .js"),
        ("a.html", "https://host/a.js", ValueError, "such as 'figures.js', got 'https://host/a.js"),
        ("a.html", "/a.js", ValueError, "expected a file beside the page"),
        ("a.html", "no/a.js", FileNotFoundError, "save, script: there is no folder 'no'"),
        ("a.html", "my.js", FileExistsError, "script: 'my.js' is there already and is no script"),
        ("a.html", True, TypeError, "save, script: expected the name of a file, got True"),
        ("my.html", "a.js", FileExistsError, "my.png' is there already and is no picture"),
    ],
)
def test_a_path_that_cannot_be_is_named(path, script, error, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = {"my.js": b"alert(1)", "my.png": b"\x89PNG mine"}
    for name, content in own.items():
        Path(name).write_bytes(content)
    with pytest.raises(error, match=message):
        figure().save(path, script)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == own


def states_in(path):
    found = re.findall(r'<script type="application/json">(.*)</script>', path.read_text())
    return [json.loads(text) for text in found]


def test_several_figures_have_one_script_and_linked_controls_begin_where_the_first_stands(tmp_path):
    one, other = figure(), figure(title="Another")
    one.value = {"first": 3}
    save(tmp_path / "both.html", [one, other, telling(tools=True)], link="first", title="A & b")
    text = (tmp_path / "both.html").read_text()
    assert text.count(script("tools.js")) == text.count(script("static.js")) == 1
    assert "<title>A &amp; b</title>" in text
    starts = [state["start"] for state in states_in(tmp_path / "both.html")]
    assert starts[:2] == [{"first": 3, "second": 1}] * 2
    assert other.value["first"] == 1
    save(tmp_path / "both.html", [one, other])
    assert [state["start"]["first"] for state in states_in(tmp_path / "both.html")] == [3, 1]


def test_several_figures_beside_a_shared_script_have_a_picture_each(tmp_path):
    save(tmp_path / "a & b.html", [figure(), figure(title="Another")], script="figures.js")
    names = ["a & b-2.png", "a & b.html", "a & b.png", "figures.js"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    text = (tmp_path / "a & b.html").read_text()
    assert re.findall('src="(.*?)"', text) == ["a%20%26%20b.png", "a%20%26%20b-2.png", "figures.js"]


@pytest.mark.parametrize(
    ("figures", "options", "error", "message"),
    [
        ([], {}, ValueError, "save, figures: expected at least one figure, got none"),
        (figure(), {}, TypeError, "expected a list of figures, got Figure; one figure is saved by"),
        ([figure(), 3], {}, TypeError, "expected what explore returns, got int at place 2"),
        ([figure(), figure()], {}, ValueError, "places 1 and 2 have the same address, 'figure-we"),
        ([figure(), telling()], {"link": True}, TypeError, "save, link: expected the name of a c"),
        ([figure(), telling()], {"link": "first"}, ValueError, "got 'first', which 1 of them has"),
        ([figure()], {"link": ["no"]}, ValueError, "got 'no', .* there are first, second"),
        (
            [figure(), explore(lambda first: [[first]], title="Few", first=[1, 2])],
            {"link": "first"},
            ValueError,
            "link: 'first' must have the same values in all figures, got slider, 4 values, 1 to 4 "
            "in 'weights', and slider, 2 values, 1 to 2 in 'Few'",
        ),
        ([figure()], {"title": 3}, TypeError, "save, title: expected a string, got int"),
    ],
)
def test_figures_that_cannot_share_a_page_are_named(figures, options, error, message, tmp_path):
    with pytest.raises(error, match=message):
        save(tmp_path / "x.html", figures, **options)
    assert list(tmp_path.iterdir()) == []
