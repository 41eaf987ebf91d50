// Plots and planes, which are read point by point.

import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";
import { least } from "./panel.js";
import { along, Plot } from "./plot.js";
import { KINDS } from "./registry.js";

/** A plot or a plane: read point by point. */
export class Marked extends Plot {
  /**
   * The points that can be read, all in one row.
   * @returns {any[]}
   */
  get elements() {
    return [...this.points(this.figure.look), ...this.#samples()];
  }

  /** Fields are read at 5 x 5 places: their texts, and where each stands. */
  #samples() {
    return this.marks.flatMap(({ type, name, key, ends, groups = [] }, m) =>
      Array.from({ length: type === "field" ? 25 : 0 }, (_, i) => {
        const [strengths, winners] = ["s", "w"].map((part) => this.data[key + part]);
        const [high, wide] = [strengths.length, strengths[0].length];
        const [r, c] = [(Math.floor(i / 5) + 0.5) * high, ((i % 5) + 0.5) * wide].map((at) => Math.floor(at / 5));
        const [x, y] = [along(c + 0.5, [0, wide], ...ends.x), along(r + 0.5, [high, 0], ...ends.y)];
        const called = [name, groups[winners?.[r][c]]].filter(Boolean).join(" ");
        const texts = [
          numberText(x, 2),
          numberText(y, 2),
          numberText(strengths[r][c], this.tables[`${key}s`].decimals),
        ];
        return { m, i, x: this.across(x), y: this.up(y), line: [called, ...texts] };
      }),
    );
  }

  go(element) {
    this.columns = this.elements.length;
    if (element && this.columns) super.go(element);
    else this.point();
  }

  pick({ offsetX, offsetY }) {
    const far = ({ x, y }) => Math.hypot(x - offsetX, y - offsetY);
    const points = this.elements;
    const column = least(points, far);
    if (points.length && far(points[column]) < 24) return { row: 0, column };
  }

  /** The points of a mark named "keys" are the keys. */
  things({ column }) {
    const { m, i } = this.elements[column];
    return { [this.marks[m].thing]: i };
  }

  /**
   * @param {import("../classes").Things} things
   * @returns {import("../classes").Ring[]}
   */
  lit(things) {
    return this.elements.flatMap(({ m, i }, column) => (things[this.marks[m].thing] === i ? [[{ column }]] : []));
  }

  ring({ column }) {
    const { x, y } = this.elements[column];
    this.ink.beginPath();
    this.ink.arc(x, y, 8, 0, 7);
    this.ink.stroke();
  }

  /** The numbers of a point: [name, x, y and what it weighs]. */
  #line(m, r, c) {
    const mark = this.marks[m];
    const number = (name) => {
      const rows = this.data[mark.key + name];
      return rows ? this.written(name, rows[r % rows.length][c], this.tables[mark.key + name].decimals) : "";
    };
    // Segments without names are those of the arrows, by their places.
    const same = ({ length }) => mark.head === "" && length === this.data[`${mark.key}x`][0].length;
    return [
      [...new Set([mark.name, this.names[m]?.[c] ?? this.names.find(same)?.[c]])].filter(Boolean).join(" "),
      number("x"),
      number("y"),
      number("shade") || number("size"),
    ];
  }

  tell({ column }) {
    const { m, i, line } = this.elements[column];
    const [name, x, y, weight] = line ?? this.#line(m, 0, i);
    const more = weight && say`, ${this.marks[m].role ?? (line ? say`strength` : say`size`)} ${weight}`;
    return say`${this.title}, ${name}: ${this.xlabel || "x"} ${x}, ${this.ylabel || "y"} ${y}${more}.`;
  }

  table() {
    const rows = this.marks.flatMap((mark, m) =>
      // What has fewer numbers than in another state ends with gaps.
      (this.data[`${mark.key}x`] ?? this.data[`${mark.key}y`] ?? []).flatMap((row, r) =>
        [...row].flatMap((at, c) => (isNaN(at) ? [] : [this.#line(m, r, c)])),
      ),
    );
    const lines = [...rows, ...this.#samples().map(({ line }) => line)];
    return [[this.xlabel || "x", this.ylabel || "y", say`size`], lines.map(([name, ...texts]) => [name, texts])];
  }
}

KINDS.plot = KINDS.plane = Marked;
