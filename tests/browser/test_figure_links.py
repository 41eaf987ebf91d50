"""Links in the text that move a figure: where they lead, and the numbers that stand around them."""

import re

import pytest
from opened import address, each_page
from serving import HTML

NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?%?")
NAMES = re.compile(r"\(\d+\.\d+\)|\(\d{4}\)|[Cc]hapter \d+")  # of equations, years and chapters

# What a paragraph computes from its figure's numbers, or takes from elsewhere.
COMPUTED = {
    # 1 / (1 - 0.64), and 1 - 0.64; in steps of 100,000: 14 of them, and 4000 times -4000.
    "04_masked_softmax": "2.8 0.36 1.4 4000 -4000",
    "05_batch_matrix_multiplication": "0.70",  # of the state in which the figure opens
    "06_scaled_dot_product_attention": "1.52",  # 1 / (1 - 0.34), before rounding
    # A day without a figure; steps of training, of which the figure has others.
    "11_learning_to_align": "19 75 50",
    # What the cell below it prints, and the length of the texts there.
    "13_what_heads_do": "32 200 0.005 3 7 10 16 64 3.6 2.2",
    # 789 / 16; 32 squared; bytes of a parameter beside its own two.
    "14_what_attention_costs": "48 1,024 14 11",
    "15_four_frameworks": "13",  # float16 has so many bits less
    "18_a_field_guide": "6.28",  # a whole turn, at a speed of 1
}

# Follow a link as a reader does; then whether its figure is in the state that it names, and all
# that the figure says.
FOLLOW = """async (link) => {
  const frames = async (n) => { while (n--) await new Promise(requestAnimationFrame); };
  const until = async (done) => {
    const end = performance.now() + 20_000;
    while (!done() && performance.now() < end) await frames(1);
  };
  const [id, state] = decodeURIComponent(link.hash.slice(1)).split("?");
  const wanted = [...new URLSearchParams(state).values()];
  const root = () => document.getElementById(id).querySelector(":scope > div")?.shadowRoot;
  const press = (name) => [...root().querySelectorAll("button")].find((button) =>
    button.textContent === name)?.click();
  const there = () => {
    // A slider's own number is a place among its values, not the value.
    const told = (input) => input.type === "checkbox" ? String(input.checked)
      : input.selectedOptions?.[0].textContent ??
        input.getAttribute("aria-valuetext") ?? input.value;
    // The numbers of a matrix stand side by side.
    const shown = [...root().querySelectorAll(".controls > *")].map((field) =>
      [...field.querySelectorAll("input, select")].map(told).join().replaceAll("\u2212", "-"));
    const same = (one, other) => one === other || (one && Number(one) === Number(other));
    return wanted.every((value) => shown.some((text) => same(text, value)));
  };
  link.click();
  await until(root);
  press("Skip the question");
  await until(there);
  // Another control may have this value already: wait until nothing moves.
  const still = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await frames(2);
  };
  for (let last; last !== (last = root().textContent); ) await still();
  if (!root().querySelector(".numbers table")) press("Numbers");
  await frames(3);
  const shown = [...root().children].filter((part) => part.tagName !== "STYLE");
  return [there(), shown.map((part) => part.innerText).join(" ")];
}"""


def plain(text):
    return text.replace("\u2212", "-")


def number(text):
    return float(text.rstrip("%").replace(",", ""))


def agrees(quoted, shown):
    """Whether a number is a shown one, rounded; a share may be quoted in percent."""
    half = 0.5 * 10.0 ** -len(quoted.rstrip("%").partition(".")[2]) + 1e-9
    factors = (1, 100) if quoted.endswith("%") else (1,)
    return any(abs(factor * one - number(quoted)) <= half for one in shown for factor in factors)


@pytest.mark.parametrize(("quoted", "right"), [("0.45", True), ("45%", True), ("0.44", False)])
def test_a_number_agrees_when_it_is_rounded(quoted, right):
    assert agrees(quoted, [3.0, 0.4512]) == right


@each_page("beyond")
def test_a_link_leads_to_its_state_and_the_text_quotes_that_states_numbers(chapter, page):
    page.goto(address(chapter, HTML.as_uri()))
    page.evaluate("document.querySelectorAll('details').forEach((fold) => fold.open = true)")
    links = page.locator("main :is(p, li, td) a[href^='#figure-'][href*='?']")
    around = {}
    for link in links.all():
        there, told = link.evaluate(FOLLOW)
        assert there, link.get_attribute("href")
        text = link.evaluate("link => link.closest('p, li, td').innerText")
        around.setdefault(text, []).extend(map(number, NUMBER.findall(plain(told))))
    elsewhere = COMPUTED.get(chapter.stem, "").split()
    for text, shown in around.items():
        quoted = NUMBER.findall(NAMES.sub("", plain(text)))
        wrong = [one for one in quoted if one not in elsewhere and not agrees(one, shown)]
        assert not wrong, text
