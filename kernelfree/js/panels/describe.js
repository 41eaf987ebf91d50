// The numbers of panels of rows and columns, as a table and in words.
import { say } from "../figure/numbers.js";

/** The table of a panel whose rows end with their sums. */
export function sumTable({ data, decimals, rowNames, columnNames, unit = "" }) {
  const heads = [...columnNames, "sum"];
  const sum = columnNames.length;
  const row = (numbers) => heads.map((_, c) => say(numbers.at(c < sum ? c : -1), decimals) + unit);
  return [heads, data.cells.map((numbers, r) => [rowNames[r] ?? "", row(numbers)])];
}

/** A number of such a panel in words. */
export function describeNumber(panel, { row, column }, down, sums = "the row sums") {
  const number = (c) => say(panel.data.cells[row].at(c), panel.decimals) + (panel.unit ?? "");
  const sum = panel.summed ? `; ${sums} to ${number(-1)}` : "";
  return `${panel.title}, ${down}${panel.column} ${panel.columnNames[column]}: ${number(column)}${sum}.`;
}
