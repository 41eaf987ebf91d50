// The numbers of a panel in a table.
import { make } from "./nodes.js";

/** A panel's table of numbers. */
export function tabulate(panel) {
  const [heads, rows, corner = ""] = panel.table();
  // A head without a text would be a head of nothing.
  const cell = (text, scope) => (text && scope ? make("th", { scope }, text) : make("td", {}, text));
  const body = rows.map(([name, texts]) => make("tr", {}, cell(name, "row"), ...texts.map((text) => cell(text))));
  const top = make("tr", {}, cell(corner), ...heads.map((text) => cell(text, "col")));
  return make("table", {}, make("caption", {}, panel.title), make("thead", {}, top), make("tbody", {}, ...body));
}
