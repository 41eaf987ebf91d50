"""What axe finds in a page, and whether a page is as wide as its window."""

from axe_playwright_python.sync_playwright import Axe
from exhaustive import EXHAUSTIVE

AXE = Axe().axe_script
# Reading colours takes most of its time: meanwhile every table has three rows, and what is plain
# a letter.
FIND = """async ([context, plain]) => {
  const hosts = [...document.querySelectorAll("[class^=kernelfree-] > div")];
  const back = [];
  for (const root of plain ? [document, ...hosts.map((host) => host.shadowRoot ?? host)] : [])
    for (const part of root.querySelectorAll(plain)) {
      const nodes = [...part.childNodes];
      back.push(() => part.replaceChildren(...nodes));
      part.replaceChildren(...(part.matches("tbody") ? [...part.rows].slice(0, 3) : ["x"]));
    }
  const options = { preload: false, resultTypes: ["violations"], selectors: false };
  const { violations } = await axe.run(context, options);
  for (const restore of back.reverse()) restore();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]);
}"""


def problems(page, within=None, plain=()):
    """All that it finds, in the whole page or in what a selector finds there."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    context = {"include": [[within]]} if within else {"exclude": []}
    return page.evaluate(FIND, [context, None if EXHAUSTIVE else ", ".join(["tbody", *plain])])


def fits(page, width, height=800):
    """Whether a page in a window so wide needs no scrolling sideways."""
    page.set_viewport_size({"width": width, "height": height})
    return page.evaluate("document.documentElement.scrollWidth") <= width
