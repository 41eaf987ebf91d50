"""The book where others host it: under a path, in frames, two editions beside each other."""

import pytest
from playwright.sync_api import expect
from serving import HTML, WATCH, Files, Strict, serve

PATH = "/courses/attention"


class Hosted(Strict):
    """A server that lets browsers guess no type."""

    def end_headers(self):
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()


@pytest.fixture
def hosted(tmp_path):
    """The book under a path of a strict server."""
    (tmp_path / "courses").mkdir()
    (tmp_path / PATH[1:]).symlink_to(HTML)
    with serve(tmp_path, Hosted) as address:
        yield f"{address}{PATH}"


def test_under_a_path_nothing_is_asked_for_outside_it(hosted, page):
    answers = []
    page.on("response", lambda answer: answers.append((answer.status, answer.url)))
    page.add_init_script(WATCH)
    page.goto(hosted)
    page.get_by_role("link", name="4. Masked softmax").first.click()
    expect(page.locator("h1")).to_contain_text("Masked softmax")
    page.locator(".kernelfree-figure").first.scroll_into_view_if_needed()
    expect(page.locator(".kernelfree-figure[data-alive]").first).to_be_visible()
    page.get_by_role("searchbox").fill("padding")
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator("#search-results li .context").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("refused") == []
    assert len(answers) > 20
    assert [told for told in answers if told[0] >= 400 or f"{hosted}/" not in f"{told[1]}/"] == []


FRAMES = {
    "": True,
    "; frame-ancestors 'self' {host}": True,
    "; frame-ancestors 'self' https://moodle.uni.example": False,
}


@pytest.mark.parametrize("more", FRAMES)
def test_who_may_show_a_page_in_a_frame(more, browser, tmp_path):
    class Policy(Files):
        policy = "default-src 'self'"

    class Course(Files):
        policy = "default-src 'self'"

    with serve(HTML, Policy) as book, serve(tmp_path, Course) as host:
        Policy.policy += more.format(host=host)
        Course.policy += f"; frame-src {book}"
        (tmp_path / "course.html").write_text(f'<iframe src="{book}/chapters/index.html"></iframe>')
        page = browser.new_page()
        page.goto(f"{host}/course.html", wait_until="networkidle")
        shown = page.frames[1].get_by_role("heading", level=1).count()
        page.close()
    assert bool(shown) == FRAMES[more]


def test_the_one_file_is_a_download_since_a_strict_policy_stops_its_script(hosted, browser):
    page = browser.new_page()
    page.add_init_script(WATCH)
    page.goto(hosted)
    link = page.get_by_role("link", name="one file")
    assert link.get_attribute("download") is not None
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "attention-scoring-functions.html"
    # Its ten megabytes need not all be here.
    page.goto(f"{hosted}/attention-scoring-functions.html", wait_until="commit")
    page.wait_for_function("refused.some((what) => what.includes('script-src'))")
    page.close()


def test_an_edition_beside_another_finds_the_answers(browser, tmp_path):
    for edition in ("2026-09", "2027-03"):
        (tmp_path / edition).symlink_to(HTML)
    chapter = "chapters/01_queries_keys_values.html"
    with serve(tmp_path) as address:
        page = browser.new_context().new_page()
        page.goto(f"{address}/2026-09/{chapter}")
        page.locator(".question summary").first.click()
        expect(page.locator(".question .answered").first).not_to_be_empty()
        page.goto(f"{address}/2027-03/{chapter}")
        expect(page.locator(".question .answered").first).to_contain_text("You answered")
        page.context.close()
