"""The pages under `Content-Security-Policy: default-src 'self'`: nothing is refused or moved."""

import pytest
from accessible import problems
from by_hand import figure, use
from content import colors, shown
from exhaustive import ANOTHER_BROWSER, EXHAUSTIVE
from living import looking
from living import use as look_around
from playwright.sync_api import expect
from serving import HTML, WATCH, Strict, serve

from kernelfree import explore

FEW = ["index", "chapters/index", "chapters/08_scoring_functions_compared", "search"]
PAGES = sorted(str(path.relative_to(HTML).with_suffix("")) for path in HTML.rglob("*.html")) if EXHAUSTIVE else FEW
# One file that holds its own script, and one that is served for addresses that do not exist.
ALONE = {"attention-scoring-functions", "404"}

# Where each part of a formula stands, as classes say it and as KaTeX's own styles would.
MEASURE = """() => {
  const parts = [...document.querySelectorAll(".katex-html, .katex-html *")];
  const boxes = () => parts.map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x, y, width, height].map((value) => value.toFixed(2)).join();
  });
  const byClasses = boxes();
  for (const part of parts) {
    const named = [...part.classList].filter((name) => name.includes(":"));
    part.classList.remove(...named);
    part.style.cssText = named.map((name) => name.replaceAll("_", " ")).join(";");
  }
  const byStyles = boxes();
  return byClasses.filter((box, i) => box !== byStyles[i]).length;
}"""


@pytest.fixture(scope="module")
def strict():
    with serve(HTML, Strict) as address:
        yield address


def look_on(page, made):
    """A figure of an author's own content: its picture is drawn, and moves."""
    expect(page.get_by_role("img", name="a diagonal of 1")).to_have_count(1)
    page.locator("[type=range]").press("ArrowRight")
    expect(page.get_by_role("img", name="a diagonal of 2")).to_have_count(1)
    assert colors(page, (0.3, 0.1), (0.1, 0.1)) == [[255, 255, 255, 255], [255, 255, 255, 255]]
    assert problems(page, ".kernelfree-figure") == []


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A site of saved figures, of which one is live, that share a script; the figures."""
    folder = tmp_path_factory.mktemp("saved")
    made = {"hands & co.html": figure(), "looking.html": looking(), "content.html": explore(shown, size=[1, 2])}
    for name, one in made.items():
        one.save(folder / name, script="figures.js")
    return folder, made


@pytest.fixture(scope="module")
def strict_site(saved):
    with serve(saved[0], Strict) as address:
        yield address


@pytest.mark.parametrize("name", [name for name in PAGES if name.split("/")[-1] not in ALONE])
def test_a_strict_policy_refuses_nothing(strict, page, name):
    page.add_init_script(WATCH)
    scheme = "light" if ANOTHER_BROWSER else "dark"
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{strict}/{name}.html")
    for _ in range(int(page.evaluate("document.body.scrollHeight / innerHeight")) + 1):
        page.mouse.wheel(0, 900)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("refused") == []
    assert page.evaluate("document.documentElement.dataset.theme") == scheme


def test_a_search_in_another_edition_runs_no_text(strict, page):
    page.add_init_script(WATCH)
    page.goto(f"{strict}/zh/search.html?q=softmax")
    expect(page.locator("#search-results li").first).to_be_visible()
    assert page.evaluate("refused") == []


def test_formulas_stand_as_katex_sets_them(served, page):
    page.goto(f"{served}/chapters/08_scoring_functions_compared.html", wait_until="networkidle")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    page.evaluate("document.fonts.ready")
    assert page.locator(".katex-html .mfrac").count() > 5
    assert page.evaluate(MEASURE) == 0


@pytest.mark.beyond
def test_saved_figures_live_under_a_strict_policy(strict_site, page, saved):
    page.add_init_script(WATCH)
    told = []
    page.on("console", lambda message: told.append(message.text))
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # browsers ask for it
    for (name, made), moves in zip(saved[1].items(), (use, look_around, look_on), strict=True):
        page.goto(f"{strict_site}/{name}")
        moves(page, made)
        assert page.evaluate("getComputedStyle(document.body).maxWidth") == "960px"
        assert page.evaluate("refused") == []
    assert told == []


def test_they_live_on_a_disk_and_show_their_picture_without_scripts(page, saved, still, strict_site):
    page.context.set_offline(True)
    name, one = next(iter(saved[1].items()))
    page.goto((saved[0] / name).as_uri())
    use(page, one)
    still.goto(f"{strict_site}/{name}")
    picture = still.locator("img").first
    assert picture.evaluate("async (img) => (await img.decode(), img.naturalWidth)") > 100
