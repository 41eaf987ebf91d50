// What a lesson shows on each screen: the page's own blocks, in their order, as many as fit.
import { first, select } from "../learn/dom.js";

// What a reader at home needs, and a class does not.
const LEFT_OUT = `h1 + p, script, form, .elsewhere, .in-colab, .here, .how-to-answer, .quiz > p, .exercise > .cell, .exercise > .cell ~ *,
  .hide, .hint, .tag_hide-cell, .review, .exercises ~ section`;
const HEADING = ":is(h1, h2, h3, h4)";
// Numbers by hand come line by line; the id is the same in all languages.
const BY_HAND = "[id$='by-hand'] table";
// What a paragraph before it introduces.
const SHOWN = "table, :has(> table), ul, ol, div.math";
/** Of the folds a lesson opens these. */
export const TRAP = ".fold.trap > details";
/** A drawing takes the room that there is. */
export const PICTURE = ".cell_output:has(> img)";
const ALONE = ".question, .kernelfree-figure, .kernelfree-trace, .kernelfree-sentence, .finger";

/**
 * @typedef {{ at: number, node: HTMLElement, heads: HTMLElement[], alone: boolean, fold?: HTMLDetailsElement,
 *   seconds?: number, cut?: boolean, part?: Part }} Unit
 *   a block of the page: its number, the headings above it, what it is folded in, how long it takes, and whether it
 *   is in the cut that fits one lesson
 * @typedef {{ high: number, gone?: HTMLElement[], from?: number }} Part a part of a block that is too high:
 *   the rows, items or pixels above that are not shown
 * @typedef {{ units: Unit[], late: HTMLElement[], stage: number, name: string,
 *   begin: HTMLElement }} Step what begins it was not yet in the step before
 */

/**
 * The blocks of a part of the page, each with the headings that it stands under.
 * @param {Element} root
 * @param {HTMLElement[]} above
 * @param {HTMLDetailsElement} [fold]
 * @returns {Generator<Omit<Unit, "at">>}
 */
function* blocks(root, above = [], fold = undefined) {
  const heading = first(`:scope > ${HEADING}, :scope > summary`, root);
  const heads = heading ? [...above.slice(-1), heading] : above;
  for (const node of /** @type {Iterable<HTMLElement>} */ (root.children)) {
    if (node === heading || node.matches(LEFT_OUT) || (!node.firstChild && node.tagName === "SPAN")) continue;
    if (node.matches("section.fold")) yield* blocks(node, heads, fold);
    else if (node instanceof HTMLDetailsElement) yield* blocks(node, heads, node);
    else if (
      node.matches("section, .cell, .beside, .cell_output:has(.kernelfree-figure, .kernelfree-trace), .text_html")
    )
      yield* blocks(node, heads, fold);
    else yield { node, heads, fold, alone: node.matches(ALONE) };
  }
}

/**
 * All blocks of an article. Those in folds that stay closed have the last numbers.
 * @param {Element} article
 * @returns {Unit[]}
 */
export function unitsOf(article) {
  const all = [...blocks(article)].filter(({ heads }) => heads.length);
  const closed = ({ fold }) => fold && !fold.matches(TRAP);
  const numbers = new Map(
    [...all.filter((unit) => !closed(unit)), ...all.filter(closed)].map((unit, at) => [unit, at]),
  );
  return all.map((unit) => ({ ...unit, at: numbers.get(unit) }));
}

/** @param {Element} node */
const highOf = (node) => node.getBoundingClientRect().height;

/** Where the lines of code begin, from the top of the code. @param {HTMLElement} code */
function linesOf(code) {
  const { top } = code.getBoundingClientRect();
  const range = document.createRange();
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const lines = [{ top: 0, blank: true }];
  let before = "";
  for (let text = walker.nextNode(); text; text = walker.nextNode())
    for (let i = 0; i < text.data.length; i++) {
      if (before === "\n") {
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        const [box] = range.getClientRects();
        if (box) lines.push({ top: box.top - top, blank: text.data[i] === "\n" });
      }
      before = text.data[i];
    }
  return lines;
}

/**
 * The parts of a block of which each fits.
 * @param {HTMLElement} node
 * @param {number} room
 * @returns {Part[]}
 */
function partsOf(node, room) {
  const high = highOf(node);
  if (high <= room) return [{ high }];
  const code = first("pre", node);
  if (code) return partsOfCode(code, high, room);
  const rows = rowsOf(node);
  if (!rows.length) return [{ high }];
  // What a line of a function makes stands beside it or below.
  const spanOf = (row) => {
    const made = row.nextElementSibling?.matches(".made") ? row.nextElementSibling : row;
    return made.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
  };
  const rest = high - rows.reduce((sum, row) => sum + spanOf(row), 0);
  /** @type {HTMLElement[][]} */
  const groups = [];
  let left = 0;
  for (const row of rows) {
    if (left < spanOf(row)) {
      groups.push([]);
      left = room - rest;
    }
    groups.at(-1).push(row);
    left -= spanOf(row);
  }
  return groups.map((group) => ({
    high: rest + group.reduce((sum, row) => sum + spanOf(row), 0),
    gone: rows.filter((row) => !group.includes(row)),
  }));
}

/** What a block may be cut between: rows of a table, items of a list, lines of a function that is traced. */
function rowsOf(node) {
  const shadow = first(":scope > div", node)?.shadowRoot;
  const lines = ".inputs, .row:not(:has([open])), .row:has([open]) > .text, [open] > summary";
  return shadow
    ? select(lines, shadow).filter((row) => row.checkVisibility())
    : select(":scope tbody > tr, :scope > li", node);
}

/**
 * Code is cut between lines, where one is blank if it can be.
 * @param {HTMLElement} code
 * @param {number} high
 * @param {number} room
 */
function partsOfCode(code, high, room) {
  const lines = linesOf(code);
  const end = highOf(code);
  const inside = room - (high - end);
  const parts = [];
  let from = 0;
  while (end - from > inside) {
    const fits = lines.filter(({ top }) => top > from && top <= from + inside);
    const cut = fits.findLast(({ blank, top }) => blank && top > from + inside / 2) ?? fits.at(-1);
    if (!cut) break;
    parts.push({ from, high: cut.top - from });
    from = cut.top;
  }
  return [...parts, { from, high: end - from }];
}

/**
 * The steps of a lesson. All blocks are laid out while this measures them.
 * @param {Unit[]} units
 * @param {number} height of a screen
 * @param {number} gap between blocks
 * @returns {Step[]}
 */
export function stepsOf(units, height, gap) {
  /** @type {{ units: Unit[], batches: HTMLElement[][], high: number }[]} */
  const groups = [];
  for (const unit of units) {
    const { node, heads, alone } = unit;
    const before = groups.at(-1)?.units.at(-1);
    const follows = !alone && before && !before.alone && before.heads.at(-1) === heads.at(-1);
    // The sentence that introduces it.
    const lead =
      follows && before.node.matches("p") && (leads(before.node) || node.matches(SHOWN)) ? before : undefined;
    const room = height - (alone ? 0 : heads.reduce((sum, head) => sum + highOf(head) + gap, 0));
    const output = node.matches(".cell_output");
    const picture = node.matches(PICTURE);
    const whole = alone && !node.matches(".kernelfree-trace");
    const parts = whole
      ? [{ high: room }]
      : picture
        ? [{ high: room / 2 }]
        : partsOf(node, lead ? room - lead.part.high - 2 * gap : room);
    for (const part of parts) {
      let group = groups.at(-1);
      const last = group?.units.at(-1);
      // What leads to it, and what code prints, belong together; else a step stays light.
      const bound =
        last &&
        (last === lead || last.node.matches(PICTURE) || (output && last.node.parentElement === node.parentElement));
      const joins = follows && last.node !== node && group.high + gap + part.high <= (bound ? room : room * 0.7);
      if (!joins) {
        const next = { units: [], batches: [[]], high: 0 };
        if (lead && last === lead && group.units.length > 1) {
          if (group.batches.length > 1) group.batches.at(-1).pop();
          next.units.push(group.units.pop());
          next.high = gap + lead.part.high;
        }
        groups.push((group = next));
      }
      // What code prints comes after the class has said what it will print.
      if (output && joins) group.batches.push([]);
      group.units.push({ ...unit, part });
      group.high += gap + part.high;
      if (group.batches.length > 1) group.batches.at(-1).push(node);
      if (node.querySelector(BY_HAND))
        for (const row of select("tbody > tr", node)
          .filter((row) => !part.gone?.includes(row))
          .slice(1))
          group.batches.push([row]);
      // A figure asks, and then it is moved.
      if (asks(node)) group.batches.push([]);
    }
  }
  return groups.flatMap(({ units, batches }) =>
    batches.map(([begin = units[0].node], stage) => ({
      units,
      late: batches.slice(stage + 1).flat(),
      stage,
      name: wordsOf(units[0]).textContent.trim(),
      begin,
    })),
  );
}

/** Whether a sentence leads to what comes next. @param {HTMLElement} node */
const leads = (node) => /[:,：，]$/.test(node.textContent.trim());

/** Whether a figure has a question. @param {HTMLElement} node */
const asks = (node) => Boolean(first(":scope > div", node)?.shadowRoot?.querySelector(".quiz"));

/** What a block says in a list, without what is folded in it. @param {HTMLElement} node */
export function textOf(node) {
  const title = first(".title", first(":scope > div", node)?.shadowRoot ?? node);
  if (title) return title.textContent;
  const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
  for (const hidden of select("details > :not(summary), script, .headerlink, .copybtn, .rests", copy)) hidden.remove();
  for (const formula of select(".katex", copy)) formula.replaceWith("…");
  return copy.textContent.trim() || first("img", copy)?.getAttribute("alt") || "";
}

/** What holds the words of the heading that a block stands under. @param {Unit} unit */
export const wordsOf = ({ heads }) => first("[role=heading], h3, h4", heads.at(-1)) ?? heads.at(-1);
