// Answers without a file: one short line to paste, the same as a QR code, and the way back.
import { encode } from "uqr";
import { say } from "../../../kernelfree/js/say.js";
import { button, first, live, make, select, tell } from "../learn/dom.js";
import { lineOf, recordOf } from "./codec.js";
import css from "./line.css";

const LARGEST = 2953; // letters that a QR code holds
const EASY = 1000; // letters of one that any camera reads
const CELL = 5; // pixels of a cell, where there is room
const ALL = say`All chapters`;
const WHICH = say`Answers of `;
const LINE = say`Your answers in one line `;
const COPY = say`Copy the line`;
const COPIED = say`Copied.`;
const PICTURE = say`The same line as a QR code`;
const OTHER_LINE = say`A line from another browser `;
const IMPORT = say`Import the line`;
/** @param {number} count */
const LETTERS = (count) => say`${count} letters.`;
/** @param {number} count */
const DENSE = (count) =>
  say`${count} letters. So dense a code asks for a good camera; that of one chapter is easier to read.`;
const TOO_LARGE = say`This is too long for one QR code: choose a chapter.`;
const OLD_BROWSER = say`This browser cannot write or read such a line. The file works: use Export and Import above.`;
const NOT_COPIED = say`Select the line, and copy it by hand.`;
/** @param {string} told */
const OTHER_EDITION = (told) =>
  say`${told} The line was written by another edition of the book: if a question has changed since, its answer may be wrong here.`;
/** @type {Record<string, string>} */
const UNREADABLE = {
  foreign: say`This is no line that this book has written. It begins with “attention=”. Nothing was changed.`,
  damaged: say`This line is damaged: a part is missing or changed. Copy the whole line again. Nothing was changed.`,
  newer: say`A later edition of this book has written this line: reload this page, and try again. Nothing was changed.`,
};

/**
 * A QR code as a picture: dark on white in every theme, since cameras expect that.
 * @param {string} text
 */
function picture(text) {
  const { data, size } = encode(text, { ecc: "L", border: 4 });
  /** @type {(tag: string, attributes: Record<string, string>) => SVGElement} */
  const svg = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const dark = data.flatMap((row, y) => row.map((cell, x) => (cell ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const node = svg("svg", {
    viewBox: `0 0 ${size} ${size}`,
    width: `${size * CELL}`,
    role: "img",
    "shape-rendering": "crispEdges",
  });
  node.setAttribute("aria-label", PICTURE);
  node.append(svg("rect", { width: "100%", height: "100%", fill: "#fff" }), svg("path", { d: dark, fill: "#000" }));
  return node;
}

/** The titles of pages, as the review has them: {page: title}. */
const titles = () =>
  new Map(
    select(".all-prompts section").map((part) => [
      first("[data-answer]", part)?.dataset.answer?.split("/")[0],
      first("h2", part).textContent,
    ]),
  );

/**
 * The chooser of a chapter: those with answers.
 * @param {import("../learn/store.js").Answers} record
 */
function chooser({ answers, prompts, read }) {
  const known = titles();
  const pages = new Set([
    ...Object.keys({ ...answers, ...prompts }).map((id) => id.split("/")[0]),
    ...Object.keys(read),
  ]);
  const options = [...known].filter(([page]) => pages.delete(page ?? ""));
  const others = [...pages].map((page) => [page, page]);
  return make(
    "select",
    {},
    ...[["", ALL], ...options, ...others].map(([value, text]) => make("option", { value }, text ?? "")),
  );
}

/**
 * The part of the page that writes a line.
 * @param {() => import("../learn/store.js").Answers} load
 * @param {string} edition
 */
function writing(load, edition) {
  const which = chooser(load());
  const line = make("textarea", { readOnly: true, rows: 4, spellcheck: false });
  const shown = make("div", { className: "code" });
  const status = live("p");
  const write = async () => {
    line.value = await lineOf(load(), edition, which.value);
    const fits = line.value.length <= LARGEST;
    shown.replaceChildren(...(fits ? [picture(line.value)] : []));
    const { length } = line.value;
    tell(status, !fits ? TOO_LARGE : (length > EASY ? DENSE : LETTERS)(length));
  };
  const copy = button(COPY, async () => {
    line.select();
    try {
      await navigator.clipboard.writeText(line.value);
      tell(status, COPIED);
    } catch {
      tell(status, NOT_COPIED); // no clipboard for a page from a disk
    }
  });
  which.onchange = write;
  return { nodes: [make("label", {}, WHICH, which), make("label", {}, LINE, line), copy, status, shown], write };
}

/**
 * The part of the page that reads a line.
 * @param {(record: any) => string} take keeps a record; says what was taken
 * @param {string} edition
 */
function reading(take, edition) {
  const line = make("input", { type: "text", autocomplete: "off", spellcheck: false });
  const status = live("p");
  const read = async () => {
    try {
      const { record, edition: other } = await recordOf(line.value);
      const told = take(record);
      tell(status, other === edition ? told : OTHER_EDITION(told));
    } catch (error) {
      tell(status, UNREADABLE[error.message] ?? OLD_BROWSER);
    }
  };
  return [make("label", {}, OTHER_LINE, line), button(IMPORT, read), status];
}

/**
 * Put both into a place; the page's own script keeps the answers.
 * @param {HTMLElement} place
 * @param {() => import("../learn/store.js").Answers} load
 * @param {(record: any) => string} take
 */
async function mount(place, load, take) {
  const edition = place.dataset.edition ?? "";
  if (typeof CompressionStream === "undefined") return place.append(live("p", "", OLD_BROWSER));
  const { nodes, write } = writing(load, edition);
  const box = make("div", { className: "line" }, ...nodes, ...reading(take, edition));
  await write();
  place.append(box);
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
/** @type {any} */ (globalThis).attentionLine = mount;
