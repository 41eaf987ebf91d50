"""What axe finds in a page, and whether a page is as wide as its window."""

from axe_playwright_python.sync_playwright import Axe
from exhaustive import EXHAUSTIVE

AXE = Axe().axe_script
# Reading colours takes most of its time: meanwhile no table has more than three rows in view.
ROWS = "tbody > tr:nth-child(n + 4)"
# A figure hears of another scheme or width in the frame after.
FIND = """async ([context, alike]) => {
  await new Promise((heard) => requestAnimationFrame(() => requestAnimationFrame(heard)));
  const hosts = [...document.querySelectorAll("[class^=kernelfree-] > div")];
  const roots = [document, ...hosts.map((host) => host.shadowRoot ?? host)];
  const parts = roots.flatMap((root) => (alike ? [...root.querySelectorAll(alike)] : []));
  for (const part of parts) part.style.visibility = "hidden";
  const options = { preload: false, resultTypes: ["violations"], selectors: false };
  const { violations } = await axe.run(context, options);
  for (const part of parts) part.style.removeProperty("visibility");
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]);
}"""


def problems(page, within=None, alike=()):
    """All that it finds, in the whole page or in what a selector finds there; it reads no colours
    of parts that are alike."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    context = {"include": [[within]]} if within else {"exclude": []}
    return page.evaluate(FIND, [context, None if EXHAUSTIVE else ", ".join([ROWS, *alike])])


def fits(page, width, height=800):
    """Whether a page in a window so wide needs no scrolling sideways."""
    page.set_viewport_size({"width": width, "height": height})
    return page.evaluate("document.documentElement.scrollWidth") <= width
