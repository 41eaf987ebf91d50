"""The model of the dates in the page: what it writes, what a hand changes, what it leaves."""

import base64
import copy
import json

import numpy as np
import pytest
import torch
from accessible import fits, problems
from bundled import bundled
from playwright.sync_api import expect
from serving import HTML

from pages import finger

pytestmark = pytest.mark.beyond

COUNT = 200
WRITER = """import { Writer } from "./finger/writer.js";
window.kernelfreePart = (given) => (window.writer = new Writer(given));"""
BOOK = f"chapters/{finger.CHAPTER.stem}.html"


@pytest.fixture(scope="module")
def names():
    """The chapter's own names, without training: its model gets the weights of the page."""
    names, dtype = {"__name__": "chapter"}, torch.get_default_dtype()
    try:
        for source in finger.code():
            if "torch.optim" not in source:
                exec(source, names)
        attention = names["AdditiveAttention"](16, query_size=128, key_size=128)
        names["writer"] = names["DateWriter"](attention)
        names["writer"].load_state_dict(kept(names["writer"].state_dict()))
        yield names
    finally:
        torch.set_default_dtype(dtype)


def kept(state):
    text = finger.WEIGHTS.read_text("ascii").strip()
    given = json.loads(text.removeprefix("kernelfreePart(").removesuffix(")"))
    data, at, found = base64.b64decode(given["bytes"]), 0, {}
    for name, (rows, columns) in given["shapes"].items():
        size = rows * (columns + 4)
        part = np.frombuffer(data, np.int8, size, at).reshape(rows, -1)
        numbers = part[:, :4].copy().view("<f4") * part[:, 4:].astype(np.float64)
        found[name], at = torch.from_numpy(numbers).reshape(state[name].shape), at + size
    assert at == len(data)
    return found


def written(names, model):
    """Some texts, what PyTorch writes of them by greedy decoding, and its weights of them."""
    X, lens, _ = names["test_set"]
    ys, weights = names["greedy"](model, X[:COUNT], lens[:COUNT])
    rows = [row[:, :size] for row, size in zip(weights, lens[:COUNT], strict=True)]
    texts = [text for text, *_ in names["test"][:COUNT]]
    return texts, ["".join(names["DIGITS"][c] for c in y) for y in ys], rows


def test_the_page_writes_what_pytorch_writes(page, names):
    page.goto("about:blank")
    page.evaluate(bundled(WRITER, "pages/js"))
    page.evaluate(finger.WEIGHTS.read_text("ascii"))
    texts, truth, weights = written(names, names["writer"])
    found = page.evaluate("texts => texts.map((text) => writer.write(writer.read(text)))", texts)
    assert [one["written"] for one in found] == truth
    for one, rows in zip(found, weights, strict=True):
        assert torch.allclose(torch.tensor(one["rows"]).double(), rows, atol=1e-5)


@pytest.mark.nightly  # it trains the model, half a minute
def test_the_weights_are_those_of_the_chapters_own_training(names):
    truth = written(names, finger.trained()["writer"])[1]
    assert written(names, names["writer"])[1] == truth, "run `python -m pages.finger`"


def start(page, where):
    """Open the chapter and load its model."""
    page.goto(f"{where}/{BOOK}")
    page.get_by_role("button", name="Load the trained model").click()
    expect(page.get_by_role("textbox", name="A date")).to_be_focused()
    return page


@pytest.fixture
def opened(page):
    page.context.set_offline(True)
    return start(page, HTML.as_uri())


def said(page):
    return page.locator(".said")


def row(page, number):
    return page.get_by_role("slider", name=f"Character {number}, ")


def test_a_date_is_written_and_a_row_moved_by_keys_changes_it(opened):
    expect(said(opened)).to_have_text("It writes 1999-06-12.")
    last = row(opened, 10)
    expect(last).to_have_accessible_name("Character 10, day, written 2")
    expect(last).to_have_attribute("aria-valuetext", "weight 0.90 on “2”, character 2 of 13")
    last.press("ArrowLeft")
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-valuetext", "weight 1.00 on “1”, character 1 of 13")
    told = "It writes 1999-06-11; with its own weights, 1999-06-12. Other than before: the day."
    expect(said(opened)).to_have_text(told)
    opened.get_by_role("button", name="Put all rows back").click()
    expect(said(opened)).to_have_text("It writes 1999-06-12.")


def pytorch(names, text, change):
    model = copy.deepcopy(names["writer"])
    attention = model.attention

    class Changed(torch.nn.Module):
        def forward(self, queries, keys, values, lens):
            _, weights = attention(queries, keys, values, lens, return_weights=True)
            self.attention_weights = change(weights)
            return self.attention_weights @ values

    model.attention = Changed()
    ys, _ = names["greedy"](model, *names["tensors"]([(text, "", "0000-00-00")])[:2])
    return "".join(names["DIGITS"][c] for c in ys[0])


def pushed(weights):
    edge = weights[..., :1] + weights[..., 1:2]
    return torch.cat([edge, weights[..., 2:], torch.zeros_like(edge)], dim=-1)


def test_changed_weights_write_what_pytorch_writes_with_them(opened, names):
    text, field = "3. october 2084", opened.get_by_role("textbox", name="A date")
    menu = opened.locator(".finger").get_by_role("combobox")
    field.fill(text)

    def alone():
        opened.get_by_role("button", name="Put all rows back").click()
        opened.get_by_role("checkbox", name="All rows move together").check()
        row(opened, 1).fill("3")

    for act, change in {
        lambda: menu.select_option("push: each weight one character to the left"): pushed,
        lambda: menu.select_option("mean: all weights equal"): lambda w: w * 0 + 1 / len(text),
        alone: lambda w: torch.eye(len(text))[3].expand_as(w),
    }.items():
        act()
        truth = f"It writes {pytorch(names, text, change)}; with its own weights, 2084-10-03."
        expect(said(opened)).to_contain_text(truth)
    # By place another order of parts is read wrongly.
    menu.select_option("place: the same places in every text")
    for date, told in (
        ("14.05.1962", "It writes 1962-05-14, as with its own weights."),
        ("1962. május 14.", "with its own weights, 1962-05-14. Other than before: the"),
    ):
        field.fill(date)
        expect(said(opened)).to_contain_text(told)


# At once, not letter by letter, as Playwright types in Firefox: each letter would be a date.
TYPE = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def test_what_cannot_be_read_is_said_and_the_last_date_stays(opened):
    field = opened.get_by_role("textbox", name="A date")
    for text, told, invalid in (
        ("", "Type a date.", "true"),
        ("   ", "Type a date.", "true"),
        ("12. juni 1999", "It writes 1999-06-12.", "false"),
        ("3 May <b>1984", "The model has never seen “M”, “<” and “>”. It knows small", "true"),
        ("日本", "The model has never seen “日” and “本”.", "true"),
        ("1" * 500, "That is more than 40 characters. The last date stays below.", "true"),
        ("😀" * 41, "That is more than 40 characters.", "true"),
    ):
        field.evaluate(TYPE, text)
        expect(said(opened)).to_contain_text(told)
        expect(field).to_have_attribute("aria-invalid", invalid)
        expect(row(opened, 10)).to_have_accessible_name("Character 10, day, written 2")
    field.fill("1" * 40)
    expect(said(opened)).to_contain_text("It writes")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_a_narrow_page_holds_it(page, theme):
    page.emulate_media(color_scheme=theme)
    start(page, HTML.as_uri()).get_by_role("textbox", name="A date").fill("heute ist freitag, der 24. dezember 2032")
    row(page, 9).press("ArrowRight")
    assert fits(page, 320)
    assert problems(page, ".finger") == []


def test_a_finger_on_glass_moves_a_row(phone):
    page, swipe = phone
    start(page, HTML.as_uri())
    row(page, 10).scroll_into_view_if_needed()
    x, y, wide, high = row(page, 10).bounding_box().values()
    swipe(*((x + wide * (place + 0.5) / 13, y + high / 2) for place in (1, 5, 9)))
    told = "weight 1.00 on “1”, character 10 of 13"
    expect(row(page, 10)).to_have_attribute("aria-valuetext", told)


def test_when_it_is_put_away_nothing_of_it_is_kept(opened):
    session = opened.context.new_cdp_session(opened)

    def held():
        """Bytes of arrays that something still holds."""
        for _ in range(2):  # what the first finds may hold more
            session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["backingStorageSize"]

    loaded, begin = held(), opened.get_by_role("button", name="Load the trained model")
    opened.get_by_role("button", name="Put the model away").click()
    expect(begin).to_be_focused()
    assert held() < loaded - 4 * 120_000 + 10_000
    begin.click()
    expect(said(opened)).to_have_text("It writes 1999-06-12.")


def test_a_model_that_does_not_come_is_said(own_page, served):
    own_page.route(f"**/{finger.WEIGHTS.name}*", lambda route: route.abort(), times=1)
    own_page.goto(f"{served}/{BOOK}")
    heavy = f"Load the trained model: {finger.WEIGHTS.stat().st_size / 1000:.0f} kB"
    own_page.get_by_role("button", name=heavy).click()
    expect(own_page.locator(".finger [aria-live]")).to_have_text(
        "That did not work: a part could not be fetched. Press again to try again."
    )
    own_page.get_by_role("button", name="Load the trained model").click()
    expect(said(own_page)).to_have_text("It writes 1999-06-12.")
