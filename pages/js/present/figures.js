// Figures on a wall: as large as they fit, their words beside the pictures or above them.
import { first, select } from "../learn/dom.js";
import css from "./figure.css";

const KINDS = ["kernelfree-figure", "kernelfree-sentence"];
const TRACE = "kernelfree-trace";
// Which part of the width the words take beside the pictures, and which part of the rest the pictures take.
const WORDS = [0.4, 0.5, 0.6, 0];
const PICTURES = [1, 0.75, 0.55];
// Where all panels do not fit beside a question, the first stands alone.
const WAYS = [0, 1].flatMap((tight) => WORDS.flatMap((left) => PICTURES.map((narrow) => [tight, left, narrow])));
const LEAST = 0.5;
const MOST = 3.4;
const ratio = Object.getOwnPropertyDescriptor(window, "devicePixelRatio");
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** @type {WeakMap<Element, Record<string, number[]>>} what was found for a size of the screen */
const found = new WeakMap();
/** @type {HTMLElement | null} */
let now = null;
/** @type {ResizeObserver | undefined} */
let watch;

/** @param {Element} node */
export const isFigure = (node) => KINDS.some((kind) => node.matches(`.${kind}`));

/** @param {Element} node */
export const isTrace = (node) => node.matches(`.${TRACE}`);

/** The zoom with which the 12 px that figures write are read as far as the text: present.css has the numbers. */
export const readable = () => Math.max(0.0262 * Math.min(innerWidth, innerHeight), 15) / 12;

/** Whether its question waits for an answer. @param {Element} node */
export const isOpen = (node) => Boolean(first(":scope > div", node)?.shadowRoot?.querySelector(".covered"));

/** All figures of the page at once: a step is turned without waiting for one. */
export const alive = () => [...KINDS, TRACE].forEach((kind) => dispatchEvent(new Event(kind)));

/** The figure as it is on the page. */
export function unfit() {
  watch?.disconnect();
  if (!now) return;
  for (const name of ["--zoom", "--left", "--narrow"]) now.style.removeProperty(name);
  first(":scope > div", now)?.classList.remove("aside", "asks", "many", "on-wall", "tight");
  Object.defineProperty(window, "devicePixelRatio", ratio);
  now = null;
}

/**
 * Draw a figure as large as it fits above `bottom`, and again where it grows.
 * @param {HTMLElement} figure
 * @param {number} stage
 * @param {number} bottom
 * @param {() => void} then called whenever it has been drawn
 */
export function fit(figure, stage, bottom, then) {
  const parts = partsOf(figure, stage);
  if (!parts) return;
  now = figure;
  place(parts, best(parts, bottom));
  watch = new ResizeObserver(() => {
    if (parts.group.getBoundingClientRect().bottom > bottom + 1) place(parts, best(parts, bottom, true));
    then();
  });
  watch.observe(parts.group);
}

/** Find out how large a figure fits before it is shown. @param {HTMLElement} figure @param {number} bottom */
export function prepare(figure, stage, bottom) {
  const parts = partsOf(figure, stage);
  if (parts) best(parts, bottom);
  const shown = now;
  now = figure;
  unfit();
  now = shown;
}

/** A figure's own root as it is on a wall, or as it is on the page. @param {HTMLElement} figure @param {boolean} wall */
export function hang(figure, wall) {
  const host = first(":scope > div", figure);
  const shadow = host?.shadowRoot;
  if (shadow && !shadow.adoptedStyleSheets.includes(sheet)) shadow.adoptedStyleSheets.push(sheet);
  host?.classList.toggle("on-wall", wall);
  return shadow && { figure, host, shadow, group: first("[role=group]", shadow) };
}

/** A figure that asks shows its question alone, and then all else. @param {HTMLElement} figure @param {number} stage */
function partsOf(figure, stage) {
  const parts = hang(figure, true);
  parts?.host.classList.toggle("asks", !stage && Boolean(parts.shadow.querySelector(".quiz")));
  if (parts) parts.host.classList.toggle("many", select(".whole", parts.shadow).length > 4);
  return parts;
}

/** Zoom, words beside by a part of the width, pictures in a part of the rest. */
function place({ figure, host }, [zoom, left, narrow, tight]) {
  const width = figure.parentElement.clientWidth;
  figure.style.setProperty("--zoom", String(zoom));
  // In the figure's own pixels, before they are enlarged.
  figure.style.setProperty("--left", `${(left * width) / zoom}px`);
  figure.style.setProperty("--narrow", `${((1 - narrow) * (1 - left) * width) / zoom}px`);
  host.classList.toggle("aside", left > 0);
  host.classList.toggle("tight", tight > 0);
  // Canvases are drawn for the pixels that they cover.
  Object.defineProperty(window, "devicePixelRatio", { configurable: true, value: ratio.get.call(window) * zoom });
  dispatchEvent(new Event("resize"));
}

/** The way in which the pictures cover most and are read best. */
function best(parts, bottom, again) {
  const { figure, group, shadow } = parts;
  const known = found.get(figure) ?? {};
  found.set(figure, known);
  parts.host.classList.remove("tight");
  const key = `${innerWidth} ${innerHeight} ${group.className} ${parts.host.className}`;
  if (known[key] && !again) return known[key];
  let most = 0;
  known[key] = [LEAST, 0, 1, 1];
  for (const [tight, left, narrow] of WAYS) {
    if (tight && most) break; // all panels fit
    let [low, high] = [LEAST, MOST];
    for (let n = 0; n < 5; n++) {
      const zoom = (low + high) / 2;
      place(parts, [zoom, left, narrow, tight]);
      if (group.getBoundingClientRect().bottom > bottom || group.scrollWidth > group.clientWidth + 1) {
        high = zoom;
        continue;
      }
      low = zoom;
      const boxes = select("canvas, .words, .content, table", shadow).map((node) => node.getBoundingClientRect());
      const score =
        boxes.reduce((sum, { width, height }) => sum + width * height, 0) * Math.min(1, zoom / readable()) ** 2;
      if (score > most) {
        most = score;
        known[key] = [zoom, left, narrow, tight];
      }
    }
  }
  return known[key];
}
