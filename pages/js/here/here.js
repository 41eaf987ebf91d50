// A chapter's cells in the reader's hand: their code is edited and run in the page, by the page's own Python.
import { first, select } from "../learn/dom.js";
import { Cell } from "./cell.js";
import { watch } from "./code.js";
import { drawings } from "./figures.js";
import css from "./here.css";
import { known } from "./python.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
const page = first("article", document).dataset.page;
const nodes = select("article .cell").filter((node) => node.querySelector(".cell_input"));

/** The cells of the page, in its order, also those that are folded; their ids are known once the build has told them. */
const ready = (async () => {
  const told = await known().catch(() => undefined);
  const { cells: ids = [], slow = {} } = told?.pages[page] ?? {};
  const cells = [];
  for (const [at, node] of nodes.entries()) {
    const id = ids[at] ?? at;
    cells.push(new Cell(node, `${page}/${id}`, at, cells, { told, slow: slow[id] }));
  }
  const figures = drawings(cells);
  for (const cell of cells) {
    cell.figures = figures;
    cell.name();
  }
  watch(() => cells.forEach((cell) => cell.renew()));
  const lesson = () => {
    if (/^#present/.test(location.hash)) for (const cell of cells) cell.rest();
  };
  lesson();
  addEventListener("hashchange", lesson, { capture: true });
  return cells;
})();
document.addEventListener("here.js", async (event) => {
  const cells = await ready;
  if (event instanceof CustomEvent) cells.find(({ node }) => node === event.target)?.open(event.detail);
});
