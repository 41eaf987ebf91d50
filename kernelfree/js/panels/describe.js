// The numbers of panels of rows and columns, as a table and in words.
import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";

/** The table of a panel whose rows end with their sums. */
export function sumTable({ data, decimals, rowNames, columnNames, unit = "" }) {
  const heads = [...columnNames, say`sum`];
  const sum = columnNames.length;
  const row = (numbers) => heads.map((_, c) => numberText(numbers.at(c < sum ? c : -1), decimals) + unit);
  return [heads, data.cells.map((numbers, r) => [rowNames[r] ?? "", row(numbers)])];
}

/** A number of such a panel in words. */
export function describeNumber(panel, { row, column }, down, sums = (sum) => say`; the row sums to ${sum}`) {
  const number = (c) => numberText(panel.data.cells[row].at(c), panel.decimals) + (panel.unit ?? "");
  const sum = panel.summed ? sums(number(-1)) : "";
  return say`${panel.title}, ${down}${panel.column} ${panel.columnNames[column]}: ${number(column)}${sum}.`;
}
