// Live figures: the page itself runs the author's function, at any value of a control.
import { loaded, run, stored } from "../engine/engine.js";
import { namer } from "../figure/numbers.js";
import { KINDS } from "../panels/registry.js";
import "./range.js";
import { tensor } from "../engine/tensor.js";
import { inWay } from "./formats.js";

/** The numbers of the values that a step or an output reads. */
const readBy = (step) => [...JSON.stringify(step).matchAll(/"%(\d+)"/g)].map(([, number]) => Number(number));

const alike = (before, after) =>
  before.length === after.length &&
  after.every((row, r) => row.length === before[r].length && row.every((n, c) => Object.is(n, before[r][c])));

/** A graph that computes again only what depends on an input that has changed. */
export class Program {
  constructor(graph, { inputs, steps, constants }) {
    const parts = { inputs, steps: steps[graph.steps], outputs: graph.outputs.map((one) => Number(one.slice(1))) };
    this.graph = loaded({ ...parts, constants: graph.constants.map((n) => constants[n]) });
    this.first = graph.constants.length + inputs.length;
    // For each value the inputs that it depends on, as bits.
    this.bits = [...graph.constants.map(() => 0), ...inputs.map((_, i) => 1 << i)];
    this.reads = this.graph.steps.map(readBy);
    for (const read of this.reads) this.bits.push(read.reduce((all, value) => all | this.bits[value], 0));
    this.needed = {};
  }

  /** The steps that an output needs. */
  stepsOf(output) {
    const wanted = new Set([this.graph.outputs[output]]);
    for (let n = this.reads.length - 1; n >= 0; n--)
      if (wanted.has(this.first + n)) this.reads[n].forEach((value) => wanted.add(value));
    return this.reads.map((_, n) => n).filter((n) => wanted.has(this.first + n));
  }

  /** All values for these inputs, or those that one output needs. */
  values(given, output) {
    const { graph, first, bits, last, known } = this;
    const changed = given.reduce((all, one, i) => all | (`${one}` === `${known?.[i]}` ? 0 : 1 << i), 0);
    const steps = output === undefined ? [...graph.steps.keys()] : (this.needed[output] ??= this.stepsOf(output));
    const inputs = graph.inputs.map(({ shape, dtype }, i) =>
      tensor(shape, stored(Float64Array.from([given[i]].flat(Infinity)), dtype)),
    );
    const values = [...graph.constants, ...inputs, ...(last?.slice(first) ?? [])];
    run(
      graph,
      inputs,
      steps.filter((n) => !last || bits[first + n] & changed),
      values,
    );
    if (output === undefined) Object.assign(this, { last: values, known: given });
    return values;
  }
}

/** How a miss changes with a control. */
function slope(places, miss, c, by) {
  const [a, b] = [-by, by].map((step) => miss(places.with(c, places[c] + step)));
  return [(b[0] - a[0]) / (2 * by), (b[1] - a[1]) / (2 * by)];
}

/** @type {(u: number[], v: number[]) => number} */
const dot = ([a, b], [c, d]) => a * c + b * d;

/** The moves of one or two controls that undo a miss (Gauss and Newton). */
function downhill(missed, [u, v = [0, 0]]) {
  const small = 1e-9 * (dot(u, u) + dot(v, v)) + 1e-30;
  const [uu, vv, uv] = [dot(u, u) + small, dot(v, v) + small, dot(u, v)];
  const [p, q] = [dot(u, missed), dot(v, missed)];
  const det = uu * vv - uv * uv;
  return [(uv * q - vv * p) / det, (uv * p - uu * q) / det];
}

/** The tables and the sentence of a live figure. */
export class Live {
  constructor({ live, controls, tables, sizes, says }) {
    Object.assign(this, { live, controls, tables, programs: new Map(), shown: [] });
    this.choose = namer({ graph: live.graphs, ...(says && { says }) }, sizes);
  }

  /** A table in any state: its rows; the same ones as before where no number has changed. */
  reader(number) {
    return (places) => {
      const shown = `${places}` === this.state;
      const { program, values } = shown ? this.now : this.at(places, number);
      const rows = this.rows(values[program.graph.outputs[number]]);
      const before = this.shown[number];
      if (before && alike(before, rows)) return before;
      if (shown) this.shown[number] = rows;
      return rows;
    };
  }

  rows({ shape: [count, columns], data }) {
    return Array.from({ length: count }, (_, r) => {
      const row = Array.from(data.subarray(r * columns, (r + 1) * columns));
      return Object.assign(row, { sum: row.reduce((sum, n) => sum + (n || 0), 0) });
    });
  }

  /** The values in a state, or those that one table needs. */
  at(places, output) {
    const { graph, says } = this.choose(places);
    if (!this.programs.has(graph)) this.programs.set(graph, new Program(graph, this.live));
    const program = this.programs.get(graph);
    const given = places.filter((_, c) => !this.controls[c].options);
    return { program, says, values: program.values(given, output) };
  }

  /** Compute all of a state. */
  go(places) {
    this.state = `${places}`;
    this.now = this.at(places);
  }

  /** From some places, go with one or two controls without stops to where `miss`, [right, down], is least. */
  nearest(places, miss, drag) {
    const free = drag.filter((c) => this.controls[c].kind === "range");
    const moved = (at, c, by) => {
      const { low, high } = this.controls[c];
      return at.with(c, Math.min(high, Math.max(low, at[c] + by)));
    };
    let least = Math.hypot(...miss(places));
    const better = (there) => {
      const now = Math.hypot(...miss(there));
      if (!(now < least)) return false;
      [least, places] = [now, there];
      return true;
    };
    const span = (c) => this.controls[c].high - this.controls[c].low;
    for (let turn = 0; turn < 5 && free.length && least > 0.5; turn++) {
      const there = downhill(
        miss(places),
        free.map((c) => slope(places, miss, c, span(c) / 1000)),
      );
      if (!better(free.reduce((at, c, i) => moved(at, c, there[i]), places))) break;
    }
    // Where that leads nowhere, far steps may.
    for (let step = 0.25; least > 24 && step > 0.01; step /= 2)
      while (free.some((c) => [step, -step].some((part) => better(moved(places, c, part * span(c))))));
    return places;
  }

  /** The sentence of the state. */
  say = () => {
    const { program, says, values } = this.now;
    const numbers = values[program.graph.outputs[this.tables.length]]?.data;
    return says.map((part) => (typeof part === "string" ? part : inWay(numbers[part[0]], part[1]))).join("");
  };
}

KINDS.live = Live;
