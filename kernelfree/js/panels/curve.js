// Lines over one axis.

import { say } from "../say.js";
import { along, Plot } from "./plot.js";
import { KINDS } from "./registry.js";

/** Lines over one axis: read place by place. */
export class Curve extends Plot {
  fit(cell, look) {
    super.fit(cell, look);
    this.at = Array.from(this.data.lx[0], (x) => along(x, this.xaxis, 0, 1));
  }

  best() {
    return super.best(this.data.ly);
  }

  ring({ column }) {
    const { ink, left, top, width, height } = this;
    ink.fillRect(left + this.at[column] * width - 1, top, 2, height);
  }

  table() {
    const { decimals } = this.tables.ly;
    const rows = this.rowNames.map((name, r) => [
      name,
      Array.from(this.data.ly[r], (y) => (isNaN(y) ? say`none` : this.written("y", y, decimals))),
    ]);
    return [this.columnNames, rows];
  }
}

KINDS.curve = Curve;
