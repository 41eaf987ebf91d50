// The numbers of a figure as rows: as they are shown, and one a line for other programs.
import { minus } from "../figure/numbers.js";
import { say } from "../say.js";

/** A panel's table, as `Numbers` shows it; what is a table already is its own. */
export function tableOf(view) {
  const [heads, rows, corner = ""] = view.table?.() ?? (view.kind === "table" ? view.content : [[], []]);
  return { title: view.title, heads, rows, corner };
}

/** The tables of a figure that have numbers. */
export const tablesOf = ({ views }) => views.map(tableOf).filter(({ rows }) => rows.length);

/** A text as programs read it: without the signs around formulas, and with their own minus. */
const plain = (text) => `${text}`.replace(/[\u2061\u2063]/g, "").replace(/\u2212(?=[\d.])/g, "-");

/** A number; what is masked is empty. */
const number = (text) => ([say`masked`, say`none`].includes(text) ? "" : text);

/** Where the controls stand, as readers see it. */
export function standing({ controls, fields, model }) {
  const value = model.get("value");
  return controls.map(({ name, options, words }, c) => {
    const { text = minus } = fields[c];
    return words?.[options.indexOf(value[name])] ?? `${text(value[name])}`;
  });
}

/** What is shown as text for a spreadsheet: a block for each panel. */
export function pasted(figure) {
  const tables = tablesOf(figure);
  const line = (cells) => cells.map((cell) => plain(cell).replace(/\s+/g, " ")).join("\t");
  const block = ({ title, heads, rows, corner }) => {
    const named = corner || rows.some(([name]) => name);
    const all = [[corner, ...heads], ...rows.map(([name, texts]) => [name, ...texts.map(number)])];
    return [...(tables[1] ? [[title]] : []), ...all.map((cells) => (named ? cells : cells.slice(1)))].map(line);
  };
  return tables.map((table) => block(table).join("\n")).join("\n\n");
}

/**
 * The states of a figure, one after the other, in a twin that nobody sees: what is shown stays.
 * @param {import("../figure/figure.js").Figure} figure
 */
export function* states(figure) {
  const { controls, el } = figure;
  const state = figure.model.get("_state");
  let value = figure.model.get("value");
  const model = { get: (key) => (key === "value" ? value : state) };
  const given = { ...state, predict: undefined, light: undefined, model, el, host: { clientWidth: 0 } };
  const twin = new /** @type {any} */ (figure.constructor)(given);
  const count = controls.reduce((product, { options }) => product * options.length, 1);
  for (let n = 0; n < count; n++) {
    let rest = n;
    value = { ...value };
    // The last control turns fastest.
    for (const { name, options } of [...controls].reverse()) {
      value[name] = options[rest % options.length];
      rest = Math.floor(rest / options.length);
    }
    twin.draw();
    clearTimeout(twin.waiting); // it has nothing to say
    yield twin;
  }
}

/** A cell of CSV, as RFC 4180 has it. */
function quoted(cell) {
  const text = plain(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Numbers one a line: the controls, the panel, row and column, and the number. */
export function csv(figures) {
  const lines = [];
  for (const figure of figures) {
    if (!lines.length) {
      const names = figure.controls.map(({ label }) => label);
      lines.push([...names, say`panel`, say`row`, say`column`, say`number`]);
    }
    const now = standing(figure);
    for (const { title, heads, rows } of tablesOf(figure))
      for (const [name, texts] of rows)
        texts.forEach((text, c) => lines.push([...now, title, name, heads[c], number(text)]));
  }
  // By the mark at its beginning Excel knows the letters.
  return `\ufeff${lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("")}`;
}
