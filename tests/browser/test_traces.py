"""A function's lines in a real browser: the numbers beside them, and what readers do to them."""

import contextlib
import itertools
import linecache

import pytest
import torch
from accessible import problems
from drawn import PASTE, WIDGET
from hostile import PAYLOADS
from playwright.sync_api import expect

from d2lmini import DotProductAttention, masked_softmax
from kernelfree import texts
from kernelfree.script import script
from kernelfree.trace import trace

SCORES = torch.randn(2, 2, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
TENSORS = """(all) => all.map((node) => ({
  name: node.querySelector("b").textContent,
  cells: [...node.querySelectorAll("td")].map((td) =>
    (td.querySelector("input")?.value ?? td.textContent).replaceAll("\\u2212", "-")),
  from: [...node.querySelectorAll("td")].map((td) => td.classList.contains("from")),
}))"""


def tensors(page):
    return page.locator(".tensor").evaluate_all(TENSORS)


def field(page, name):
    return page.get_by_role("textbox", name=name, exact=True)


def watched():
    return trace(masked_softmax, scores=SCORES, valid_lens=[2, 3])


def attended():
    generator = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(1, n, d, generator=generator) for n, d in ((2, 3), (4, 3), (4, 2)))
    return trace(DotProductAttention(), queries=q, keys=k, values=v, valid_lens=[3])


LARGER = pytest.param(attended, marks=pytest.mark.nightly)


def looks(call):
    """What the lines of a call make, in the order of the page."""
    for line in call["lines"]:
        yield from line.get("makes", [])
        for inner in line.get("calls", []):
            yield from looks(inner)


def expected(figure):
    """The numbers beside every line, as PyTorch computes them."""
    values = figure._values()
    count = len(figure._state["graph"]["constants"])
    inputs = values[count : count + len(figure._inputs)]
    return inputs + [values[one["value"]] for one in looks(figure._state["source"])]


def check_numbers(page, figure):
    words = {"true": 1.0, "false": 0.0, "∞": float("inf"), "-∞": -float("inf")}
    for shown, truth in zip(tensors(page), expected(figure), strict=True):
        numbers = torch.tensor([words.get(t) or float(words.get(t, t)) for t in shown["cells"]])
        truth = truth.double().flatten()
        assert torch.allclose(numbers.double(), truth, atol=0.00501, equal_nan=True), shown["name"]


@pytest.mark.parametrize("make", [watched, LARGER])
def test_every_line_shows_what_pytorch_computes(show, make):
    figure = make()
    page = show(figure)
    check_numbers(page, figure)
    generator = torch.Generator().manual_seed(5)
    for _ in range(4):
        for name, one in figure._inputs.items():
            if one["dtype"] == "int64":
                new = torch.randint(0, 5, one["shape"], generator=generator)
            else:
                new = (3 * torch.randn(one["shape"], generator=generator)).round(decimals=2)
            figure.value = {name: new.double() if one["dtype"] == "float64" else new}
            places = itertools.product(*(range(1, size + 1) for size in one["shape"]))
            for place, number in zip(places, new.flatten().tolist(), strict=True):
                field(page, ", ".join([name, *map(str, place)])).fill(str(number))
        page.evaluate("document.activeElement.blur()")
        check_numbers(page, figure)


@pytest.mark.parametrize("make", [watched, LARGER])
def test_an_entry_comes_from_those_that_change_it(show, make):
    figure = make()
    page = show(figure)
    truth = expected(figure)[-1].flatten()

    def changes(name, shape, start, entry, cell):
        """Whether an entry that moves up or down moves a cell of the last tensor."""
        moved = False
        for step in (-1, 1):
            other = start.clone().reshape(-1)
            other[entry] += step
            with contextlib.suppress(ValueError):
                figure.value = {name: other.reshape(shape)}
                moved |= expected(figure)[-1].flatten()[cell].item() != truth[cell].item()
        figure.value = {name: start}
        return moved

    for cell in range(0, len(truth), 3):
        page.locator(".tensor").last.locator("td").nth(cell).dispatch_event("pointerenter")
        marked = tensors(page)
        for at, (name, one) in enumerate(figure._inputs.items()):
            start = torch.tensor(figure._state["start"][name], dtype=torch.float64)
            for entry in range(start.numel()):
                moved = changes(name, one["shape"], start, entry, cell)
                assert marked[at]["from"][entry] == moved, (name, entry, cell)


@pytest.mark.beyond
def test_what_is_no_number_stays_in_its_cell_and_the_last_good_picture_stays(show):
    page = show(watched())
    before = tensors(page)
    score, told = field(page, "scores, 1, 1, 2"), page.locator("[aria-live]")
    score.fill("seven")
    expect(score).to_have_attribute("aria-invalid", "true")
    expect(told).to_contain_text("“seven” is no number")
    assert tensors(page)[1:] == before[1:]
    for text, why in (("1.5", "no whole number"), ("5", "the number of keys, 4, got 5. The last")):
        field(page, "valid_lens, 1").fill(text)
        expect(told).to_contain_text(why)
    page.get_by_role("button", name="Reset").click()
    assert tensors(page) == before
    expect(score).to_have_attribute("aria-invalid", "false")
    page.get_by_role("button", name="Random").click()
    assert tensors(page) != before
    score.evaluate(PASTE, "1\t2\t3\t99\n-4\tinf\t6\n")
    cells = tensors(page)[0]["cells"]
    assert (cells[1:4], cells[5:8]) == (["1.00", "2.00", "3.00"], ["-4.00", "∞", "6.00"])


@pytest.mark.beyond
def test_keys_read_the_numbers_and_lines_say_what_they_read(show):
    page = show(watched())
    for _ in range(2):
        page.get_by_role("application", name="scores").press("ArrowRight")
    told = f"scores, batch 1, query 1, key 2: −{-SCORES[0, 0, 1]:.4f}."
    expect(page.locator("[aria-live]")).to_contain_text(told)
    page.get_by_text("weights = F.softmax").hover()
    read = page.locator(".reads b").all_text_contents()
    assert read[-1] == "scores"
    assert "seen" not in read, "line by line: softmax reads what torch.where has made"
    # Lines that did not run say so.
    idle = ["return F.softmax(", "lengths.check_kinds(valid", "lens = as_tensor(valid", "seen = torch.ones((1,) * len("]
    expect(page.locator(".idle > .text code")).to_contain_text(idle)


@pytest.mark.beyond
@pytest.mark.parametrize("make", [watched, LARGER])
def test_nothing_that_axe_finds(show, make):
    for ground, ink in ("#fff", "#1f242c"), ("#14161a", "#dde1e7"):  # the book's
        style = f"<style>body{{background:{ground};color:{ink}}}</style>"
        assert problems(show(make(), head=style)) == []


def test_source_title_and_typed_text_are_text(show, tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "MAX_SIGNS", 10_000)  # safety does not rest on it
    payloads = [text for text in PAYLOADS if text.isprintable()]  # of one line
    lines = [f"    # {text}" for text in payloads]
    path, names = tmp_path / "strange.py", {"__name__": "__main__"}
    path.write_text("\n".join(["import torch", "def strange(x):", *lines, "    return x + 1"]))
    exec(compile(path.read_text(), str(path), "exec"), names)
    linecache.checkcache()
    page = show(trace(names["strange"], title="".join(payloads), x=[1.0, 2.0]))
    for text in payloads:
        field(page, "x, 1").fill(text)
        expect(page.locator("[aria-live]")).to_contain_text(text)
    shown = page.locator(".text code").all_text_contents()
    assert [line.strip() for line in shown[1:-1]] == [f"# {text}" for text in payloads]
    assert page.locator(".title").text_content() == "".join(payloads)
    assert page.evaluate("window.hit") is None
    strange = ":is(img, svg, script, iframe, style, a, template, [onfocus], [onload])"
    assert page.locator(f".kernelfree-trace > div {strange}").count() == 0
    assert page.locator("main img, main script:not([type]) ~ script").count() == 0


def test_with_a_kernel_it_goes_both_ways_and_leaves_nothing(page):
    figure = watched()
    page.goto("about:blank")
    page.evaluate(WIDGET, [script("trace.mjs"), figure._state, figure.value])
    told = page.evaluate(
        """() => {
          const last = () => [...shown.querySelectorAll(".tensor")].at(-1).textContent;
          const first = last();
          const field = shown.querySelector("input");
          field.value = "2.5";
          field.dispatchEvent(new Event("input"));
          const typed = [model.get("value").scores[0][0][0], saved, last() !== first];
          model.set("value", model.get("_state").start);
          return [typed, last() === first, leave()];
        }"""
    )
    assert told == [[2.5, 1, True], True, [0, 0]]
