"""What figures say in another language, and addresses that stay."""

from dataclasses import replace

import pytest

import kernelfree as kf
from kernelfree import explore, language


def test_it_speaks_and_goes_back():
    assert language.current() is None
    assert language.tag() == "en"
    assert language.say("Words") == "Words"
    kf.speak("zh")
    assert (language.current(), language.tag()) == ("zh", "zh-CN")
    assert language.say("Words") == "词"
    assert language.say("choose {one}", one=2) == "选择2"
    assert language.say("no message") == "no message"
    assert language.say("") == ""  # the header of a catalog has this name
    for back in (None, "en"):
        kf.speak("zh")
        kf.speak(back)
        assert language.say("Words") == "Words"
        assert language.faces() == []
    with pytest.raises(ValueError, match=r"no language 'xx'; there are en, zh"):
        kf.speak("xx")
    assert language.current() is None


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ({"speed": ["a"]}, "there is no control 'speed'"),
        ({"rule": ["a"]}, "another word for each option of 'rule'"),
        ({"rule": ["a", "a"]}, "another word for each option of 'rule'"),
        ({"n": ["a", "b"]}, "another word for each option of 'n'"),
    ],
)
def test_a_wrong_address_is_explained(address, message):
    with pytest.raises(ValueError, match=message):
        explore(lambda n, rule: [n, 1], n=[1, 2], rule=["x", "y"], address=address)


def test_an_address_that_is_the_same_changes_nothing():
    plain = explore(lambda rule: [1, 2], rule=["x", "y"], title="The title")
    told = {"": "The title", "rule": ["x", "y"]}
    other = explore(lambda rule: [1, 2], rule=["x", "y"], title="The title", address=told)
    assert plain._state == other._state


PANELS = [kf.Bars([1, 2]), kf.Curve([1, 2], {"y": [1, 2]}), kf.Plot({"it": kf.Points([[1, 2]])})]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.kind)
def test_both_axes_speak(panel, chinese):
    named = replace(panel, xlabel="Words", ylabel="Words")
    [look] = explore(lambda t: named, t=[1])._state["panels"]
    assert (look["xlabel"], look["ylabel"]) == ("词", "词")
