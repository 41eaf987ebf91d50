"""The examples that the book was asked for stand in the open, with their sliders."""

import pytest

import chapters
from tools import metadata, minutes

# Page -> the title of a figure, and the sliders and switches that it was asked for.
TOYS = [
    ("index", "Before training", "length d divide"),
    ("04_masked_softmax", "A length for each example", "len_1 len_2"),
    ("04_masked_softmax", "A length for each query", "q_11 q_12 q_21 q_22"),
    ("05_batch_matrix_multiplication", "Three stalls in one box", "size_1 size_2 size_3 filler mask"),
    ("06_scaled_dot_product_attention", "Two examples, ten keys", "len_1 len_2 d divide equal"),
    ("07_additive_attention", "Ten keys and a longer query", "len_1 len_2 d h equal"),
    ("08_scoring_functions_compared", "Ten keys, four scores", "len_1 len_2 d"),
]


@pytest.mark.parametrize(("name", "title", "controls"), TOYS)
def test_a_toy_example_is_a_heatmap_in_the_open_with_its_sliders(name, title, controls):
    page = next(page for page in chapters.pages() if page.stem == name)
    outputs = [str(getattr(part, "outputs", "")) for part in minutes.before(chapters.read(page), metadata.QUIZ)]
    shown = [one for one in outputs if f"Figure: {title}\n" in one.replace("\\n", "\n")]
    assert len(shown) == 1, f"{title} is folded, or gone"
    states = [state for _, state in chapters.stored_figures(page) if state["title"] == title]
    assert [control["name"] for control in states[0]["controls"]] == controls.split()
    assert "heatmap" in {panel["kind"] for panel in states[0]["panels"]}
