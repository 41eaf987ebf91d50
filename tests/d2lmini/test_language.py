"""What figures, diagrams and exercises say in another language, and the catalogs."""

import gettext
import importlib
import io
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from known_exercises import CHAPTERS, EXERCISES, with_shares
from shown import softmax

import kernelfree as kf
from d2lmini import diagrams
from d2lmini.exercises import NotYet, check_shape
from d2lmini.exercises.checking import Trained
from kernelfree import explore, language

# Names, units, symbols and code: they are the same in every language.
LATIN = re.compile(r"[A-Za-z_]{2,}")
SAME = "NaN softmax tanh exp ln sqrt None kB HTML gzip Shift Enter"
SAME += " list squeeze unsqueeze float int function"


def words_left(text):
    """The English words in a text that says something in Chinese: no fields, no colours."""
    return set(LATIN.findall(re.sub(r"\{\w*\}|#[0-9a-f]{6}", "", text))) - {*SAME.split()}


def figure():
    """A figure with every kind of panel, named in Chinese; all other words are the package's."""

    def shown(length=2, number=1, rule="差一"):
        weights = softmax(np.arange(4.0))
        marks = {"key": kf.Points((1, number)), "线": kf.Rules(x=1)}
        return {
            "图": kf.Heatmap(np.diag(weights), masked=np.eye(4, dtype=bool)),
            "条": kf.Bars({"weight": weights, "query": weights}, limit=0.5, touch="number"),
            "线": kf.Curve([1, 2], {"output": [1, 2]}, points={"query": (1, 1)}),
            "词": kf.Words(["这", "果树", "苹果", "熟了"], np.diag(weights), touch="number"),
            "格": kf.Grid("图", ("length", "number")),
            "点": kf.Plot(marks, drag={"key": "number"}),
            "数": kf.Number(2.0),
            "文": kf.Text("字"),
            "页": kf.Html("<p>字</p>"),
            "表": kf.Table([["名", "数"], ["一", 1]]),
            "说": f"取 {length}，规则是{rule}。",
        }

    return explore(
        shown,
        length=range(1, 4),
        number=range(4),
        rule=["普通", "差一"],
        title="每一种",
        address={"": "Every kind", "rule": ["plain", "off by one"]},
        predict=kf.Prediction("会怎样？", {"变大": "是的。", "变小": "不是。"}, "变大", hide=["limit", "图"]),
    )


def texts(state):
    """All that a figure says, but for what the page reads as code."""
    codes = {"id", "kind", "name", "options", "type", "key", "data", "start", "light", "dark"}
    if isinstance(state, str):
        yield state
    elif isinstance(state, dict):
        for key, value in state.items():
            if key not in codes | {"still", "colors", "hue", "tables", "head", "style"}:
                yield from texts(value)
    elif isinstance(state, list | tuple):
        for value in state:
            yield from texts(value)


def test_no_english_is_left_in_a_figure(chinese):
    made = figure()
    assert made._state["id"] == "figure-every-kind"
    left = words_left(" ".join(texts(made._state)))
    assert left <= {"div"}  # an element
    picture, alt = made._repr_mimebundle_(), re.compile('alt="([^"]*)"')
    html = (picture[0] if isinstance(picture, tuple) else picture)["text/html"]
    assert words_left(alt.search(html)[1]) == set()
    told = repr(made)
    codes = {"length", "number", "rule", "off", "by", "one"}
    assert words_left(told) <= codes, told


def test_roles_have_their_colours_by_either_name(chinese):
    made, code = (
        explore(lambda n, one=one, other=other: kf.Bars({one: [1, 2], other: [3, 4]}), n=[1, 2])
        for one, other in (("权重", "查询"), ("weight", "query"))
    )
    assert made._state["panels"] == code._state["panels"]
    assert made._state["panels"][0]["rowNames"] == ["权重", "查询"]


def test_addresses_are_those_of_the_other_edition(chinese):
    made = figure()
    rule = made._state["controls"][2]
    assert rule["options"] == ["plain", "off by one"]
    assert rule["words"] == ["普通", "差一"]
    assert made.value["rule"] == "off by one"
    made.value = {"rule": "普通"}
    assert made.value["rule"] == "plain"
    assert "规则是普通。" in repr(made)
    made.value = {"rule": "off by one"}
    assert "规则是差一。" in repr(made)
    with pytest.raises(ValueError, match="no value '没有'; it has"):
        made.value = {"rule": "没有"}


def glyphs_missing(text):
    from matplotlib import font_manager

    known = set()
    for family in ("DejaVu Sans", *language.faces()):
        known |= set(font_manager.get_font(font_manager.findfont(family)).get_charmap())
    return {sign for sign in text if ord(sign) not in known and sign != "\n"}


def test_the_face_has_every_letter(chinese):
    said = map(language.say, package().messages())
    assert glyphs_missing("".join(said)) == set()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure()._picture(alone=True)
        for draw in (diagrams.pooling, diagrams.padded_minibatch, diagrams.transformer):
            draw()
        with pytest.raises(UserWarning, match="Glyph"):
            explore(lambda n: [n, 1], n=[1, 2], title="𰻝")._picture()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_slip_and_every_praise_is_said_in_chinese(exercise, chinese):
    verdict = exercise.verdict(exercise.expected)
    right = verdict.right or isinstance(exercise, Trained)
    assert right
    for why, wrong in exercise.slips.items():
        answer = with_shares(exercise, wrong) if isinstance(exercise, Trained) else wrong
        verdict = exercise.verdict(answer)
        assert verdict.right is False
        assert language.say(why) in verdict.why


def test_checks_say_whole_sentences(chinese):
    wrong = [((2, 1, 5), "轴 2"), ((2, 4, 1), "转置"), ((2, 4), "squeeze"), ((8,), "个轴")]
    for shape, word in wrong:
        with pytest.raises(NotYet) as caught:
            check_shape(torch.zeros(2, 1, 4), shape)
        said = str(caught.value)
        assert word in said
        assert words_left(said) == set()
    assert NotYet("再试试。")._render_traceback_() == ["还不对：再试试。"]
    with pytest.raises(NotYet, match=r"这里要数，不是 .*\{0\}"):  # a reader's braces are no fields
        CHAPTERS[0].by_hand({"{0}": "{1}"}.keys())


def package():
    return importlib.import_module("tools.translation.package")


def test_the_compiled_catalogs_are_those_of_the_sources():
    for folder in ("kernelfree", "d2lmini"):
        for path in Path(folder).glob("locale/*.mo"):
            made = gettext.GNUTranslations(io.BytesIO(package().compiled(path.stem, folder)))
            kept = gettext.GNUTranslations(io.BytesIO(path.read_bytes()))
            # What has changed in English since is late, and said in English.
            assert made._catalog.items() <= kept._catalog.items(), "run `make words`"
