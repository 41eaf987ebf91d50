// Words that look at words: text to touch, with shades on it or lines between two rows.

import { css, isDark, tint } from "../figure/colors.js";
import { block, make } from "../figure/nodes.js";
import { say } from "../say.js";
import { describeNumber, tableOf } from "./describe.js";
import { Panel } from "./panel.js";
import { KINDS } from "./registry.js";

/** Put a shade behind a word; one that is masked is struck through. */
function shade(word, number, tinted) {
  const color = number && tinted(number);
  if (word.shown === (word.shown = color)) return;
  const shaded = () => `background:${css(color)};color:${isDark(color) ? "#fff" : "#000"}`;
  word.style = color ? shaded() : isNaN(color) ? "text-decoration:line-through" : "";
}

/** Two rows of as many words have one column for each pair, so that straight lines are straight. */
function align(lists) {
  const rows = lists.map(({ children }) => /** @type {HTMLElement[]} */ ([...children]));
  for (const word of rows.flat()) word.style.minWidth = "";
  if (rows[0].length !== rows[1].length) return;
  const widths = rows[0].map((word, i) => Math.max(word.offsetWidth, rows[1][i].offsetWidth));
  for (const row of rows) row.forEach((word, i) => (word.style.minWidth = `${widths[i]}px`));
}

export class Words extends Panel {
  #hint;
  #looking;
  #picked;

  constructor(given, figure) {
    super(given, figure);
    const { cells } = this.tables;
    // A matrix has a row for each word that looks, and can be touched for itself.
    this.tall = cells && this.shape[0] > 1;
    this.free = this.tall || this.touch[0] !== null;
    this.lists = [0, 1].map(() => make("div", { className: "words", dir: "auto" }));
    this.#looking = this.lists[this.target ? 1 : 0];
    if (this.free) Object.assign(this.#looking, { role: "radiogroup", ariaLabel: this.title });
    this.#hint = block("hint", this.free ? say`Touch one.` : "");
    this.drawn = block("drawn");
    this.text = block(this.lines ? "linked" : "", ...this.lists, this.drawn);
    this.hear(this.text);
    this.node = block("panel whole", block("name", this.name), this.#hint, this.text);
    this.node.style = `--query:light-dark(${this.hue})`;
  }

  aim({ buttons, clientX, clientY }) {
    const word = this.text.getRootNode().elementFromPoint(clientX, clientY)?.closest(".words > *");
    const list = this.lists.indexOf(word?.parentNode);
    if (list < 0) return;
    const place = [...word.parentNode.children].indexOf(word);
    if (buttons && word.control) this.choose({ row: place });
    this.point(list ? { row: place } : { row: this.#now(), column: place });
  }

  /** The number of the word that looks; -1 where all do, or none is known to. */
  #now() {
    const { lines, tall, target, rowNames } = this;
    const first = lines ? (tall ? -1 : target.length - 1) : tall || !rowNames[1] ? 0 : -1;
    return this.chosen().row ?? this.#picked ?? first;
  }

  /** The name of what looks in a row of the numbers: a single row is that of the word that looks now. */
  #looker(row) {
    return this.rowNames[this.tall ? row : this.#now()];
  }

  choose(element) {
    this.#picked = element.row;
    super.choose(element);
  }

  /** A place for a word; the browser's own radio buttons choose by keys. */
  #place(list, row) {
    if (!this.free || list !== this.#looking) return make("span", {}, "");
    const onchange = () => this.choose({ row });
    return make("label", {}, make("input", { type: "radio", name: this.title, onchange }), "");
  }

  paint(look) {
    const { data, figure, veiled } = this;
    const chosen = this.#now();
    const lit = [figure.things[this.column], figure.things[this.row]];
    const row = this.tall ? (lit[1] ?? chosen) : 0;
    this.#hint.style.visibility = figure.moved ? "hidden" : "";
    this.lists.forEach((list, n) => {
      // What is written below, too, may be the answer.
      const words = (n ? !veiled && this.target : this.tokens) || [];
      while (list.children.length < words.length) list.append(this.#place(list, list.children.length), " ");
      [...list.children].forEach((word, i) => {
        // A number behind a word may be its weight.
        const text = (words[i] ?? "").replace(veiled ? / [\d.]+$/ : "", "");
        if (word.lastChild.data !== text) word.lastChild.data = text;
        word.hidden = !text;
        word.className = i === lit[n] || (list === this.#looking && i === lit[1]) ? "lit" : "";
        if (word.control) word.control.checked = i === chosen;
        if (this.bar && !n) shade(word, veiled ? 0 : data.cells[row][i], tint(look, this.role));
      });
    });
    if (this.lines) this.#link(look, chosen, row);
  }

  /** Lines as thick as the weights; two rows that don't fit become two columns. */
  #link(look, chosen, row) {
    const { data, drawn, text, lists, role } = this;
    const { low, high } = look.scales[role];
    text.classList.remove("upright");
    align(lists);
    const upright = lists.some((list) => list.scrollWidth > list.clientWidth);
    text.classList.toggle("upright", upright);
    const origin = drawn.getBoundingClientRect();
    const ends = lists.map(({ children }, n) =>
      [...children].map((word) => {
        const { left, right, top, bottom } = word.getBoundingClientRect();
        const [x, y] = upright ? [[right, left][n], (top + bottom) / 2] : [(left + right) / 2, [bottom, top][n]];
        return [x - origin.x, y - origin.y];
      }),
    );
    /** @type {(number: number, start: number[], end: number[], opacity: number) => HTMLElement} */
    const line = (number, [x, y], [right, down], opacity) => {
      const thick = (10 * Math.abs(number)) / Math.max(-low, high) || 0;
      const style = `left:${x}px;top:${y - thick / 2}px;width:${Math.hypot(right - x, down - y)}px;height:${thick}px;rotate:${Math.atan2(down - y, right - x)}rad;background:${css(tint(look, role)(0.7 * (number < 0 ? low : high)))};opacity:${opacity}`;
      return make("i", { style });
    };
    const lines = data.cells.flatMap((numbers, r) => {
      const end = ends[1][this.tall ? r : chosen];
      return !end || this.veiled
        ? []
        : ends[0].map((start, c) => line(numbers[c], start, end, row < 0 || r === row ? 0.9 : 0.12));
    });
    drawn.replaceChildren(...lines);
  }

  tell({ row, column }) {
    const { data, rowNames, columnNames } = this;
    if (!data.cells) return say`${this.title}, ${columnNames[column] ?? rowNames[row]}.`;
    const name = this.#looker(row);
    const down = name ? say`${this.row} ${name}, ` : "";
    const r = this.tall ? Math.max(row, 0) : 0;
    column ??= this.best([data.cells[r]])?.column ?? 0;
    return describeNumber(this, { row: r, column }, down);
  }

  table() {
    const { data, rowNames, columnNames } = this;
    const names = rowNames.map((_, r) => this.#looker(r));
    return data.cells ? tableOf(this, names) : [columnNames, []];
  }
}

KINDS.words = Words;
