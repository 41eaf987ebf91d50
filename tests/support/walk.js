// Walks through a lesson. Each text of the spine must stand whole on some screen, in letters of `floor` px at
// least; nothing that is shown may stand outside the screen.
export default async (floor) => {
  const left = `h1 + p, h1, h2, h3, h4, details, form, script, .headerlink, .copybtn, .in-colab, .elsewhere,
    .how-to-answer, .quiz > p, .exercise > .cell, .exercise > .cell ~ *, .review, .exercises ~ section,
    .tag_hide-cell, .still, .katex-mathml, .answered`;
  const article = document.querySelector("article.lesson");
  const isLeft = (node) => {
    for (let up = node; up !== article; up = up.parentElement)
      if (
        up.matches(left) &&
        !(up.matches(".fold > details") && /\btrap\b/.test(up.parentElement.id)) &&
        !(up.matches(".question > details") && node.closest("summary"))
      )
        return true;
    return false;
  };
  const texts = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.data) && !text.parentElement.closest("script, style, .katex-mathml"))
        found.push(text);
    return found;
  };
  const rectsOf = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const sizeOf = (node) => {
    const base = node.closest?.(".katex") ?? node;
    const group = base.getRootNode().querySelector?.("[role=group]");
    const zoom = base.getRootNode() === document ? 1 : group.getBoundingClientRect().width / group.offsetWidth;
    return parseFloat(getComputedStyle(base).fontSize) * zoom;
  };
  const wanted = new Map();
  for (const text of texts(article)) if (!isLeft(text.parentElement)) wanted.set(text, new Set());
  const figures = new Set(
    [
      ...article.querySelectorAll(".kernelfree-figure, .kernelfree-trace, .kernelfree-sentence, .cell_output img"),
    ].filter((one) => !isLeft(one)),
  );
  // Lines of functions that are traced, but for those in calls that are closed.
  const lines = new Set(
    [...figures]
      .flatMap((figure) => [
        ...(figure.querySelector(":scope > div")?.shadowRoot.querySelectorAll(".row > .text") ?? []),
      ])
      .filter((line) => !line.closest("details:not([open])")),
  );
  const wrong = [];
  const last = () =>
    document
      .querySelector(".lesson-bar")
      .textContent.match(/(\d+) \/ (\d+)/)
      .slice(1)
      .map(Number);
  for (;;) {
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done));
    const [at, all] = last();
    const say = (what, node) =>
      wrong.push(`${at}: ${what} ${(node.data ?? node.textContent ?? "").trim().slice(0, 60)}`);
    const bottom = innerHeight;
    const inside = ({ top, left, right, bottom: low }) =>
      top >= -1 && left >= -1 && right <= innerWidth + 1 && low <= bottom + 1;
    for (const text of texts(document.querySelector("main"))) {
      const parent = text.parentElement;
      if (
        !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        parent.closest(".lesson-status")
      )
        continue;
      if (parent.closest("h1:not(.shown)")) continue; // heard, not seen
      const head = parent.closest("h1, h2, h3, summary");
      if (head?.closest(".alone") && head.closest(".shown") === head) continue;
      if (sizeOf(parent) < floor - 0.05) say(`${sizeOf(parent).toFixed(1)} px`, text);
      const clip = parent.closest(".clipped")?.getBoundingClientRect();
      rectsOf(text).forEach((rect, i, { length }) => {
        if (clip && (rect.top < clip.top - 1 || rect.bottom > clip.bottom + 1)) return;
        if (!inside(rect)) return say("outside", text);
        const seen = wanted.get(text);
        if (seen) {
          seen.add(i);
          seen.all = length;
        }
      });
    }
    for (const figure of [...figures]) {
      if (!figure.checkVisibility({ visibilityProperty: true })) continue;
      const root = figure.querySelector(":scope > div")?.shadowRoot;
      const group = root?.querySelector("[role=group]");
      const box = (group ?? figure).getBoundingClientRect();
      if (!inside(box))
        say(`outside: ${Object.values(box.toJSON()).map(Math.round)}`, { data: figure.id ?? figure.alt });
      if (figure.matches("img") ? box.height > innerHeight / 4 : group) figures.delete(figure);
      for (const text of root ? texts(root) : [])
        if (
          text.parentElement.checkVisibility() &&
          !text.parentElement.closest("option, .unseen, .words") &&
          sizeOf(text.parentElement) < floor - 0.3
        )
          say(`${sizeOf(text.parentElement).toFixed(1)} px in a figure:`, text);
      for (const text of root ? root.querySelectorAll(".words > *") : [])
        if (text.checkVisibility() && sizeOf(text) < floor - 0.3) say(`${sizeOf(text).toFixed(1)} px in words:`, text);
    }
    for (const line of lines) if (line.checkVisibility()) lines.delete(line);
    const boxes = [...article.querySelectorAll("pre, div.math, .pst-scrollable-table-container")];
    for (const box of boxes) if (box.checkVisibility() && box.scrollWidth > box.clientWidth + 2) say("too wide", box);
    const seen = (one) => one.checkVisibility({ visibilityProperty: true });
    for (const { parentElement: table, rows } of article.querySelectorAll("tbody"))
      if (seen(table) && ![...rows].some(seen)) say("no row of", table);
    if (at === all) break;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    if (last()[0] === at) {
      say("no way on", document.createTextNode(""));
      break;
    }
  }
  const lost = [...wanted]
    .filter(([, seen]) => !seen.size || seen.size < seen.all)
    .map(([text]) => text.data.trim().slice(0, 60));
  return {
    wrong,
    lost: [...lost, ...[...figures].map((one) => one.id || one.alt), ...[...lines].map((one) => one.textContent)],
  };
};
