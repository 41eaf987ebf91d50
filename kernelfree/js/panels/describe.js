// The numbers of panels of rows and columns, as a table and in words.
import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";

/** A number of such a panel as it is written. */
const text = ({ decimals, unit = "" }, number) => numberText(number, decimals) + unit;

/** The table of a panel; where they mean something, rows end with their sums. */
export function tableOf(panel, names = panel.rowNames) {
  const { data, columnNames, summed } = panel;
  const heads = columnNames.concat(summed ? say`sum` : []);
  const texts = (row) => heads.map((_, c) => text(panel, c < columnNames.length ? row[c] : row.sum));
  return [heads, data.cells.map((row, r) => [names[r] ?? "", texts(row)])];
}

/** A number of such a panel in words. */
export function describeNumber(panel, { row, column }, down) {
  const numbers = panel.data.cells[row];
  const sum = panel.summed ? say`; the row sums to ${text(panel, numbers.sum)}` : "";
  return say`${panel.title}, ${down}${panel.column} ${panel.columnNames[column]}: ${text(panel, numbers[column])}${sum}.`;
}
