// What stands over two axes of numbers: marks, and what can be taken in the hand.
import { block, make } from "../figure/nodes.js";
import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";
import { Canvas } from "./canvas.js";
import { hand } from "./drag.js";
import { paintMarks, radiusOf, writeNames } from "./marks.js";

/** Where a value of an axis stands between two ends. */
export const along = (value, [low, high], from, to) => from + ((value - low) / (high - low)) * (to - from);

/** Marks over two axes. */
export class Plot extends Canvas {
  drag = this.marks.some((mark) => mark.drag) ? hand(this) : undefined;
  signs = block("legend");

  constructor(given, figure) {
    super(given, figure);
    if (given.legend[0]) this.screen.before(this.signs);
  }

  measure(look, views) {
    super.measure(look);
    const { xaxis, yaxis } = this;
    const isPlane = (view) => view.kind === "plane";
    const plane = isPlane(this);
    // As wide and as high as so many cells of a heatmap.
    this.span = (plane ? 8 : 6) + (views[1] ? 0 : 4);
    this.rise = plane ? (this.span * (yaxis[1] - yaxis[0])) / (xaxis[1] - xaxis[0]) : 0;
    // A single plane has arrows to move.
    this.wide = plane && !views.filter(isPlane)[1] && 180;
  }

  fit(cell, look) {
    this.width = look.snap(cell * this.span);
    this.cellHeight = (this.width * this.rise) / this.span || 160;
    this.px = look.px;
    const sign = ([text, pair]) => make("span", { style: `color:light-dark(${pair})` }, text);
    this.signs.replaceChildren(...this.legend.map(sign));
    super.fit(look);
  }

  /** A number of an axis in words; a log axis has stored powers of ten, one of dates days since 1970. */
  written(axis, number, decimals) {
    if (this.dates && axis === "x")
      return new Date(Math.round(number * 86400) * 1e3).toISOString().slice(0, decimals > 0 ? 19 : 10);
    return this.log?.includes(axis) ? numberText(10 ** number, -400) : numberText(number, decimals);
  }

  across(x) {
    return along(x, this.xaxis, this.left, this.left + this.width);
  }

  up(y) {
    return along(y, this.yaxis, this.top + this.height, this.top);
  }

  /**
   * Where a mark is taken, in any state; one without x or y in the middle or at the top.
   * @param {import("../classes").AnyMark} mark
   */
  grip({ key, grip }, places = this.figure.places()) {
    const [x, y] = ["x", "y"].map((name) => this.read[key + name]?.(places)[0][grip]);
    return [
      x === undefined ? this.left + this.width / 2 : this.across(x),
      y === undefined ? this.top + 20 : this.up(y),
    ];
  }

  draw(look) {
    const { ink, screen: canvas, left, top, width, height, kind } = this;
    ink.clearRect(0, 0, canvas.width, canvas.height);
    this.frame(look);
    ink.globalAlpha = 0.16;
    ink.fillStyle = look.text;
    for (const [at] of this.y) ink.fillRect(left, Math.round(top + at * height), width, 1);
    if (kind === "plane") for (const [at] of this.x) ink.fillRect(Math.round(left + at * width), top, 1, height);
    ink.globalAlpha = 1;
    this.under?.(look);
    paintMarks(this, look);
    this.#write(look);
  }

  /**
   * All points: their mark, number, place, name, its colour, and how far beside them it stands.
   * @returns {{m?: number, i?: number, x: number, y: number, name: string, color: string, far: number}[]}
   */
  points(look) {
    return this.marks.flatMap((mark, m) => {
      const { type, key, role, colors, head, top, drag } = mark;
      if (type !== "links" || this.veiled?.includes(key)) return [];
      const size = this.data[`${key}size`]?.[0];
      return Array.from(this.data[`${key}x`][0], (x, i) => {
        const color = role ? look.text : colors[i % colors.length][look.dark];
        const far = drag ? 14 : head === "dot" ? radiusOf(size?.[i], top) + 4 : 8;
        return {
          m,
          i,
          x: this.across(x),
          y: this.up(this.data[`${key}y`][0][i]),
          name: this.names[m]?.[i] ?? "",
          color,
          far,
        };
      });
    });
  }

  /** Names, and rings around what can be taken in the hand; before the first time it says so. */
  #write(look) {
    const { ink, figure, taken } = this;
    const hints = [];
    for (const mark of this.drag?.marks ?? []) {
      const [x, y] = this.grip(mark);
      taken.push([x - 12, y - 12, 24, 24]);
      ink.strokeStyle = look.text;
      ink.lineWidth = 1;
      ink.beginPath();
      ink.arc(x, y, 11, 0, 7);
      if (mark.type === "links") ink.stroke();
      // Said once: the rings are alike.
      if (!figure.moved && mark === this.drag.mark)
        hints.push({ x, y, name: say`\u2194 drag`, color: look.text, far: 14 });
    }
    for (const names of [this.points(look), hints]) writeNames(this, names, look);
  }

  /** All numbers at one place of the axis. */
  tell({ column }) {
    const told = this.table()[1].map(([name, texts]) => `${name} ${texts[column]}`);
    return say`${this.column} ${this.columnNames[column]}: ${told.join(say`, `)}.`;
  }
}
