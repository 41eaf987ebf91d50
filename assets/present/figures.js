// Figures on a wall: as large as they fit, their text at the lesson's size.
import { first } from "../learn/dom.js";
import css from "./figure.css";

const KINDS = ["kernelfree-figure", "kernelfree-trace", "kernelfree-sentence"];
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** @type {{ figure: HTMLElement, watch: MutationObserver } | null} */
let now = null;
const ratio = Object.getOwnPropertyDescriptor(window, "devicePixelRatio");

/** All figures of the page at once: a step is turned without waiting for one. */
export const alive = () => KINDS.forEach((kind) => dispatchEvent(new Event(kind)));

/** The figure as it is on the page. */
export function unfit() {
  if (!now) return;
  const { figure } = now;
  now = null;
  figure.style.removeProperty("--zoom");
  figure.style.removeProperty("--left");
  Object.defineProperty(window, "devicePixelRatio", ratio);
}

/**
 * Draw the figure of a step, if it is one, as large as it fits above `bottom`.
 * @param {HTMLElement} node
 * @param {number} bottom
 */
export function fit(node, bottom, then) {
  if (!KINDS.some((kind) => node.matches(`.${kind}`))) return;
  const host = first(":scope > div", node);
  const shadow = host?.shadowRoot;
  if (!shadow) return;
  if (!shadow.adoptedStyleSheets.includes(sheet)) shadow.adoptedStyleSheets.push(sheet);
  now = { figure: node, watch: null };
  size(node, host, shadow, bottom);
  then();
}

function size(node, host, shadow, bottom) {
  const real = ratio.get.call(window);
  const top = node.getBoundingClientRect().top;
  const group = first("[role=group]", shadow);
  const tried = (zoom, left) => {
    node.style.setProperty("--zoom", String(zoom));
    node.style.setProperty("--left", left ? "38%" : "0px");
    group.classList.toggle("aside", left);
    // Canvases are drawn for the pixels that they cover.
    Object.defineProperty(window, "devicePixelRatio", { configurable: true, value: real * zoom });
    dispatchEvent(new Event("resize"));
    const box = group.getBoundingClientRect();
    return box.height <= bottom - top && group.scrollWidth <= group.clientWidth + 1;
  };
  let best = [1, false];
  for (const left of [true, false]) {
    let [low, high] = [best[0], 3.4];
    for (let n = 0; n < 4; n++) {
      const middle = (low + high) / 2;
      if (tried(middle, left)) {
        best = [middle, left];
        low = middle;
      } else high = middle;
    }
  }
  tried(.../** @type {[number, boolean]} */ (best));
}
