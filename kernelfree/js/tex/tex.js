// Formulas in titles, labels and legends. Python has drawn each as an outline; a text has its words between two signs
// that nobody sees, so that whoever reads it aloud, or has no script, has the words.
import { whenAlive } from "../figure/alive.js";
import { make } from "../figure/nodes.js";
import { partsOf, SIGN, UNIT } from "./parts.js";
import { writing } from "./writing.js";

const NAME = "http://www.w3.org/2000/svg";
// What can only be text, what is heard when it changes, and what nobody sees.
const LEFT_OUT = "option, [aria-live], .unseen";

/** A formula on the page: what is seen, and the words for those who don't see. */
function formula(words, [, wide, up, down, d]) {
  const svg = document.createElementNS(NAME, "svg");
  const path = document.createElementNS(NAME, "path");
  path.setAttribute("d", d);
  svg.setAttribute("viewBox", `0 ${-up} ${wide} ${up + down}`);
  svg.ariaHidden = "true";
  const [width, height, below] = [wide, up + down, -down].map((length) => `${length / UNIT}em`);
  Object.assign(svg.style, { width, height, verticalAlign: below, fill: "currentColor" });
  svg.append(path);
  return make("span", {}, svg, make("span", { className: "unseen" }, words));
}

/** Write the formulas of a node's texts. */
function typeset(node, tex) {
  if (node.nodeType !== Node.TEXT_NODE) return [...node.childNodes].forEach((child) => typeset(child, tex));
  if (!node.data.includes(SIGN) || node.parentElement?.closest(LEFT_OUT)) return;
  const parts = partsOf(node.data, tex);
  node.replaceWith(...parts.map(({ words, drawn }) => (drawn ? formula(words, drawn) : words)));
}

/** Let a canvas write formulas, and have the room that they need. */
function equip(view, tex) {
  const { ink } = view;
  // Labels that are higher than a line, 17 pixels of 13.
  const more = (text) =>
    Math.max(0, ...partsOf(text, tex).map(({ drawn }) => (drawn ? ((drawn[2] + drawn[3]) * 13) / UNIT - 17 : 0)));
  for (const [edge, label] of [
    ["bottom", "xlabel"],
    ["left", "ylabel"],
  ]) {
    let room = view[edge];
    Object.defineProperty(view, edge, { get: () => room, set: (given) => (room = given + more(view[label])) });
  }
  let now;
  // Where the figure is drawn once more, for a file, it is on another canvas.
  Object.defineProperty(view, "ink", { get: () => now, set: (given) => (now = writing(given, tex)) });
  view.ink = ink;
}

whenAlive((figure) => {
  const { tex, host, views } = figure;
  if (!tex) return;
  for (const view of views) if (view.screen) equip(view, tex);
  const root = host.shadowRoot;
  // Who needs it before the page is painted calls it.
  figure.typeset = () => typeset(root, tex);
  figure.typeset();
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) typeset(node, tex);
  }).observe(root, { childList: true, subtree: true });
  figure.refresh();
});
