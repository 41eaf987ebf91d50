"""The first page shows a real head: its numbers are those of the published model."""

import re

import pytest
import torch

import chapters
from d2lmini import encoder
from tools import minutes

PAGE = next(page for page in chapters.pages() if page.stem == "index")


def weights_of(sentence, layer, head):
    model, tokenizer = encoder.load()
    found = []
    attention = model.layers[layer].attention.attention
    attention.register_forward_hook(lambda module, given, made: found.append(made[1]))
    encoded = tokenizer.encode(sentence)
    model(torch.tensor([encoded.ids]), torch.tensor([len(encoded.ids)]))
    return encoded.tokens, found[0].reshape(12, len(encoded.ids), -1)[head]


@pytest.fixture(scope="module")
def page():
    source = next(s for s in chapters.cells(PAGE, "code") if "Figure: one head" in s)
    names = {}
    exec(source.partition("\n\n\ndef one_head")[0], names)
    return names


@pytest.mark.parametrize("ending", ["tired", "wide"])
def test_the_numbers_are_the_models(page, ending):
    sentence = f"The animal didn't cross the street because it was too {ending}."
    tokens, weights = weights_of(sentence, layer=3, head=1)
    assert tokens == [ending if token == "..." else token for token in page["TOKENS"]]
    shown = torch.tensor([int(n) for n in page["WEIGHTS"][ending].split()]).reshape(16, 16)
    assert (shown - 100 * weights).abs().max() < 0.51


def test_what_the_text_says_of_the_head_holds(page):
    it, animal, street = (page["TOKENS"].index(token) for token in ("it", "animal", "street"))
    for ending in ("tired", "wide"):
        row = [int(n) for n in page["WEIGHTS"][ending].split()][16 * it : 16 * it + 16]
        assert row[animal] > row[street]
        text = "\n".join(chapters.cells(PAGE, "markdown"))
        assert (f"{row[animal]}% for *animal*" in text) == (ending == "tired")


STOP = re.compile(r"^\d\. \*(\d+) minutes\.\* (?:\[Chapter \d+\]\((.+?)\))?", re.MULTILINE)


def test_the_minutes_of_the_short_ways_are_computed():
    text = "\n".join(chapters.cells(PAGE, "markdown"))
    stops = STOP.findall(text)
    assert sum(int(said) for said, _ in stops) == 25
    for said, name in stops:
        if name:  # to the end of the section by hand, to the half minute
            seen = list(minutes.seen(chapters.read(PAGE.parent / name).cells))
            heads = [at for at, part in enumerate(seen) if getattr(part, "tag", "") == "h2"]
            end = heads[[seen[at].text for at in heads].index("By hand") + 1]
            assert minutes.reading(seen[:end]) <= int(said) + 0.5, name
    promises = minutes.promises(PAGE.parent).items()
    times = {int(name[:2]): [*map(int, re.findall(r"\d+", said))] for name, said in promises}
    line = re.search(r"Chapters 1, 3, 4 and 6 .*: (\d+) hours\.", text)[1]
    assert int(line) == round(sum(times[n][0] for n in (1, 3, 4, 6)) / 60)


def test_one_title_and_ways_in():
    text = "\n\n".join(chapters.cells(PAGE, "markdown"))
    assert re.findall("^# (.+)$", text, re.MULTILINE) == [chapters.CONFIG["title"]]
    assert "## If you have 25 minutes" in text
    for name in ("teaching", "making_figures", "own_sentence"):
        assert f"({name}.ipynb)" in text
