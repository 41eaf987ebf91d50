"""A figure with an arrow to drag and a word to touch, and hands that do so."""

from drawn import place
from playwright.sync_api import expect

from d2lmini import Arrows, Plane, Words, explore

STEPS = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]
WORDS = ["one", "two", "three"]


def hands(x=1.0, y=0.5, word="two"):
    """An arrow and words, and what they say."""
    weights = [float(one == word) for one in WORDS]
    return {
        "plane": Plane({"query": Arrows((x, y))}, drag={"query": ("x", "y")}),
        "words": Words(WORDS, weights, touch="word"),
        "says": f"The query is ({x:g}, {y:g}), the word is {word}.",
    }


def figure():
    return explore(hands, x=STEPS, y=STEPS, word=WORDS)


def says(page, x, y, word, touched=False):
    """The sentence below; while a word is touched, its reading stands in the sentence's place."""
    text = f"The query is ({x:g}, {y:g}), the word is {word}."
    expect(page.get_by_text(text, exact=True)).to_be_visible(visible=not touched)


def use(page, made, within=".kernelfree-figure > div"):
    """Drag the arrow, touch a word, move the arrow by keys: the text and the sliders follow."""
    host = page.locator(within).first
    host.scroll_into_view_if_needed()
    canvas = host.locator("canvas").first
    says(page, 1, 0.5, "two")
    page.mouse.move(*place(made, canvas, 1.0, 0.5))
    assert canvas.evaluate("(node) => getComputedStyle(node).cursor") == "grab"
    page.mouse.down()
    page.mouse.move(*place(made, canvas, 0.1, 0.4), steps=3)
    page.mouse.move(*place(made, canvas, -1.4, 1.1), steps=3)
    page.mouse.up()
    says(page, -1.5, 1, "two")
    assert host.locator("b").all_text_contents() == ["\u22121.5", "1"]
    host.get_by_text("three", exact=True).locator("visible=true").last.click()
    says(page, -1.5, 1, "three", touched=True)
    page.mouse.move(1, 1)
    says(page, -1.5, 1, "three")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    says(page, -1, 1, "three")
    page.keyboard.press("ArrowDown")
    says(page, -1, 0.5, "three")
