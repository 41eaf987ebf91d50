// A figure as a picture: its title, where its controls stand, its panels and its sentence, light as for print.
import { sheet } from "../figure/colors.js";
import { make } from "../figure/nodes.js";
import { say } from "../say.js";
import { standing } from "./rows.js";
import { SvgInk, SvgPath } from "./svg.js";

const MARGIN = 12;
const SHADES = 64;

/** How far the letters of a font are above the line they stand on, and below. */
function heights(font) {
  const ink = Object.assign(sheet(1, 1), { font });
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = ink.measureText("x");
  return [fontBoundingBoxAscent, fontBoundingBoxDescent];
}

/** A text line by line, where the page has each. */
function write(node, ink) {
  const { color, fontStyle, fontWeight, fontSize, fontFamily, textDecorationLine } = getComputedStyle(
    node.parentElement,
  );
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const [above, below] = heights(font);
  const range = new Range();
  const lines = [];
  for (const { 0: letter, index } of node.data.matchAll(/\P{M}\p{M}*/gu)) {
    range.setStart(node, index);
    range.setEnd(node, index + letter.length);
    const box = range.getClientRects()[0];
    if (!box?.width) continue;
    let line = lines.at(-1);
    const goesOn = Math.abs(line?.top - box.top) < 2;
    if (!goesOn && !letter.trim()) continue; // files leave out a blank that a text begins with
    if (!goesOn) lines.push((line = { text: "", left: box.left, ...edges(box) }));
    line.text += letter;
    Object.assign(line, { left: Math.min(line.left, box.left), right: box.right });
  }
  Object.assign(ink, { font, fillStyle: color, textAlign: "left", textBaseline: "alphabetic" });
  for (const { text, left, right, top, bottom } of lines) {
    const base = (top + bottom + above - below) / 2;
    ink.fillText(text.trimEnd(), left, base);
    if (textDecorationLine === "line-through") ink.fillRect(left, base - above / 3, right - left, 1);
  }
}

const edges = ({ top, bottom, right }) => ({ top, bottom, right });

/** A line between two words, which the page turns around its left end. */
function link({ style, parentNode }, ink) {
  const { left, top } = parentNode.getBoundingClientRect();
  const [x, y, wide, high, angle] = [style.left, style.top, style.width, style.height, style.rotate].map(parseFloat);
  ink.save();
  ink.translate(left + x, top + y + high / 2);
  ink.rotate(angle);
  ink.globalAlpha = +style.opacity;
  ink.fillStyle = style.background || style.backgroundColor;
  ink.fillRect(0, -high / 2, wide, high);
  ink.restore();
}

/** A panel that draws itself does so once more; on a canvas its own is copied. */
function panel(node, ink, view, look) {
  const { left, top, width, height } = node.getBoundingClientRect();
  if (!(view && ink instanceof SvgInk)) {
    ink.imageSmoothingEnabled = getComputedStyle(node).imageRendering !== "pixelated";
    return ink.drawImage(node, left, top, width, height);
  }
  const own = view.ink;
  // A path that panels make for their canvas can not be read.
  const { Path2D } = globalThis;
  ink.save();
  ink.translate(left, top);
  ink.imageSmoothingEnabled = false;
  try {
    view.ink = ink;
    globalThis.Path2D = /** @type {any} */ (SvgPath);
    if (!view.marks) view.frame(look); // marks bring their frame
    view.paint(look);
  } finally {
    view.ink = own;
    globalThis.Path2D = Path2D;
    ink.restore();
  }
}

/** A formula, which the page has as an outline. */
function formula(node, ink, { fill }) {
  const { left, top, height } = node.getBoundingClientRect();
  const box = node.viewBox.baseVal;
  const d = node.firstChild.getAttribute("d");
  ink.save();
  ink.translate(left, top);
  ink.scale(height / box.height, height / box.height);
  ink.translate(0, -box.y);
  ink.fillStyle = fill;
  ink.fill(ink instanceof SvgInk ? new SvgPath(d) : new Path2D(d));
  ink.restore();
}

/** A colour bar. */
function bar({ left, top, width, height }, ink, stops) {
  for (let i = 0; i < SHADES; i++) {
    const [red, green, blue] = [0, 8, 16].map(
      (by) => (stops[Math.floor(((i + 0.5) / SHADES) * stops.length)] >> by) & 255,
    );
    ink.fillStyle = `rgb(${red},${green},${blue})`;
    ink.fillRect(left + (i * width) / SHADES, top, width / SHADES + 0.3, height);
  }
}

/** A node of a figure, and what is in it. */
function draw(node, ink, figure) {
  if (node.nodeType === Node.TEXT_NODE) return write(node, ink);
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility === "hidden" || node.matches(".unseen")) return;
  if (node.matches("canvas"))
    return panel(
      node,
      ink,
      figure.views.find(({ screen }) => screen === node),
      figure.look,
    );
  if (node.matches(".drawn i")) return link(node, ink);
  if (node.matches("svg")) return formula(node, ink, style);
  const box = node.getBoundingClientRect();
  const role = Object.keys(figure.bars).find((name) => figure.bars[name] === node);
  if (role) return bar(box, ink, figure.look.ramps[role]);
  const under = parseFloat(style.borderBottomWidth);
  const areas = [
    [style.backgroundColor, box.top, box.height],
    [style.borderBottomColor, box.bottom - under, under],
  ];
  for (const [color, top, height] of areas) {
    ink.fillStyle = color;
    if (height && !color.endsWith(", 0)")) ink.fillRect(box.left, top, box.width, height);
  }
  for (const child of node.childNodes) draw(child, ink, figure);
}

/** What can be seen of a node's content. */
function shownIn(node) {
  const range = new Range();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

/**
 * Draw a figure on what `begin(wide, high)` returns.
 * @param {import("../figure/figure.js").Figure} figure
 * @param {(wide: number, high: number) => any} begin
 */
export function portray(figure, begin) {
  const { host, moved } = figure;
  const root = host.shadowRoot;
  const controls = figure.controls.map(({ label }, c) => say`${label} = ${standing(figure)[c]}`);
  const state = make("p", {}, controls.join(say`, `));
  root.querySelector(".head").after(state);
  // Black on white, fine enough for paper, and without the hint that a mark can be moved.
  host.style.color = "#000";
  figure.moved = true;
  figure.refresh(true);
  figure.typeset?.();
  const parts = [...root.querySelectorAll(".title, .panels, [role=group] > .legend, .foot p")];
  parts.splice(1, 0, state);
  const placed = [];
  let [wide, high] = [0, MARGIN];
  for (const node of parts) {
    const box = shownIn(node);
    if (!box.height || node.matches(".unseen")) continue; // no legend, no sentence
    placed.push([node, MARGIN - host.getBoundingClientRect().left, high - box.top]);
    wide = Math.max(wide, box.right - host.getBoundingClientRect().left);
    high += box.height + MARGIN;
  }
  const ink = begin(Math.ceil(wide + 2 * MARGIN), Math.ceil(high));
  ink.fillStyle = "#fff";
  ink.fillRect(0, 0, Math.ceil(wide + 2 * MARGIN), Math.ceil(high));
  for (const [node, right, down] of placed) {
    ink.save();
    ink.translate(right, down);
    draw(node, ink, figure);
    ink.restore();
  }
  state.remove();
  host.style.color = "";
  figure.moved = moved;
  figure.refresh();
  return ink;
}

/** The text of an SVG. */
export const svg = (figure) => portray(figure, (wide, high) => new SvgInk(wide, high, figure.title)).text;

/** A canvas of three pixels for one of the page. */
export function png(figure) {
  const ink = portray(figure, (wide, high) => {
    const drawn = make("canvas", { width: 3 * wide, height: 3 * high }).getContext("2d");
    drawn.scale(3, 3);
    return drawn;
  });
  return ink.canvas;
}
