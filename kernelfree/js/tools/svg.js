// A drawing context that writes SVG: what panels draw on a canvas can be drawn on it as well.
import { sheet } from "../figure/colors.js";
import { make } from "../figure/nodes.js";

const NAME = "http://www.w3.org/2000/svg";
// Apart from the page, which would load its pictures.
const PAPER = document.implementation.createDocument(NAME, "svg", null);
const round = (number) => +number.toFixed(2);

function node(tag, given, text = "") {
  const made = PAPER.createElementNS(NAME, tag);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) made.setAttribute(name, typeof value === "number" ? `${round(value)}` : value);
  // Signs that no file of XML may hold, and those around formulas.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
  made.textContent = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\u2061\u2063]/g, "");
  return made;
}

/** A path: its methods are those of `Path2D`, as far as figures use them. */
export class SvgPath {
  constructor(d = "") {
    this.d = d;
  }

  #add(sign, ...numbers) {
    if (numbers.every(Number.isFinite)) this.d += sign + numbers.map(round).join(" ");
  }

  moveTo(x, y) {
    this.#add("M", x, y);
  }

  lineTo(x, y) {
    this.#add(this.d ? "L" : "M", x, y);
  }

  rect(x, y, wide, high) {
    if (![x, y, wide, high].every(Number.isFinite)) return;
    this.#add("M", x, y);
    this.d += `h${round(wide)}v${round(high)}h${round(-wide)}z`;
  }

  /** Figures draw whole circles alone. */
  arc(x, y, radius) {
    if (![x, y, radius].every(Number.isFinite)) return;
    this.#add("M", x + radius, y);
    for (const side of [-2, 2]) this.d += `a${round(radius)} ${round(radius)} 0 1 1 ${round(side * radius)} 0`;
  }

  closePath() {
    if (this.d) this.d += "z";
  }
}

/** What a `CanvasRenderingContext2D` is asked for by panels, as an SVG. */
export class SvgInk {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  lineJoin = "miter";
  globalAlpha = 1;
  font = "";
  textAlign = "left";
  textBaseline = "alphabetic";
  imageSmoothingEnabled = true;
  matrix = new DOMMatrix();
  dashes = "";
  clipped = undefined;
  #path = new SvgPath();
  #stack = [];
  #clips = 0;
  #root;

  constructor(wide, high, title) {
    this.#root = node("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
    this.#root.append(node("title", {}, title));
  }

  get text() {
    return new XMLSerializer().serializeToString(this.#root);
  }

  #put(tag, given, text) {
    const { matrix, globalAlpha, clipped } = this;
    const { a, b, c, d, e, f } = matrix;
    const moved = {
      transform: matrix.isIdentity ? undefined : `matrix(${[a, b, c, d, e, f].map((n) => +n.toFixed(4))})`,
    };
    const made = node(tag, { ...given, ...moved, opacity: globalAlpha < 1 ? globalAlpha : undefined }, text);
    if (!clipped) return this.#root.append(made);
    // What is clipped moves inside, the edge stays.
    const group = node("g", { "clip-path": clipped });
    group.append(made);
    this.#root.append(group);
  }

  save() {
    this.#stack.push({ ...this });
  }

  restore() {
    Object.assign(this, this.#stack.pop());
  }

  translate(x, y) {
    this.matrix = this.matrix.translate(x, y);
  }

  rotate(angle) {
    this.matrix = this.matrix.rotate((angle * 180) / Math.PI);
  }

  scale(across, down) {
    this.matrix = this.matrix.scale(across, down);
  }

  setLineDash(dashes) {
    this.dashes = dashes.join(" ");
  }

  beginPath() {
    this.#path = new SvgPath();
  }

  lineTo(x, y) {
    this.#path.lineTo(x, y);
  }

  rect(x, y, wide, high) {
    this.#path.rect(x, y, wide, high);
  }

  arc(x, y, radius) {
    this.#path.arc(x, y, radius);
  }

  clip() {
    const id = `clip${++this.#clips}`;
    const edge = node("clipPath", { id });
    const { a, b, c, d, e, f } = this.matrix;
    edge.append(node("path", { d: this.#path.d, transform: `matrix(${[a, b, c, d, e, f]})` }));
    this.#root.append(edge);
    this.clipped = `url(#${id})`;
  }

  /** Nothing: what is drawn is drawn once. */
  clearRect() {}

  fill({ d } = this.#path) {
    if (d) this.#put("path", { d, fill: this.fillStyle });
  }

  get #pen() {
    const { strokeStyle, lineWidth, lineJoin, dashes } = this;
    return {
      fill: "none",
      stroke: strokeStyle,
      "stroke-width": lineWidth,
      "stroke-linejoin": lineJoin,
      "stroke-dasharray": dashes || undefined,
    };
  }

  stroke({ d } = this.#path) {
    if (d) this.#put("path", { d, ...this.#pen });
  }

  #box(x, y, wide, high, given) {
    if (![x, y, wide, high].every(Number.isFinite)) return;
    const [left, top] = [Math.min(x, x + wide), Math.min(y, y + high)];
    this.#put("rect", { x: left, y: top, width: Math.abs(wide), height: Math.abs(high), ...given });
  }

  fillRect(x, y, wide, high) {
    this.#box(x, y, wide, high, { fill: this.fillStyle });
  }

  strokeRect(x, y, wide, high) {
    this.#box(x, y, wide, high, this.#pen);
  }

  measureText(text, textBaseline = this.textBaseline) {
    const { font, textAlign } = this;
    return Object.assign(sheet(1, 1), { font, textAlign, textBaseline }).measureText(text);
  }

  #write(text, x, y, most, given) {
    const [, slant, weight, size, family] = /** @type {any} */ (
      this.font.match(/^(italic )?(?:normal )?(\d+ )?([\d.]+)px (.*)$/)
    );
    const { width, fontBoundingBoxAscent } = this.measureText(text);
    // Of the lines that a text can hang on, all programs know the one that letters stand on.
    const down = this.measureText(text, "alphabetic").fontBoundingBoxAscent - fontBoundingBoxAscent;
    this.#put(
      "text",
      {
        x,
        y: y + down,
        "text-anchor": { center: "middle", right: "end" }[this.textAlign],
        "font-family": family,
        "font-size": +size,
        "font-style": slant?.trim(),
        "font-weight": weight?.trim(),
        ...(most < width && { textLength: most, lengthAdjust: "spacingAndGlyphs" }),
        ...given,
      },
      text,
    );
  }

  fillText(text, x, y, most) {
    this.#write(`${text}`, x, y, most, { fill: this.fillStyle });
  }

  strokeText(text, x, y) {
    this.#write(`${text}`, x, y, undefined, this.#pen);
  }

  /** A part of a picture, or all of it, in a box. */
  drawImage(picture, ...places) {
    const { width, height } = picture;
    const [left, top, wide, high, x, y, right, down] =
      places[4] === undefined ? [0, 0, width, height, ...places] : places;
    const part = make("canvas", { width: wide, height: high });
    part.getContext("2d").drawImage(picture, left, top, wide, high, 0, 0, wide, high);
    const given = { href: part.toDataURL(), x, y, width: right, height: down, preserveAspectRatio: "none" };
    this.#put("image", { ...given, "image-rendering": this.imageSmoothingEnabled ? undefined : "pixelated" });
  }
}
