// The numbers in words and in tables.
import { say } from "./numbers.js";
import { make } from "./nodes.js";

/** A panel's table of numbers. */
export function tabulate(panel) {
  const [heads, rows] = panel.table();
  const cell = (tag, text, scope) => make(tag, scope && { scope }, text);
  const body = rows.map(([name, texts]) =>
    make("tr", {}, cell("th", name, "row"), ...texts.map((text) => cell("td", text))),
  );
  const top = make("tr", {}, make("td"), ...heads.map((text) => cell("th", text, "col")));
  return make("table", {}, make("caption", {}, panel.title), make("thead", {}, top), make("tbody", {}, ...body));
}

/** The table of a panel whose rows end with their sums. */
export function summed({ data, decimals, rowNames, columnNames, unit = "" }) {
  const heads = [...columnNames, "sum"];
  const sum = columnNames.length;
  const row = (numbers) => heads.map((_, c) => say(numbers.at(c < sum ? c : -1), decimals) + unit);
  return [heads, data.cells.map((numbers, r) => [rowNames[r] ?? "", row(numbers)])];
}

/** A number of such a panel in words. */
export function tellNumber(panel, { row, column }, down, sums) {
  const number = (c) => say(panel.data.cells[row].at(c), panel.decimals) + (panel.unit ?? "");
  const sum = panel.summed ? `; ${sums} to ${number(-1)}` : "";
  return `${panel.title}, ${down}${panel.column} ${panel.columnNames[column]}: ${number(column)}${sum}.`;
}
