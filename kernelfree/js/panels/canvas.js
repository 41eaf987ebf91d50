// A panel that is drawn: its canvas, the keys and pointers on it, and its frame.
import { block, make } from "../figure/nodes.js";
import { say } from "../say.js";
import { least, Panel } from "./panel.js";

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** A kind that extends this adds `draw(look)`, and says where its elements stand by `at`. */
export class Canvas extends Panel {
  edge = 14;
  top = 9;

  constructor(given, figure) {
    super(given, figure);
    this.columns = given.shape[1];
    this.at = given.columnNames?.map((_, c) => (c + 0.5) / this.columns);
    this.screen = make("canvas", {
      tabIndex: 0,
      role: "application",
      onblur: () => this.point(),
      onkeydown: (event) => this.#press(event),
    });
    this.hear(this.screen);
    this.ink = this.screen.getContext("2d");
    if (this.touch) this.screen.style.cursor = "pointer";
    this.node = block("panel", block("name", given.name), this.screen);
  }

  aim(event) {
    if (!this.drag?.meets(event)) this.go(this.pick(event), event.buttons);
  }

  /** Point at an element; where elements can be touched, `choosing` it. */
  go({ row, column }, choosing) {
    const clamp = (place, size) => Math.max(0, Math.min(size - 1, place));
    const element = { row: clamp(row, this.rows), column: clamp(column, this.columns) };
    if (this.touch && choosing) this.choose(element);
    this.point(element);
  }

  #press(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const move = MOVES[key];
    const drag = !shiftKey && this.drag;
    if (ctrlKey || metaKey || altKey) return;
    if (key === "t") this.figure.toggle();
    if (key === "Escape") this.point();
    if (key === "Enter" && drag) drag.next();
    if (!move) return;
    event.preventDefault();
    if (drag) return drag.step(...move);
    const start = this.touch ? this.chosen() : { row: -move[0], column: -move[1] };
    const { row = 0, column = 0 } = this.active ?? start;
    this.go({ row: row + move[0], column: column + move[1] }, true);
  }

  /** The element under a pointer. */
  pick({ offsetX, offsetY }) {
    const column = least(this.at, (place) => Math.abs(this.left + place * this.width - offsetX));
    return { row: Math.floor((offsetY - this.top) / this.cellHeight), column };
  }

  measure({ font }) {
    const { ink } = this;
    font(ink, 12);
    const widest = (ticks) => Math.max(0, ...ticks.map(([, text]) => ink.measureText(text).width));
    this.widest = widest(this.x);
    // No label leaves the canvas, wherever its tick stands.
    const [before, after] = this.words ? [0.71, 0] : [0.5, 0.5];
    this.right = Math.max(this.edge, after * this.widest);
    this.left = Math.ceil(Math.max(before * this.widest, this.right, widest(this.y) + (this.ylabel ? 28 : 8)));
  }

  /** Take a size: `width` and `cellHeight` are what a kind has set. */
  fit(look) {
    const { screen: canvas, ink, left, right, top, columns, rows, width } = this;
    canvas.ariaLabel = say`${this.title}: arrow keys ${this.keys ?? say`read the numbers`}, T shows a table`;
    this.cellWidth = width / columns;
    this.height = this.cellHeight * rows;
    this.slant = this.words && this.widest + 8 > this.cellWidth;
    this.bottom = (this.slant ? Math.ceil(0.71 * this.widest) + 14 : 20) + (this.xlabel ? 20 : 0);
    canvas.width = (left + width + right) * look.px;
    canvas.height = (top + this.height + this.bottom) * look.px;
    canvas.style.width = `${canvas.width / look.px}px`;
    canvas.dataset.cells = /** @type {any} */ ([left, top, this.cellWidth, this.cellHeight]);
    ink.scale(look.px, look.px);
    ink.imageSmoothingEnabled = false;
    this.frame(look);
  }

  /** Ticks and labels. */
  frame({ text, font }) {
    const { ink, left, right, top, width, height, bottom, x, y, slant, widest, veiled } = this;
    const write = (label, across, down, angle = 0, most) => {
      ink.save();
      ink.translate(across, down);
      ink.rotate(angle);
      ink.fillText(label, 0, 0, most);
      ink.restore();
    };
    // Nor does one meet the next; where ticks stand is rounded.
    const thin = (ticks, length, room) => {
      const gap = Math.min(...ticks.slice(1).map(([at], i) => Math.abs(at - ticks[i][0])));
      return ticks.filter((_, i) => !(i % Math.ceil(room / gap / length - 0.01)));
    };
    ink.fillStyle = text;
    ink.globalAlpha = 0.8;
    font(ink, 12, "right", "middle");
    for (const [at, label] of thin(y, height, 13)) write(label, left - 6, top + at * height);
    font(ink, 12, slant ? "right" : "center", "top");
    for (const [at, label] of thin(x, width, slant ? 13 : widest + 8))
      write(label, left + at * width, top + height + 6, slant ? -Math.PI / 4 : 0);
    ink.globalAlpha = 1;
    font(ink, 13, "center", "top");
    write(this.ylabel, 0, top + height / 2, -Math.PI / 2, height);
    font(ink, 13, "center", "bottom");
    write(this.xlabel, left + width / 2, top + height + bottom, 0, width + 2 * right);
    if (veiled && !veiled[0]) {
      ink.strokeStyle = text;
      ink.strokeRect(left, top, width, height);
      write("?", left + width / 2, top + height / 2);
    }
  }

  /** Draw the state, and mark what is lit and the active element. */
  paint(look) {
    const { ink, active, figure, veiled } = this;
    if (!veiled || veiled[0]) this.draw(look);
    if (veiled) return;
    if (this.touch) {
      const { row, column } = this.chosen();
      ink.strokeStyle = this.hue[look.dark];
      ink.lineWidth = 3;
      this.ring({ row, column }, { row: row ?? this.rows - 1, column: column ?? this.columns - 1 });
    }
    ink.strokeStyle = ink.fillStyle = look.text;
    ink.lineWidth = 1;
    for (const ring of this.lit(figure.things)) this.ring(...ring);
    ink.lineWidth = 2;
    if (active) this.ring(active);
  }

  /**
   * The row and the column of what a reader points at, here or elsewhere, as far as they have elements: [first, last].
   * @param {import("../classes").Things} things
   * @returns {import("../classes").Ring[]}
   */
  lit(things) {
    const { rows, columns, data } = this;
    const there = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) if (!data.absent?.[row][column]) there.push({ row, column });
    return ["row", "column"].flatMap((axis) => {
      const line = there.filter((element) => element[axis] === things[this[axis]]);
      return line[0] ? [[line[0], line.at(-1)]] : [];
    });
  }

  /**
   * A ring around an element, or around all up to the last.
   * @param {import("../classes").Element} first
   * @param {import("../classes").Element} [last]
   */
  ring({ row = 0, column = 0 }, last = { row, column }) {
    const { ink, left, top, cellWidth, cellHeight } = this;
    const edge = ink.lineWidth / 2;
    ink.strokeRect(
      left + column * cellWidth + edge,
      top + row * cellHeight + edge,
      (last.column - column + 1) * cellWidth - 2 * edge,
      (last.row - row + 1) * cellHeight - 2 * edge,
    );
  }
}
