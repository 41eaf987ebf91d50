// The numbers of panels of rows and columns, as a table and in words.
import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";

/** A number of such a panel as it is written; that at -1 is the row's sum. */
const at = ({ data, decimals, unit = "" }, row, column) => numberText(data.cells[row].at(column), decimals) + unit;

/** The table of a panel whose rows end with their sums. */
export function sumTable(panel, names = panel.rowNames) {
  const { data, columnNames } = panel;
  const heads = [...columnNames, say`sum`];
  const row = (r) => heads.map((_, c) => at(panel, r, c < columnNames.length ? c : -1));
  return [heads, data.cells.map((_, r) => [names[r] ?? "", row(r)])];
}

/** A number of such a panel in words. */
export function describeNumber(panel, { row, column }, down, sums = (sum) => say`; the row sums to ${sum}`) {
  const sum = panel.summed ? sums(at(panel, row, -1)) : "";
  return say`${panel.title}, ${down}${panel.column} ${panel.columnNames[column]}: ${at(panel, row, column)}${sum}.`;
}
