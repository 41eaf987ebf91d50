// A matrix as coloured cells.

import { css, isDark, tint } from "../figure/colors.js";
import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";
import { Canvas } from "./canvas.js";
import { describeNumber, tableOf } from "./describe.js";
import { KINDS } from "./registry.js";

export class Heatmap extends Canvas {
  edge = 8;

  constructor(given, figure) {
    super(given, figure);
    this.rise = this.rows = given.shape[0];
  }

  get span() {
    return this.columns;
  }

  fit(cell, look) {
    cell = this.least ?? cell;
    this.width = look.snap(cell) * this.span;
    this.cellHeight = look.snap(Math.max(cell, Math.min(60 / this.rows, 22)));
    this.top = Math.max(4, 8 - this.cellHeight / 2); // the first row's name, in any font
    super.fit(look);
  }

  draw(look) {
    const { ink, left, top, width, height, cellWidth, cellHeight, data, role } = this;
    // A masked cell has no colour; neither has exactly 0, but in a map of an author's.
    const color = tint(look, role);
    ink.clearRect(left, top, width, height);
    const gap = Math.min(cellWidth, cellHeight) >= 9 ? 1 : 0;
    const room = cellWidth >= 6.3 * this.letters + 5 && cellHeight >= 16;
    look.font(ink, 11, "center", "middle");
    const hatch = new Path2D(); // thin lines for what is masked
    data.cells.forEach((row, r) =>
      row.forEach((number, c) => {
        const [x, y, wide, high] = [left + c * cellWidth, top + r * cellHeight, cellWidth - gap, cellHeight - gap];
        if (data.absent?.[r][c]) return;
        const shade = (number || this.zero) && color(number);
        ink.fillStyle = css(shade);
        if (shade) ink.fillRect(x, y, wide, high);
        ink.fillStyle = look.text;
        if (isNaN(number)) {
          for (let d = 4; d < wide + high; d += 5) {
            hatch.moveTo(x + Math.max(0, d - high), y + Math.min(d, high));
            hatch.lineTo(x + Math.min(d, wide), y + Math.max(0, d - wide));
          }
        } else if (room) {
          if (shade) ink.fillStyle = isDark(shade) ? "#fff" : "#000";
          ink.fillText(numberText(number, this.digits, 1, 1), x + cellWidth / 2, y + cellHeight / 2 + 1, wide);
        } else if (gap && !shade) ink.fillRect(x + cellWidth / 2 - 1, y + cellHeight / 2 - 1, 1.5, 1.5);
      }),
    );
    ink.lineWidth = 0.6;
    ink.strokeStyle = look.text;
    ink.stroke(hatch);
  }

  tell(element) {
    const { row, column } = element;
    const down = say`${this.row} ${this.rowNames[row]}, `;
    return this.data.absent?.[row][column] ? "" : describeNumber(this, element, down);
  }

  table() {
    const [heads, rows] = tableOf(this);
    this.data.absent?.forEach((none, r) => none.forEach((no, c) => no && (rows[r][1][c] = "")));
    return [heads, rows];
  }
}

KINDS.heatmap = Heatmap;
