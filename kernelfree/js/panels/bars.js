// Bars over one axis.

import { describeNumber, tableOf } from "./describe.js";
import { Plot } from "./plot.js";
import { KINDS } from "./registry.js";

/** Bars beside each other, or stacked. */
export class Bars extends Plot {
  under(look) {
    const { ink, left, columns, cellWidth, data, colors, base } = this;
    const up = (y) => Math.round(this.up(y));
    for (let c = 0; c < columns; c++) {
      let from = base;
      data.cells.forEach((row, r) => {
        const to = r ? from + row[c] : row[c];
        ink.fillStyle = colors[r][look.dark];
        ink.fillRect(left + (c + 0.14) * cellWidth, up(from), 0.72 * cellWidth, up(to) - up(from));
        from = to;
      });
    }
  }

  tell(element) {
    return this.rowNames.length > 1 ? super.tell(element) : describeNumber(this, element, "");
  }

  table() {
    return tableOf(this);
  }
}

KINDS.bars = Bars;
