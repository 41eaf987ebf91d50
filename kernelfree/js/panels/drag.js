// A mark in the reader's hand: pointers and arrow keys move it from one computed place to another.

import { outline } from "./marks.js";
import { least } from "./panel.js";
import { KINDS } from "./registry.js";

class Drag {
  /** @param {import("./plot.js").Plot} plot */
  constructor(plot) {
    this.plot = plot;
    this.marks = plot.marks.filter(({ drag }) => drag);
    this.mark = this.marks[0];
    plot.screen.onlostpointercapture = () => (this.held = undefined);
    // A finger on the mark moves it; elsewhere it scrolls the page.
    plot.screen.addEventListener("touchstart", (event) => this.held && event.preventDefault());
  }

  /** Whether a pointer takes or holds a mark. */
  meets({ type, offsetX: x, offsetY: y, pointerId }) {
    const { screen: canvas } = this.plot;
    const found = this.held ?? this.find(x, y);
    canvas.style.cursor = this.held ? "grabbing" : found ? "grab" : "";
    if (!found) return false;
    if (type === "pointerdown") {
      this.mark = found.mark;
      this.held = found;
      canvas.setPointerCapture(pointerId);
      canvas.focus({ preventScroll: true });
    } else if (this.held) this.pull(x + found.x, y + found.y);
    return true;
  }

  /** The mark at a place, and how far its grip is from there. */
  find(x, y) {
    const { plot } = this;
    const { ink, px, figure } = plot;
    for (const mark of this.marks.toReversed()) {
      const [a, b] = plot.spot(plot.point(mark, mark.grip, figure.places()));
      const path = mark.type === "paths" && outline(plot, mark);
      /** @type {[Path2D, number, number]} */
      const at = [path, x * px, y * px];
      ink.lineWidth = 24;
      const near = path
        ? ink.isPointInStroke(...at) || (mark.fill && ink.isPointInPath(...at))
        : Math.hypot(a - x, b - y) < 20;
      if (near) return { mark, x: a - x, y: b - y };
    }
  }

  /** All states with stops that the mark in the hand can go to, with its place in each. */
  reach({ mark }) {
    const { plot } = this;
    const { figure } = plot;
    let all = [figure.places()];
    for (const c of mark.drag) {
      const { options } = figure.controls[c];
      if (options) all = all.flatMap((places) => options.map((_, at) => places.with(c, at)));
    }
    return all.map((places) => [places, plot.point(mark, mark.grip, places)]);
  }

  /** Go to the nearest of them, and without stops from there. */
  pull(x, y) {
    const { plot, held } = this;
    const { engine } = plot.figure;
    const away = (point) => {
      const [a, b] = plot.spot(point);
      return [a - x, b - y];
    };
    const { mark } = held;
    // With stops alone looked up once: what is held stays the same.
    const all = engine ? this.reach(held) : (held.reach ??= this.reach(held));
    const [best] = all[least(all, ([, point]) => Math.hypot(...away(point)))];
    plot.figure.go(engine?.nearest(best, (places) => away(plot.point(mark, mark.grip, places)), mark.drag) ?? best);
  }

  /** Take the next mark in the hand. */
  next() {
    const { marks } = this;
    this.mark = marks[(marks.indexOf(this.mark) + 1) % marks.length];
  }

  /** One step of an arrow key: across by the first control, up by the last. */
  step(down, right) {
    const { figure } = this.plot;
    const places = figure.places();
    const c = this.mark.drag.at(down ? -1 : 0);
    figure.go(places.with(c, places[c] + (right - down) * (figure.controls[c].step ?? 1)));
  }
}

KINDS.drag = Drag;
