// What figures offer that ask for it: their numbers and their picture to take away, the numbers of all
// states, and plots that are read and enlarged.
// Its script stands beside the one that brings figures to life, in any order.
import { whenAlive } from "../figure/alive.js";
import { block, button, make } from "../figure/nodes.js";
import { tabulate } from "../figure/tabulate.js";
import { say } from "../say.js";
import { near, plotsOf } from "./near.js";
import { png, svg } from "./portray.js";
import { csv, pasted, standing, states, tableOf } from "./rows.js";
import css from "./tools.css";
import { STEP, Zoom } from "./zoom.js";

// More rows than this make a page slow; the file has all.
const MOST = 1000;

/** Hand a reader a file. */
function hand(name, type, ...content) {
  const href = URL.createObjectURL(new Blob(content, { type }));
  make("a", { download: name, href }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** Put a text on the clipboard; a page that is not served safely has the old way alone. */
async function copy(text) {
  const fill = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    addEventListener("copy", fill, { once: true });
    const done = document.execCommand("copy");
    removeEventListener("copy", fill);
    return done;
  }
}

/** The tables of all states: for each panel a new one where its heads change. */
function tables(figure) {
  const [first, ...names] = figure.controls.map(({ label }) => label);
  const found = figure.views.map(() => ({ count: 0, parts: /** @type {any[]} */ ([]) }));
  for (const twin of states(figure)) {
    const [here, ...now] = standing(twin);
    twin.views.forEach((view, v) => {
      const { title, heads, rows, corner } = tableOf(view);
      const { parts } = found[v];
      const key = JSON.stringify([title, heads, corner]);
      for (const [name, texts] of rows) {
        if (found[v].count++ >= MOST) continue;
        if (parts.at(-1)?.key !== key) parts.push({ key, title, rows: [], heads: [...names, corner, ...heads] });
        parts.at(-1).rows.push([here, [...now, name, ...texts]]);
      }
    });
  }
  return found.flatMap(({ count, parts }) => [
    ...parts.map(({ title, rows, heads }) => tabulate({ title, table: () => [heads, rows, first] })),
    ...(count > MOST ? [make("p", {}, say`${count - MOST} more rows are in the file.`)] : []),
  ]);
}

/** Let a button show a node, or hide it. */
function opens(node, text, fill) {
  const opener = button(text, () => {
    node.hidden = !node.hidden;
    opener.ariaExpanded = `${!node.hidden}`;
    fill?.();
  });
  opener.ariaExpanded = "false";
  node.hidden = true;
  return opener;
}

/** Let plots be enlarged; while its buttons are shown a finger marks a range, too. */
function enlarge(figure, root) {
  const plots = plotsOf(figure);
  if (!plots[0]) return;
  const all = plots.map((view) => new Zoom(view, () => !bar.hidden));
  const each = (act) => () => {
    for (const one of all) act(one);
    clearTimeout(figure.waiting);
    figure.tell(all.map(({ words }) => words).join(" "), true);
  };
  const bar = block(
    "save",
    make("span", {}, say`Drag over a range of a plot; a double click shows all.`),
    button(
      say`Zoom in`,
      each((one) => one.by(1 / STEP)),
    ),
    button(
      say`Zoom out`,
      each((one) => one.by(STEP)),
    ),
    button(
      say`Show all`,
      each((one) => one.whole()),
    ),
  );
  root.querySelector(".tools").append(opens(bar, say`Zoom`));
  root.querySelector(".head").after(bar);
  figure.refresh();
}

/** Give a figure its tools. */
function equip(figure) {
  near(figure);
  const root = figure.host.shadowRoot;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const name = figure.id.replace("figure-", "");
  const file = (end, type, ...content) => hand(`${name}${end}`, type, ...content);
  // What a reader has heard before is no part of a picture.
  const picture = (make) => () => {
    figure.tell("");
    make();
  };
  const copied = async () =>
    figure.tell(
      (await copy(pasted(figure))) ? say`The numbers are copied.` : say`This page may not copy; take the file.`,
      true,
    );
  const save = block(
    "save",
    button(say`Copy the numbers`, copied),
    button(say`CSV`, () => file(".csv", "text/csv", csv([figure]))),
  );
  // A live figure has no end of states.
  if (!figure.live) {
    save.append(button(say`CSV of all states`, () => file("-all.csv", "text/csv", csv(states(figure)))));
    const all = block("numbers");
    Object.assign(all, { tabIndex: 0, role: "group", ariaLabel: say`All states` });
    const opener = opens(all, say`All states`, () => all.replaceChildren(...(all.hidden ? [] : tables(figure))));
    root.querySelector(".numbers").after(block("states", opener, all));
  }
  save.append(
    button(
      say`SVG`,
      picture(() => file(".svg", "image/svg+xml", svg(figure))),
    ),
    button(
      say`PNG`,
      picture(() => png(figure).toBlob((content) => file(".png", "image/png", content))),
    ),
  );
  root.querySelector(".tools").append(opens(save, say`Save`));
  root.querySelector(".head").after(save);
  enlarge(figure, root);
}

whenAlive((figure) => {
  if (figure.tools) equip(figure);
});
