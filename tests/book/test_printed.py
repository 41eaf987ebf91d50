"""The printed book is the spine: what is folded stays on the web, and the print says where."""

import lxml.html
import pdf
import pytest

HOME = pdf.HOME
BOOK = """<main>
<article id="p0" data-file="index"><h1>Welcome<a class="headerlink">#</a></h1>
  <p>Read <a href="#p1">one</a>, <a href="#p1-why">why</a>, <a href="#p2">touch</a>.</p></article>
<article id="p1" data-file="01_one"><h1>1. One</h1>
  <div class="cell tag_hide-input"><details><summary>code</summary>draw()</details>figure</div>
  <div class="cell tag_hide-cell"><details><summary>(1.1) checked</summary>assert</details></div>
  <section class="fold" id="p1-why"><details><summary><h3>Why?</h3></summary>Because.
    <section class="fold"><details><summary><h4>Inner</h4></summary>In.</details></section>
  </details></section>
  <section><h2>Quiz</h2>
    <div class="question"><p>2 + 2?</p>
      <details><summary>3</summary><p>No. More.</p></details>
      <details><summary>4</summary><p>Yes. It is.</p></details></div>
    <div class="question"><p>1 + 1?</p>
      <details><summary>2</summary><p>Yes. It is.</p></details>
      <details><summary>11</summary><p>No. Less.</p></details></div></section>
  <section><h2>Exercises</h2><p>Try.</p><details><summary>Hint</summary>Look.</details></section>
  <section><h2>Review</h2><p>What stays?</p></section></article>
%s
</main>"""


@pytest.fixture
def printed():
    alone = "".join(
        f'<article id="p{n}" data-file="{name}"><h1>{name}</h1></article>'
        for n, name in enumerate(pdf.WEB_ALONE, 2)
    )
    tree = lxml.html.document_fromstring(BOOK % alone)
    pdf.spine(tree)
    return tree


def test_folds_code_of_figures_checks_and_hints_are_left_out(printed):
    text = printed.text_content()
    for folded in ("Because.", "In.", "draw()", "assert", "(1.1) checked", "Look.", "What stays?"):
        assert folded not in text
    for open_one in ("figure", "2 + 2?", "Try."):
        assert open_one in text


def test_a_line_says_what_is_on_the_web_and_where(printed):
    line = printed.find_class("on-the-web")[0].text_content()
    assert line.startswith("Why?: these, ")
    assert "Inner" not in line
    assert f"{HOME}chapters/01_one.html" in line
    assert len(printed.find_class("on-the-web")) == 1, "the welcome page folds nothing"


def test_a_quiz_keeps_its_choices_and_its_answers_stand_at_the_back(printed):
    first, second = printed.find_class("question")
    assert [li.text_content() for li in first.iter("li")] == ["3", "4"]
    assert [li.text_content() for li in second.iter("li")] == ["2", "11"]
    assert "Yes." not in printed.text_content()
    back = printed.findall(".//article")[-1].text_content()
    assert "1. One: 1 B, 2 A." in back


def test_pages_that_want_a_browser_are_named_at_the_back(printed):
    assert [a.get("data-file") for a in printed.findall(".//article")] == ["index", "01_one", None]
    named = printed.get_element_by_id("web-alone").text_content()
    assert HOME in named
    assert all(name in named for name in pdf.WEB_ALONE)


def test_a_link_to_what_is_not_printed_is_text(printed):
    links = [link.get("href") for link in printed.findall(".//a[@href]")]
    assert links == ["#p1"]
    assert "Read one, why, touch." in " ".join(printed.text_content().split())


def test_the_pages_that_are_left_out_are_pages_of_the_book():
    names = {path.stem for path in (pdf.ROOT / "chapters").glob("*.ipynb")}
    assert set(pdf.WEB_ALONE) <= names
