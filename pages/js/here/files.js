// A chapter's code goes with its reader, as a Python file or in the chapter's own notebook, and comes back from both.
import { say } from "../../../kernelfree/js/say.js";
import { button, live, make, save, select, tell } from "../learn/dom.js";
import { fromBox } from "./boxes.js";
import { asFile, LONGEST, partsOf, take } from "./code.js";
import { fromFile, isStep, MINE } from "./mine.js";

/** @typedef {{ cell_type: string, id?: string, metadata?: { id?: string }, source: string | string[] }} NotebookCell */
/** @typedef {[id: string, code: string][]} Parts */

const LARGEST = 20; // MB: a chapter's notebook has .5, with all that Colab adds a few
const HELP = say`The notebook is this chapter\u2019s, with your code and your answers from boxes in its cells, for Colab or JupyterLab. A file that you open runs nothing: its code is marked, and what stood there can be brought back.`;
/** @param {string} why */
const FAILED = (why) => say`The chapter\u2019s notebook could not be loaded: ${why}. Press again to try again.`;
/** @param {string} name @param {string} what */
const REFUSED = (name, what) =>
  say`${name}: ${what}. Expected is this chapter\u2019s notebook, or a Python file that these pages have saved.`;

/** @param {NotebookCell} cell */
const sourceOf = ({ source }) => [source].flat().join("");
/** @param {{ cells: NotebookCell[] }} book */
const codes = ({ cells }) => cells.filter((cell) => cell?.cell_type === "code");
/** A line that speaks to Colab, as the page shows it. @param {string} source */
const shown = (source) => source.replace(/^# @title /, "# ");
const name = () => location.pathname.match(/([^/]+?)(\.html)?$/)[1];

/** The chapter's notebook in this edition, or in that of a link, as the book serves it. */
async function notebook({ origin, pathname } = /** @type {{ origin: string, pathname: string }} */ (location)) {
  const answer = await fetch(`${origin}${pathname.replace(/chapters\/[^/]*$/, "_sources/chapters/")}${name()}.ipynb`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

/** The chapter's notebook with what the reader has written. @param {import("./cell.js").Cell[]} cells */
async function asNotebook(cells) {
  const book = await notebook();
  for (const one of cells) {
    const { id } = one;
    const own = fromBox(one) ?? one.own;
    const cell = own !== undefined && codes(book).find((one) => id.endsWith(`/${one.id}`));
    if (!cell) continue;
    const [title = ""] = sourceOf(cell).match(/^# @title .*\n/) ?? [];
    const code = title && own.startsWith(shown(title)) ? title + own.slice(shown(title).length) : own;
    Object.assign(cell, { source: code.split(/(?<=\n)/), outputs: [], execution_count: null });
  }
  return `${JSON.stringify(book, null, 1)}\n`;
}

/**
 * What a notebook has that the chapter's has not, in no edition. Colab keeps a cell's id in a place of its own.
 * @param {any} given
 * @param {string} page
 * @param {import("./python.js").Told["pages"]} pages
 * @returns {Promise<Parts>}
 */
async function changedIn(given, page, pages) {
  if (!Array.isArray(given?.cells)) throw new TypeError(say`this is no notebook`);
  const found = codes(given).map((cell) => [cell.id ?? cell.metadata?.id, sourceOf(cell).trimEnd()]);
  const count = (/** @type {string} */ one) => found.filter(([id]) => pages[one].cells.includes(id)).length;
  const [of] = Object.keys(pages).sort((a, b) => count(b) - count(a));
  if (!count(of)) throw new TypeError(say`this is a notebook of no chapter of this book`);
  if (of !== page) throw new TypeError(say`this is the notebook of another chapter, ${of}`);
  const links = /** @type {HTMLAnchorElement[]} */ (select("a.edition[href]"));
  const editions = await Promise.all([notebook(), ...links.map(notebook)]).catch(({ message }) => {
    throw new Error(FAILED(message));
  });
  const books = new Set(editions.flatMap(codes).map((cell) => sourceOf(cell).trimEnd()));
  return found.filter(([, code]) => code && !books.has(code)).map(([id, code]) => [`${page}/${id}`, shown(code)]);
}

/** @param {File} file @param {string} page @param {import("./python.js").Told["pages"]} pages @returns {Promise<Parts>} */
async function partsIn(file, page, pages) {
  const size = Math.ceil(file.size / 1e6);
  if (size > LARGEST) throw new TypeError(say`this has ${size} MB, and ${LARGEST} MB is the most`);
  const text = await file.text();
  const parts = partsOf(text);
  if (parts.length) return parts;
  if (/^# %% \d/m.test(text)) return [[MINE, text]];
  if (!/^\s*[{[]/.test(text)) throw new TypeError(say`no part of it begins with “# %% chapter/cell”`);
  let given;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new TypeError(say`this is broken JSON (${error.message})`);
  }
  return changedIn(given, page, pages);
}

/**
 * Take in a file; what there is to say of it.
 * @param {File} file
 * @param {import("./cell.js").Cell[]} cells
 * @param {import("./python.js").Told["pages"]} pages
 */
async function open(file, cells, pages) {
  const [page] = cells[0].id.split("/");
  const here = new Map(cells.map((cell) => [cell.id, cell]));
  const fits = (/** @type {string} */ id) => {
    const [of, cell] = id.split("/");
    return id === MINE || (of === page ? here.get(id)?.button : pages[of]?.cells.includes(cell));
  };
  // Answers in boxes are kept with all answers, and come back with those.
  const isBox = (/** @type {string} */ id) => here.get(id)?.node.querySelector(".d2lmini-answer");
  const parts = (await partsIn(file, page, pages)).filter(([id]) => !isBox(id));
  const left = parts.filter(([id, code]) => !fits(id) || code.length > LONGEST);
  const taken = parts.filter((part) => !left.includes(part) && part[1] !== here.get(part[0])?.book);
  const kept = take(taken);
  for (const cell of cells) {
    cell.renew();
    if (cell.editor && isStep(cell.book) && taken.some(([id]) => id === MINE)) cell.place.prepend(...fromFile());
  }
  const told = taken.length
    ? say`The code of ${taken.length} cells was read. None of it runs before you press Run there.`
    : say`${file.name} has no code that differs from the book\u2019s.`;
  const lost = left.length
    ? say`${left.length} of its cells fit no cell that is run here, and were left out; the first begins “${left[0][1].slice(0, 40)}”.`
    : "";
  return [told, lost, kept ? "" : say`This browser has no room left: your code lasts until you close this page.`].join(
    " ",
  );
}

/**
 * The fold with its buttons.
 * @param {import("./cell.js").Cell[]} cells
 * @param {import("./python.js").Told["pages"]} pages
 */
export function files(cells, pages) {
  const status = live("p", "state");
  const chooser = make("input", { type: "file", accept: ".ipynb,.py", hidden: true });
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files;
    chooser.value = ""; // so that the same file can be chosen again
    const failed = (/** @type {Error} */ { name, message }) =>
      name === "TypeError" ? REFUSED(file.name, message) : message;
    tell(status, await open(file, cells, pages).catch(failed));
  });
  const [page] = cells[0].id.split("/");
  return make(
    "details",
    { className: "file" },
    make("summary", {}, say`Your code of this chapter as a file`),
    button(say`Save as a notebook`, async () => {
      try {
        save(await asNotebook(cells), "application/x-ipynb+json", `${name()}.ipynb`);
        tell(status, "");
      } catch ({ message }) {
        tell(status, FAILED(message));
      }
    }),
    button(say`Save as a Python file`, () => {
      const boxes = cells.map((cell) => [cell.id, { code: fromBox(cell) }]).filter(([, { code }]) => code);
      save(asFile(`${page}/`, Object.fromEntries(boxes)), "text/x-python", `${name()}.py`);
    }),
    button(say`Open a file`, () => chooser.click()),
    chooser,
    make("p", { className: "may" }, HELP),
    status,
  );
}
