"""The printed book is the spine, then what it folds; what stays on the web alone is named."""

from collections import Counter

import lxml.html
import pytest

from pages import printed as pdf

BOOK = """<main>
<article id="p0" data-file="index"><h1>Welcome<a class="headerlink">#</a></h1>
  <p>Read <a href="#p1">one</a>, <a href="#p1-why">why</a>, <a href="#p2">touch</a>.</p></article>
<article id="p1" data-file="01_one"><h1>1. One<a class="headerlink">#</a></h1>
  <div class="cell tag_hide-input"><details><summary>code</summary>draw()</details>drawn</div>
  <div class="cell tag_hide-cell"><details><summary>(1.1) checked</summary>assert</details></div>
  <section class="fold" id="p1-why"><details><summary><h4>Why?</h4>
    </summary><p>Because.</p><p id="p1-eq-1.1">One.</p>
    <div class="cell tag_hide-cell"><details><summary>Check</summary>inside</details></div>
    <section class="fold" id="p1-in"><details><summary><h4>Inner</h4></summary>In.</details>
    </section></details></section>
  <section><h2>Code</h2><details><summary>What pad does</summary><p>It fills.</p></details>
    <div class="elsewhere"><details><summary>JAX</summary>jnp</details></div></section>
  <section class="quiz"><h2>Quiz</h2>
    <div class="question"><p>2 + 2?</p>
      <details><summary>3</summary><p>No. More.</p></details>
      <details class="right"><summary>4</summary><p>Yes. It is.</p></details></div>
    <div class="question"><p>1 + 1?</p>
      <details class="right"><summary>2</summary><p>Yes. It is.</p></details>
      <details><summary>11</summary><p>No. Less.</p></details></div></section>
  <section class="exercises"><h2>Exercises</h2>
    <section class="exercise"><h3>Exercise 1.1: try (easy)<a class="headerlink">#</a></h3>
      <p>Try.</p>
      <details class="hint"><summary>Hint</summary><p>Look.</p></details>
      <div class="cell tag_solution tag_hide-cell"><details>
        <summary>
          <p>Show Solution 1.1</p>
          <p>Hide Solution 1.1</p></summary>
        <pre>%s</pre><pre>4 + 4</pre></details></div>
      <details><summary>What it says</summary><p>Eight.</p></details></section></section>
  <section class="review"><h2>Review<a class="headerlink">#</a></h2><p>What stays?</p></section>
</article>
%s
</main>"""


@pytest.fixture
def printed():
    alone = '<article id="p{0}" data-file="{1}"><h1>{1}</h1></article>'
    alone = "".join(alone.format(n, name) for n, name in enumerate(pdf.WEB_ALONE, 2))
    tree = lxml.html.document_fromstring(BOOK % ("7 + 1\n" * 50, alone))
    pdf.arrange(tree)
    return lxml.html.document_fromstring(lxml.html.tostring(tree))


@pytest.fixture
def back(printed):
    return printed.get_element_by_id("p1-back")


def said(node):
    return " ".join(node.text_content().split())


def test_the_spine_comes_first_then_the_back_of_each_chapter_that_folds(printed, back):
    assert [a.get("id") for a in printed.findall(".//article")] == ["p0", "p1", "p1-back"]
    headings = "; ".join(f"{h.tag} {said(h)}" for h in back.iter("h1", "h2", "h3", "h4"))
    folded = "h1 At the back: 1. One; h2 Folded sections; h3 Why?; h3 Inner; h3 What pad does"
    assert headings == f"{folded}; h2 Hints; h3 Hint 1.1; h2 Solutions; h3 Solution 1.1; h3 What it says"
    assert not printed.findall(".//details")


def test_what_is_folded_stands_at_the_back_and_only_there(printed, back):
    spine = said(printed.get_element_by_id("p1"))
    for words in ("Because.", "In.", "It fills.", "Look.", "4 + 4", "Eight."):
        assert words not in spine
        assert said(back).count(words) == 1
    for words in ("drawn", "2 + 2?", "Try."):
        assert words in spine
        assert words not in said(back)
    # Code of figures, checks, other frameworks and reviews are left out.
    for closed in ("draw()", "assert", "(1.1) checked", "inside", "jnp", "What stays?", "Hide"):
        assert closed not in said(printed)
    # Short code is marked to stay on one page.
    assert [pre.get("class") for pre in back.iter("pre")] == [None, "short"]


def test_a_line_in_place_of_a_fold_leads_to_it(printed):
    lines = {said(line.find("a")): line for line in printed.find_class("at-back")}
    folds = "Why?, What pad does, Answers, Hint 1.1, Solution 1.1, What it says, Inner"
    assert ", ".join(lines) == folds
    assert said(lines["Why?"]) == "At the back: Why?, page 000."
    ids = Counter(node.get("id") for node in printed.iter() if node.get("id"))
    assert set(ids.values()) == {1}
    assert {"p1-why", "p1-in", "p1-eq-1.1"} <= ids.keys()
    places = {name: line.find("a").get("href")[1:] for name, line in lines.items()}
    assert said(printed.get_element_by_id(places.pop("Answers"))) == "Quiz: 1 B, 2 A."
    for name, place in places.items():
        assert said(printed.get_element_by_id(place).find("h3")) == name


def test_a_quiz_keeps_its_choices_and_its_answers_stand_at_the_back(printed, back):
    first, second = printed.find_class("question")
    assert [li.text_content() for li in first.iter("li")] == ["3", "4"]
    assert [li.text_content() for li in second.iter("li")] == ["2", "11"]
    assert "It is." not in said(printed)
    assert "Quiz: 1 B, 2 A." in said(back)


def test_what_is_on_the_web_alone_is_named_once_at_the_end(printed, back):
    named = said(back[-1])
    assert back[-1].get("id") == "web-alone"
    assert pdf.HOME in named
    assert all(name in named for name in pdf.WEB_ALONE)
    assert said(printed).count(pdf.HOME) == 1
    others = {path.stem for path in (pdf.ROOT / "chapters").glob("[!0-9]*.ipynb")}
    assert others - {*pdf.WEB_ALONE} == {"index", "notation", "glossary", "references"}
    # A link to it is text.
    welcome = printed.get_element_by_id("p0")
    assert [link.get("href") for link in welcome.iter("a")] == ["#p1", "#p1-why"]
    assert "Read one, why, touch." in said(welcome)
