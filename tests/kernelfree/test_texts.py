"""Words that change with the state, the sentence under a figure, and room for words."""

import itertools
import json

import numpy as np
import pytest
from shown import SENTENCES, telling, told

from kernelfree import Heatmap, Prediction, explore, texts


def states(made):
    """Each state's values, and its panels and sentence as the page looks them up."""
    for which, length in itertools.product(SENTENCES, range(1, 4)):
        made.value = {"which": which, "length": length}
        yield (which, length), made._now()[:2]


def test_each_state_has_its_words():
    for (which, length), (panels, says) in states(telling()):
        heat, line = panels
        assert heat["name"] == f"the {which}"
        assert heat["columnNames"] == heat["rowNames"] == SENTENCES[which]
        assert [text for _, text in heat["x"]] == SENTENCES[which]
        assert line["rowNames"] == [f"{which} line", "flat"]
        assert line["names"] == [[], [which]]
        assert says == told(which, length)["says"]


@pytest.mark.parametrize("seed", range(20))
def test_any_sentences_come_back_as_they_were(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 3).tolist()
    bits = ["", "a", "1", "-2.5", "1,024", ".5", "5.", "0x1f", "²", "注意 3", "\u2028", "</p>", "%"]
    given = [" ".join(rng.choice(bits, rng.integers(0, 5))) for _ in range(int(np.prod(sizes)))]
    stored = json.loads(json.dumps(texts.sentences(given, sizes)))
    for text, places in zip(given, itertools.product(*map(range, sizes)), strict=True):
        assert texts.sentence(stored, sizes, places) == text


def test_a_sentence_of_441_states_is_small():
    def says(x, y):
        return {"": [[x * y]], "says": f"At ({x:.1f}, {y:.1f}) the score is {x * y + 0.003:.2f}."}

    steps = [round(s / 10, 1) for s in range(-10, 11)]
    made = explore(says, x=steps, y=steps)
    assert len(json.dumps(made._state["says"])) < 3500
    made.value = {"x": -0.3, "y": 0.7}
    assert repr(made).endswith("\n  At (-0.3, 0.7) the score is -0.21.")


def test_wide_letters_take_the_room_of_two():
    text = "键和查询相乘 and then 除以根号"
    for most in (4, 7, 8, 9, 12, 40):
        lines = texts.filled(text, most)
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert all(line == line.lstrip() for line in lines)
        assert all(texts.letters(line) <= most for line in lines)
        for line, after in itertools.pairwise(lines):  # none begins too early
            first = after.split()[0] if after[0].isascii() else after[0]
            assert texts.letters(line) + 1 + texts.letters(first) > most
        short = texts.cut(text, most)
        assert most - 2 < texts.letters(short) <= most or short == text
        assert text.startswith(short.removesuffix("\u2026"))
    lines = texts.filled("头 2 的权重，加起来是 1。然后 softmax 再来一次。", 12)
    assert not any(line[0] in "，。" for line in lines)


def test_a_long_list_is_shortened_a_run_of_numbers_counted_and_what_is_just_allowed_is_allowed():
    explore(lambda n: [[1.0]], n=[0, 2**53])
    with pytest.raises(ValueError, match="9,007,199,254,740,993"):
        explore(lambda n: [[1.0]], n=[0, 2**53 + 1])
    assert texts.shortened(list(range(8))) == "[0, 1, 2, 3, 4, 5, 6, 7]"
    assert texts.shortened(list(range(9))) == "[0, 1, 2, ... 8] (9 in all)"
    assert texts.encode([7, 7, 7]) == "7~3"
    assert texts.encode([7, 7]) == "7,7"
    assert texts.encode([1296] * 4) == "100~4"


TEXTS = {
    "title": lambda text: explore(lambda a: [[a]], a=[1, 2], title=text),
    "label": lambda text: explore(lambda a: [[a]], a=[1, 2], labels={"a": text}),
    "option": lambda text: explore(lambda a: [[1]], a=["one", text]),
    "panel": lambda text: explore(lambda a: {text: [[a]]}, a=[1, 2]),
    "axis": lambda text: explore(lambda a: Heatmap([[a]], xlabel=text), a=[1, 2]),
    "tick": lambda text: explore(lambda a: Heatmap([[a]], xticks=[text]), a=[1, 2]),
    "sentence": lambda text: explore(lambda a: {"": [[a]], "says": text}, a=[1, 2]),
    "question": lambda text: Prediction(text, {"yes": "It is.", "no": "It is not."}, "yes"),
    "choice": lambda text: Prediction("Who?", {"yes": "So it is.", text: "It is not."}, "yes"),
    "reply": lambda text: Prediction("Who?", {"yes": "So it is.", "no": text}, "yes"),
}


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS.keys())
def test_a_text_that_no_page_can_show_is_refused(make):
    make("a \u4e2d\u6587 text \U0001f600")
    with pytest.raises(ValueError, match="half of a character"):
        make("half \ud83d")
    with pytest.raises(ValueError, match=r"at most [\d,]+ characters, got 100,000"):
        make("x" * 100_000)
