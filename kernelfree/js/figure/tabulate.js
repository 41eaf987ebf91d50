// The numbers of a panel in a table.
import { make } from "./nodes.js";

/** A panel's table of numbers. */
export function tabulate(panel) {
  const [heads, rows, corner = ""] = panel.table();
  const cell = (tag, text, scope) => make(tag, scope && { scope }, text);
  const body = rows.map(([name, texts]) =>
    make("tr", {}, cell("th", name, "row"), ...texts.map((text) => cell("td", text))),
  );
  const top = make("tr", {}, cell("td", corner), ...heads.map((text) => cell("th", text, "col")));
  return make("table", {}, make("caption", {}, panel.title), make("thead", {}, top), make("tbody", {}, ...body));
}
