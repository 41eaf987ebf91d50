"""Links in the text that move a figure: where they lead, and the numbers that stand around them."""

import re
from urllib.parse import unquote

from opened import STANDS, address, each_page
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


def plain(text):
    return text.replace("\u2212", "-")


def number(text):
    return float(text.rstrip("%").replace(",", ""))


def agrees(quoted, shown):
    """Whether a number is a shown one, rounded; a share may be quoted in percent."""
    half = 0.5 * 10.0 ** -len(quoted.rstrip("%").partition(".")[2]) + 1e-9
    factors = (1, 100) if quoted.endswith("%") else (1,)
    return any(abs(factor * one - number(quoted)) <= half for one in shown for factor in factors)


@each_page("beyond")
def test_a_link_leads_to_its_state_and_the_text_quotes_that_states_numbers(chapter, page):
    page.goto(address(chapter, HTML.as_uri()))
    page.evaluate("document.querySelectorAll('details').forEach((fold) => fold.open = true)")
    page.evaluate("document.querySelectorAll('.katex-mathml').forEach((twice) => twice.remove())")
    links = page.locator("main :is(p, li, td) a[href^='#figure-'][href*='?']")
    around = {}
    for link in links.all():
        link.evaluate("link => link.click()")
        target = unquote(link.get_attribute("href"))
        there, told, _ = page.evaluate(STANDS, target[1:].split("?"))
        assert there, target
        text = link.evaluate("link => link.closest('p, li, td').innerText")
        around.setdefault(text, []).extend(map(number, NUMBER.findall(plain(told))))
    elsewhere = COMPUTED.get(chapter.stem, "").split()
    for text, shown in around.items():
        quoted = NUMBER.findall(NAMES.sub("", plain(text)))
        wrong = [one for one in quoted if one not in elsewhere and not agrees(one, shown)]
        assert not wrong, text
