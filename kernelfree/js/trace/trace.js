// The view of trace(): lines of source, and beside each the tensor that it makes.

import { loaded, run, stored } from "../engine/engine.js";
import { begin } from "../figure/begin.js";
import { block, button, make, spokenLine } from "../figure/nodes.js";
import { watchUntil } from "../figure/watch.js";
import { placeOf, shapeWords, written } from "../live/entries.js";
import { flat, luminance, nested, Typed } from "../live/typed.js";
import { say } from "../say.js";
import { parents, sources } from "./origins.js";
import css from "./trace.css";

// Larger tensors show their first entries only; larger tables have cells without numbers.
const SHOWN = 400;
const WIDE = 10;

export class Trace {
  tensors = [];
  status = spokenLine();

  constructor(given) {
    Object.assign(this, given);
    this.program = loaded(this.graph);
  }

  /** A tensor on the page: its name, its shape, and a table for each matrix in it. */
  tensor({ name, value, shape, axes = [], role }, fields) {
    const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
    const size = shape.reduce((a, b) => a * b, 1);
    const each = rows * columns;
    const count = Math.max(each && 1, Math.min(size / each || 0, Math.floor(SHOWN / each) || 1));
    const label = block("label", make("b", {}, name), ` ${shapeWords(shape, axes)}`);
    const one = { name, value, shape, axes, role, cells: [], small: columns > WIDE && !fields };
    const parts = block("parts");
    for (let part = 0; part < count; part++) {
      const table = make("table", { role: "presentation" });
      for (let r = 0; r < Math.min(rows, SHOWN / columns); r++) {
        const row = table.insertRow();
        for (let c = 0; c < columns; c++) {
          const index = part * each + r * columns + c;
          const cell = row.insertCell();
          cell.className = one.small ? "small" : "";
          cell.onpointerenter = () => this.point(one, index);
          if (fields) cell.append(fields(index));
          one.cells[index] = cell;
        }
      }
      parts.append(table);
    }
    if (count * each < size) label.append(say`, the first ${count * each} entries`);
    one.node = block("tensor", label, parts);
    one.node.onpointerleave = () => this.point();
    if (!fields) this.readable(one, columns);
    this.tensors.push(one);
    return one.node;
  }

  /** Keys go through the entries of a tensor. */
  readable(one, columns) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const { node } = one;
    Object.assign(node, { tabIndex: 0, role: "application", ariaLabel: say`${one.name}: arrow keys read the numbers` });
    node.onblur = () => this.point();
    node.onkeydown = (event) => {
      if (event.key === "Escape") this.point();
      const step = steps[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const next = this.active?.one === one ? this.active.index + step : 0;
      if (one.cells[next]) this.point(one, next);
    };
  }

  /** An input's tensor, whose cells can be typed into. */
  input(given, at) {
    const { name, shape, low, below, above } = given;
    const value = this.graph.constants.length + at;
    const numbers = () => flat(this.model.get("value")[name]);
    const tell = (text) => (this.status.textContent = text);
    const change = (now) => this.change({ [name]: now });
    // In the function's own words.
    const beyond = (_, number) =>
      say`${(number < low ? below : above).replace("{}", number)}. The last good numbers stay.`;
    given.typed = new Typed(given, { numbers, tell, change, beyond });
    const fields = (index) => {
      const field = given.typed.field(index, say`${name}, ${placeOf(index, shape, [])}`);
      field.onfocus = () => {
        const { data } = this.values[value];
        given.typed.begin(index, written(data[index], data, undefined));
        this.point(this.tensors[at], index);
      };
      field.onblur = () => {
        this.point();
        this.paint();
      };
      return field;
    };
    return this.tensor({ ...given, value }, fields);
  }

  change(moves) {
    this.model.set("value", { ...this.model.get("value"), ...moves });
    this.model.save_changes();
  }

  /** New numbers like those at the start: normal, or whole between 0, or the least, and the largest. */
  random() {
    const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
    const moves = {};
    for (const { name, shape, dtype, low = 0 } of this.graph.inputs) {
      const most = dtype === "bool" ? 1 : Math.max(...flat(this.start[name]), 1);
      const draw = dtype.startsWith("float")
        ? () => Math.round(100 * normal()) / 100
        : () => low + Math.floor((most - low + 1) * Math.random());
      moves[name] = nested(flat(this.start[name]).map(draw), shape);
    }
    this.reset(moves);
  }

  reset(moves) {
    for (const { typed } of this.graph.inputs) typed.clear();
    this.change(moves);
  }

  /** Run the graph, and show all numbers. */
  draw() {
    const value = this.model.get("value");
    const inputs = this.graph.inputs.map(({ name, shape, dtype }) => ({
      shape,
      data: stored(Float64Array.from(flat(value[name])), dtype),
    }));
    this.values = run(this.program, inputs);
    this.paint();
    if (this.active) this.point(this.active.one, this.active.index);
  }

  paint() {
    const dark = this.dark ? 1 : 0;
    for (const one of this.tensors) {
      const { data } = this.values[one.value];
      const given = this.graph.inputs[one.value - this.graph.constants.length];
      const colors = this.colors[one.role][dark];
      const most = data.reduce((a, n) => (Number.isFinite(n) ? Math.max(a, Math.abs(n)) : a), 0) || 1;
      one.cells.forEach((cell, i) => {
        const color = Number.isFinite(data[i]) && data[i] ? colors[Math.round(8 + (8 * data[i]) / most)] : "";
        const text = written(data[i], data, 2);
        cell.style.background = color || "none";
        cell.style.color = color && (luminance(color) > 0.179 ? "#000" : "#fff");
        if (!given) cell.textContent = one.small ? "" : text;
      });
      given?.typed.show((i) => written(data[i], data, 2));
    }
  }

  /** Mark an entry and those that it comes from, or nothing. */
  point(one, index) {
    for (const { cells } of this.tensors) for (const cell of cells) cell.classList.remove("here", "from");
    this.active = one && { one, index };
    if (!one) return;
    one.cells[index].classList.add("here");
    const shown = [...new Set(this.tensors.map(({ value }) => value))];
    const found = sources(this.program, this.values, one.value, index, shown);
    const told = [];
    for (const other of this.tensors) {
      const entries = found.get(other.value);
      if (!entries?.length) continue;
      for (const entry of entries) other.cells[entry]?.classList.add("from");
      if (other.value < this.graph.constants.length + this.graph.inputs.length)
        told.push(say`${entries.length} of ${other.name}`);
    }
    const { data } = this.values[one.value];
    const from = told.length ? say` It comes from ${told.join(say`, `)}.` : "";
    this.status.textContent = say`${one.name}, ${placeOf(index, one.shape, one.axes)}: ${written(data[index], data, 4)}.${from}`;
  }

  /** Mark the tensors that lead to some values. */
  read(values) {
    const shown = new Set(this.tensors.map(({ value }) => value));
    const read = values.flatMap((value) => parents(this.program, value, shown));
    for (const { value, node } of this.tensors) node.classList.toggle("reads", read.includes(value));
  }

  /** A call's lines; the calls that a line makes open below it. */
  lines(call) {
    const several = call.lines.filter(({ makes }) => makes).length > 2;
    return block(
      "code",
      ...call.lines.map(({ number, text, makes = [], calls = [], idle }) => {
        const code = block("text", make("span", {}, `${number}`), make("code", {}, text));
        // What a narrow page breaks goes on a little to the right of where the line begins.
        code.style.setProperty("--in", `${text.search(/\S|$/) + 2}ch`);
        const row = block(idle ? "row idle" : makes.length ? "row makes" : "row", code);
        if (idle) {
          code.title = say`This line did not run.`;
          code.lastChild.dataset.idle = say`did not run`; // the style sheet writes it behind the line
        }
        if (makes.length) {
          row.append(block("made", ...makes.map((one) => this.tensor(one))));
          code.onpointerenter = () => this.read(makes.map(({ value }) => value));
          code.onpointerleave = () => this.read([]);
        }
        for (const inner of calls)
          row.append(
            make("details", { open: !several }, make("summary", {}, say`inside ${inner.name}`), this.lines(inner)),
          );
        return row;
      }),
    );
  }

  node() {
    const tools = block(
      "tools",
      button(say`Random`, () => this.random()),
      button(say`Reset`, () => this.reset(this.start)),
    );
    const inputs = block("inputs", ...this.graph.inputs.map((one, at) => this.input(one, at)));
    const head = block("head", block("title", this.title), tools);
    return make("div", { role: "group", ariaLabel: this.title }, head, inputs, this.lines(this.source), this.status);
  }

  notice() {
    // In JupyterLab it is drawn before it stands in the page, and has no colour yet.
    const color = getComputedStyle(this.host).color || "rgb(0, 0, 0)";
    const rgb = color.match(/\d+(\.\d+)?/g).map(Number);
    const dark = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2] > 128;
    if (dark === this.dark) return;
    this.dark = dark;
    this.host.style.colorScheme = dark ? "dark" : "light";
    if (this.values) this.paint();
  }
}

/** Draw a trace in `el` and return the clean-up. */
function render({ model, el }) {
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  const trace = new Trace({ ...structuredClone(model.get("_state")), model, el, host });
  root.append(trace.node());
  trace.notice();
  const draw = () => trace.draw();
  model.on("change:value", draw);
  draw();
  // For a page that computes its numbers anew.
  el.redraw = (graph) => {
    trace.program = loaded(graph);
    draw();
  };
  const stop = watchUntil(trace);
  return () => {
    stop();
    model.off("change:value", draw);
    host.remove();
  };
}

/** Without a kernel: bring a trace to life. */
export const mount = (el) => begin(el, render);

export default { render };
