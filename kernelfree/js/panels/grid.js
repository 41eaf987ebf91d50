// Another panel, small, for each value of one or two controls.

import { kept, stamp, tint } from "../figure/colors.js";
import { numberText } from "../figure/numbers.js";
import { say } from "../say.js";
import { Heatmap } from "./heatmap.js";
import { KINDS } from "./registry.js";

export class Grid extends Heatmap {
  fit(cell, look) {
    super.fit(Math.max(cell, 24), look);
  }

  draw(look) {
    const { ink, left, top, width, height, cellWidth, cellHeight, rows, columns, data, figure } = this;
    // While only the choice changes, the shades stay.
    const shown = [look, ...figure.places().filter((_, i) => !this.touch.includes(i))];
    const sheet = kept(this, shown, () => this.#shades(look));
    const [wide, high] = [cellWidth - 8, cellHeight - 8];
    const each = sheet.height / (rows * columns);
    ink.clearRect(left, top, width, height);
    ink.strokeStyle = look.text;
    for (let row = 0, from = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, from += each) {
        const [x, y] = [left + column * cellWidth + 4, top + row * cellHeight + 4];
        ink.drawImage(sheet, 0, from, sheet.width, each, x, y, wide, high);
        const thick = data.border ? (3 * data.border[row][column]) / this.most : 0.5;
        ink.lineWidth = thick;
        if (thick) ink.strokeRect(x - thick / 2, y - thick / 2, wide + thick, high + thick);
      }
  }

  /** The shades of all thumbnails, one below the other: one picture is soon drawn, 72 are not. */
  #shades(look) {
    // The numbers of the other panel where each thumbnail's controls stand.
    const { cells } = this.figure.views[this.of].read;
    const numbers = this.rowNames.flatMap((_, row) =>
      this.columnNames.flatMap((_, column) => cells(this.placesOf({ row, column }))),
    );
    const color = tint(look, this.role);
    return stamp(numbers, (number) => number && color(number));
  }

  tell({ row, column }) {
    const [heads, rows] = this.table();
    const down = this.row && say`${this.row} ${this.rowNames[row]}, `;
    const border = rows.length ? say`; ${this.means} ${rows[row][1][column]}` : "";
    return say`${this.title}, ${down}${this.column} ${heads[column]}${border}.`;
  }

  table() {
    const { data, tables, rowNames } = this;
    const texts = (row) => Array.from(row, (number) => numberText(number, tables.border.decimals));
    return [this.columnNames, (data.border ?? []).map((row, r) => [rowNames[r], texts(row)])];
  }
}

KINDS.grid = Grid;
