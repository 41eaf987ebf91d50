"""The book where others host it: under a path, in frames, two editions beside each other."""

from contextlib import ExitStack

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


FRAMES = {"": 1, "; frame-ancestors 'self' {host}": 1, "; frame-ancestors 'self' https://moodle.uni.example": 0}


def test_who_may_show_a_page_in_a_frame(own_page, tmp_path):
    with ExitStack() as servers:
        framing = {"policy": "default-src 'self'; frame-src http://127.0.0.1:*"}
        host = servers.enter_context(serve(tmp_path, type("Course", (Files,), framing)))
        frames = []
        for more in FRAMES:
            policy = {"policy": Strict.policy + more.format(host=host)}
            book = servers.enter_context(serve(HTML, type("Policy", (Files,), policy)))
            frames.append(f'<iframe src="{book}/chapters/index.html"></iframe>')
        (tmp_path / "course.html").write_text("".join(frames))
        own_page.goto(f"{host}/course.html", wait_until="networkidle")
        heads = [one.evaluate("document.querySelectorAll('article h1').length") for one in own_page.frames[1:]]
    assert heads == list(FRAMES.values())


def test_the_one_file_is_a_download_since_a_strict_policy_stops_its_script(hosted, own_page):
    own_page.add_init_script(WATCH)
    own_page.goto(hosted)
    link = own_page.get_by_role("link", name="one file")
    assert link.get_attribute("download") is not None
    with own_page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "attention-scoring-functions.html"
    # Its ten megabytes need not all be here.
    own_page.goto(f"{hosted}/attention-scoring-functions.html", wait_until="commit")
    own_page.wait_for_function("refused.some((what) => what.includes('script-src'))")
