// What panels of rows and columns tell of their numbers.
import { say } from "./numbers.js";

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
