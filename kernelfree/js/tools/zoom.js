// A part of a plot, large: by a range that a reader drags over, a wheel with Ctrl, keys or buttons.
import { say } from "../say.js";
import { inside } from "./near.js";
import { short, ticks } from "./ticks.js";

// Numbers of lines are stored to a thousandth of their range: beyond this their steps would show.
const MOST = 20;
export const STEP = 1.5;

/** Where a place between two ends stands between two numbers. */
const along = (at, from, to, [low, high]) => low + ((at - from) / (to - from)) * (high - low);

/**
 * A part of the whole, no smaller than it may be; what would stick out moves in.
 * @param {number[]} part
 * @param {number[]} whole
 */
function within([low, high], [first, last]) {
  const all = last - first;
  const span = Math.min(all, Math.max(high - low, all / MOST));
  const start = Math.max(first, Math.min(last - span, (low + high - span) / 2));
  return [start, start + span];
}

/** One plot and the part of it that is shown. */
export class Zoom {
  /** What stands for the axes of the whole. */
  #part = {};
  /** Where a reader began to drag, and how far that is now. */
  #from;
  #to;

  /**
   * @param {any} view
   * @param {() => boolean} fingers whether a finger marks a range, too
   */
  constructor(view, fingers) {
    this.view = view;
    const { xaxis, yaxis, x, y, wording } = view;
    this.home = () => ({ xaxis, yaxis, x, y, ...wording(view.figure.places()) });
    view.wording = (places) => ({ xaxis, yaxis, x, y, ...wording(places), ...this.#part });
    this.#drawn();
    this.#heard(fingers);
  }

  get zoomed() {
    return Object.keys(this.#part).length > 0;
  }

  /**
   * Show a part of both axes, as far as there is one.
   * @param {number[][]} ends
   */
  show(ends) {
    const { view } = this;
    const home = this.home();
    const wholes = [home.xaxis, home.yaxis];
    const span = (part) => part[1] - part[0];
    if (view.kind === "plane") {
      // Both axes keep one scale.
      const share = Math.max(...ends.map((part, n) => span(part) / span(wholes[n])));
      ends = ends.map(([low, high], n) => [-1, 1].map((side) => (low + high + side * share * span(wholes[n])) / 2));
    }
    this.#part = {};
    ["x", "y"].forEach((name, n) => {
      const part = within(ends[n], wholes[n]);
      if (span(part) > 0.999 * span(wholes[n])) return;
      const kind = view.log?.includes(name) ? "log" : view.dates && name === "x" ? "dates" : "";
      const found = home[name][0] ? ticks(part, kind) : []; // a drawing has no numbers
      const turned = name === "y" ? found.map(([at, text]) => [1 - at, text]) : found;
      Object.assign(this.#part, { [`${name}axis`]: part, [name]: turned });
    });
    view.figure.draw();
  }

  whole() {
    const { xaxis, yaxis } = this.home();
    this.show([xaxis, yaxis]);
  }

  /** Show so many times as much, around a place that stays where it is. */
  by(factor, place = this.#middle()) {
    const { xaxis, yaxis } = this.view;
    const [x, y] = this.#numbers(place);
    const ends = ([low, high], at) => [at + (low - at) * factor, at + (high - at) * factor];
    this.show([ends(xaxis, x), ends(yaxis, y)]);
  }

  /** What is shown now, in words. */
  get words() {
    const { title, xaxis, yaxis, xlabel, ylabel, log, dates } = this.view;
    if (!this.zoomed) return say`${title}: all is shown.`;
    const text = (name, axis) =>
      axis.map((end) =>
        log?.includes(name) || (dates && name === "x") ? this.view.written(name, end, 0) : short(end, axis),
      );
    const [a, b] = text("x", xaxis);
    const [c, d] = text("y", yaxis);
    return say`${title}: ${xlabel || "x"} from ${a} to ${b}, ${ylabel || "y"} from ${c} to ${d}.`;
  }

  /** Tell it once it rests. */
  tell() {
    const { figure } = this.view;
    clearTimeout(figure.waiting);
    figure.waiting = setTimeout(() => figure.tell(this.words, true), 300);
  }

  /** The numbers of a place on the canvas. */
  #numbers({ x, y }) {
    const { left, top, width, height, xaxis, yaxis } = this.view;
    return [along(x, left, left + width, xaxis), along(y, top + height, top, yaxis)];
  }

  /** Where an element stands; on a curve that of its first line with a number there. */
  #spot({ column }) {
    const { kind, left, width, at, data, elements } = this.view;
    if (kind !== "curve") return elements[column] ?? {};
    const y = data.ly.map((row) => row[column]).find((number) => !isNaN(number));
    return { x: left + at[column] * width, y: this.view.up(y) };
  }

  /** Whether an element is in sight; on a curve all of its lines are told. */
  #seen(element) {
    const { kind, top } = this.view;
    const { x, y } = this.#spot(element);
    return !this.zoomed || inside(this.view, { x, y: kind === "curve" ? top : y });
  }

  /** What keys and buttons zoom around. */
  #middle() {
    const { left, top, width, height, active } = this.view;
    const spot = active && this.#spot(active);
    return spot && inside(this.view, spot) ? spot : { x: left + width / 2, y: top + height / 2 };
  }

  /** The box that a reader drags over: as high as the plot where the hand goes across. */
  get #box() {
    if (!this.#to) return undefined;
    const { left, top, width, height } = this.view;
    const side = (name, first, size, least) => {
      const ends = [this.#from[name], this.#to[name]].sort((a, b) => a - b);
      return ends[1] - ends[0] < least
        ? [first, first + size, false]
        : [...ends.map((end) => Math.max(first, Math.min(first + size, end))), true];
    };
    const [x, y] = [side("x", left, width, 8), side("y", top, height, 24)];
    return x[2] || y[2] ? { x, y } : undefined;
  }

  /** What is outside is not drawn, and what a reader drags over is. */
  #drawn() {
    const { view } = this;
    const { draw, paint, points, ring, fit } = view;
    let drawing = false;
    view.under = () => {
      if (!drawing) return;
      const { ink, left, top, width, height } = view;
      ink.save();
      ink.beginPath();
      ink.rect(left - 5, top - 5, width + 10, height + 10);
      ink.clip();
    };
    view.draw = (look) => {
      drawing = this.zoomed;
      draw.call(view, look);
      if (drawing) view.ink.restore();
      drawing = false;
    };
    // Names stand at points that are seen.
    view.points = (look) => points.call(view, look).filter((one) => !drawing || inside(view, one));
    view.ring = (first, last) => {
      if (this.#seen(first)) ring.call(view, first, last);
    };
    view.paint = (look) => {
      paint.call(view, look);
      const box = this.#box;
      if (!box) return;
      const [[left, right], [top, bottom]] = [box.x, box.y];
      view.ink.fillStyle = look.text;
      view.ink.globalAlpha = 0.15;
      view.ink.fillRect(left, top, right - left, bottom - top);
      view.ink.globalAlpha = 1;
    };
    view.fit = (cell, look) => {
      fit.call(view, cell, look);
      view.screen.ariaLabel += say`, + and \u2212 zoom, 0 shows all`;
    };
  }

  #heard(fingers) {
    const { view } = this;
    const { screen } = view;
    view.aim = (event) => this.#aim(event, fingers);
    const heard = (type, act) => screen.addEventListener(type, act, { passive: false });
    heard("pointerup", () => this.#finish(this.#box));
    heard("pointercancel", () => this.#finish());
    heard("dblclick", () => this.#moved(() => this.whole()));
    heard("keydown", (event) => this.#press(event));
    heard("wheel", (event) => {
      // At the whole, a wheel makes the page smaller.
      if (!(event.ctrlKey || event.metaKey) || (event.deltaY > 0 && !this.zoomed)) return;
      event.preventDefault();
      const factor = STEP ** Math.max(-3, Math.min(3, event.deltaY / 100));
      this.#moved(() => this.by(factor, { x: event.offsetX, y: event.offsetY }));
    });
  }

  #moved(move) {
    move();
    this.tell();
  }

  #aim(event, fingers) {
    const { view } = this;
    const { type, button, buttons, pointerType, pointerId, offsetX: x, offsetY: y } = event;
    if (this.#from && buttons) {
      this.#to = { x, y };
      return view.paint(view.figure.look);
    }
    if (view.drag?.meets(event)) return;
    const element = view.pick(event);
    if (element && this.#seen(element)) view.go(element, buttons);
    else view.point();
    const marks = pointerType !== "touch" || fingers();
    if (type !== "pointerdown" || button || view.touch || !marks || !inside(view, { x, y })) return;
    this.#from = { x, y };
    view.screen.setPointerCapture(pointerId);
  }

  /** Show the box, if there is one. */
  #finish(box) {
    if (!this.#from) return;
    this.#from = this.#to = undefined;
    this.view.point(); // what was pointed at is elsewhere then
    if (!box) return this.view.paint(this.view.figure.look);
    const [left, bottom] = this.#numbers({ x: box.x[0], y: box.y[1] });
    const [right, top] = this.#numbers({ x: box.x[1], y: box.y[0] });
    this.#moved(() =>
      this.show([
        [left, right],
        [bottom, top],
      ]),
    );
  }

  #press({ key, ctrlKey, metaKey, altKey }) {
    const { view } = this;
    if (ctrlKey || metaKey || altKey) return;
    if (key === "Escape" && this.#from) this.#finish();
    if (key === "+" || key === "=") this.#moved(() => this.by(1 / STEP));
    if (key === "-") this.#moved(() => this.by(STEP));
    if (key === "0") this.#moved(() => this.whole());
    // What arrow keys lead to comes in sight.
    const spot = view.active && /^Arrow/.test(key) && this.#spot(view.active);
    if (!spot || !this.zoomed || isNaN(spot.y) || inside(view, spot)) return;
    const at = this.#numbers(spot);
    this.show([view.xaxis, view.yaxis].map(([low, high], n) => [at[n] - (high - low) / 2, at[n] + (high - low) / 2]));
  }
}
