// A mark in the reader's hand: pointers and arrow keys move it from one computed place to another.

import { outline } from "./marks.js";
import { least } from "./panel.js";

/**
 * What moves the marks of a plot; `mark` is the one that arrow keys move.
 * @param {import("./plot.js").Plot} plot
 */
export function hand(plot) {
  const { figure, screen, ink } = plot;
  const { controls, engine } = figure;
  const marks = plot.marks.filter(({ drag }) => drag);
  // The mark in the hand, how far its grip is from there, and where it can go.
  let held;
  screen.onlostpointercapture = () => (held = undefined);
  // A finger on the mark moves it; elsewhere it scrolls the page.
  screen.addEventListener("touchstart", (event) => held && event.preventDefault());

  /** The mark at a place. */
  const find = (x, y) => {
    for (const mark of marks.toReversed()) {
      const [a, b] = plot.grip(mark);
      const path = mark.type === "paths" && outline(plot, mark);
      /** @type {[Path2D, number, number]} */
      const at = [path, x * plot.px, y * plot.px];
      ink.lineWidth = 24;
      const near = path
        ? ink.isPointInStroke(...at) || (mark.fill && ink.isPointInPath(...at))
        : Math.hypot(a - x, b - y) < 20;
      if (near) return { mark, x: a - x, y: b - y };
    }
  };

  /** All states with stops that a mark can go to, with its place in each. */
  const reach = (mark) => {
    let all = [figure.places()];
    for (const c of mark.drag) {
      const { options } = controls[c];
      if (options) all = all.flatMap((places) => options.map((_, at) => places.with(c, at)));
    }
    return all.map((places) => [places, plot.grip(mark, places)]);
  };

  /** Go to the nearest of them, and without stops from there. */
  const pull = (x, y) => {
    const { mark } = held;
    /** @type {(at: number[]) => number[]} */
    const away = ([a, b]) => [a - x, b - y];
    // With stops alone looked up once: what is held stays the same.
    if (engine || !held.reach) held.reach = reach(mark);
    const [best] = held.reach[least(held.reach, ([, at]) => Math.hypot(...away(at)))];
    figure.go(engine?.nearest(best, (places) => away(plot.grip(mark, places)), mark.drag) ?? best);
  };

  const drag = {
    marks,
    mark: marks[0],

    /** Whether a pointer takes or holds a mark. */
    meets({ type, offsetX: x, offsetY: y, pointerId }) {
      const found = held ?? find(x, y);
      screen.style.cursor = held ? "grabbing" : found ? "grab" : "";
      if (found && type === "pointerdown") {
        held = found;
        drag.mark = held.mark;
        screen.setPointerCapture(pointerId);
        screen.focus({ preventScroll: true });
      } else if (held) pull(x + held.x, y + held.y);
      return found;
    },

    /** Take the next mark in the hand. */
    next() {
      drag.mark = marks[(marks.indexOf(drag.mark) + 1) % marks.length];
    },

    /** One step of an arrow key: across by the first control, up by the last. */
    step(down, right) {
      const places = figure.places();
      const c = drag.mark.drag.at(down ? -1 : 0);
      figure.go(places.with(c, places[c] + (right - down) * (controls[c].step ?? 1)));
    },
  };
  return drag;
}
