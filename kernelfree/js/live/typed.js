// Numbers that readers type, and as the state of a figure has them.
import { make, spokenLine } from "../figure/nodes.js";
import { say } from "../say.js";

/** The numbers of nested lists; JSON has no word for what is not finite. */
const NUMBERS = { nan: NaN, inf: Infinity, "-inf": -Infinity, true: 1, false: 0 };
export const flat = (value) => [value].flat(Infinity).map((n) => NUMBERS[n] ?? Number(n));

/** Numbers as nested lists again. */
export function nested(data, shape) {
  const word = (n) => (Number.isFinite(n) ? n : Number.isNaN(n) ? "nan" : n > 0 ? "inf" : "-inf");
  if (!shape.length) return word(data[0]);
  const width = data.length / shape[0];
  return Array.from({ length: shape[0] }, (_, i) => nested(data.slice(i * width, (i + 1) * width), shape.slice(1)));
}

/** What a reader has typed, as a number of a type; undefined if it is none. */
export function typed(text, dtype) {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll("\u2212", "-")
    .replace(/\u221e|infinity/, "inf");
  const number = NUMBERS[plain] ?? (plain ? Number(plain) : NaN);
  if (Number.isNaN(number) && plain !== "nan") return undefined;
  if (dtype === "int64" && !Number.isInteger(number)) return undefined;
  return dtype === "bool" && number !== 0 && number !== 1 ? undefined : number;
}

/** The inputs of an array: what is no number stays in its cell, and the last good numbers stay. */
export class Typed {
  fields = [];

  /**
   * `given` has a shape and a dtype, and perhaps the limits low and high; `owner` has numbers(), the
   * present ones, change(nested), tell(text) for those who typed something else, and beyond(typed, number),
   * why a number is not between the limits.
   */
  constructor(given, owner) {
    Object.assign(this, { given, owner });
  }

  field(index, ariaLabel) {
    const field = make("input", { ariaLabel, autocomplete: "off", inputMode: "decimal" });
    field.oninput = () => this.type([[index, field.value]]);
    field.onpaste = (event) => {
      const text = event.clipboardData.getData("text/plain").trim();
      if (!/[\s;]/.test(text)) return;
      event.preventDefault();
      this.type(this.pasted(text, index));
    };
    return (this.fields[index] = field);
  }

  /** Rows of a spreadsheet, from an entry on: pairs of an index and a text. */
  pasted(text, index) {
    const columns = this.given.shape.at(-1) ?? 1;
    const lines = text.split(/\r?\n/).map((line) => line.trim().split(/[\s;]+/));
    const room = columns - (index % columns);
    return lines.flatMap((line, r) => line.slice(0, room).map((value, c) => [index + r * columns + c, value]));
  }

  /** Why a text can't stand in a cell, in words, or nothing. */
  problem(text, number) {
    const { dtype, low, high } = this.given;
    const typed = `\u201c${text}\u201d`;
    if (number === undefined)
      return dtype === "int64"
        ? say`${typed} is no whole number. The last good numbers stay.`
        : say`${typed} is no number. The last good numbers stay.`;
    if (number < low || number > high || (low < high && number !== number)) return this.owner.beyond(typed, number);
  }

  type(entries) {
    const { given, owner, fields } = this;
    const data = owner.numbers();
    let told = "";
    for (const [index, text] of entries) {
      const field = fields[index];
      if (!field) continue;
      const number = typed(text, given.dtype);
      const problem = this.problem(text, number);
      field.ariaInvalid = Boolean(problem);
      if (field.getRootNode().activeElement !== field) field.value = text;
      if (problem) told = problem;
      else data[index] = number;
    }
    owner.tell("");
    owner.change(nested(data, given.shape));
    if (told) owner.tell(told); // last: what is drawn anew may speak, too
  }

  /** A reader begins to type: the number in full, ready to be replaced. */
  begin(index, text) {
    const field = this.fields[index];
    if (field.ariaInvalid !== "true") field.value = text;
    field.select();
  }

  /** Forget what was no number. */
  clear() {
    for (const field of this.fields) field.ariaInvalid = false;
  }

  /** Write numbers into the cells, but not where a reader is typing. */
  show(text) {
    this.fields.forEach((field, i) => {
      const busy = field.getRootNode().activeElement === field || field.ariaInvalid === "true";
      if (!busy) field.value = text(i);
    });
  }
}

/** What a control is typed into: its cells, and a line that says what is wrong. */
export class Entries extends Typed {
  status = spokenLine();
  #typing = false;
  #now;

  constructor(control, change) {
    const { low, high } = control;
    const take = (value) => {
      this.#typing = true;
      change(value);
      this.#typing = false;
    };
    super(control, {
      numbers: () => flat(this.#now),
      change: take,
      tell: (text) => (this.status.textContent = text),
      beyond: (text) => say`${text} is not from ${low} to ${high}. The last good numbers stay.`,
    });
  }

  /** Show a value, with `text(i)` in each cell: one that comes from elsewhere ends what is wrong. */
  renew(value, text) {
    if (value !== this.#now && !this.#typing) {
      this.owner.tell("");
      this.clear();
    }
    this.#now = value;
    this.show(text);
  }
}

/** How bright a colour is, from 0 to 1. */
export const luminance = (color) => {
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = [1, 3, 5].map((i) => linear(parseInt(color.slice(i, i + 2), 16) / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
