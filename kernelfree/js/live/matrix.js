// A table of numbers that readers type.
import { block, button, make, spokenLine } from "../figure/nodes.js";
import { KINDS, STYLES } from "../panels/registry.js";
import { say } from "../say.js";
import { placeOf, written } from "./entries.js";
import style from "./matrix.css";
import { flat, nested, Typed } from "./typed.js";

STYLES.push(style);

KINDS.matrix = (control, _id, change) => {
  const { label, shape, dtype, low, high } = control;
  const columns = shape.at(-1);
  const axes = shape.length > 1 ? [say`row`, say`column`] : [say`number`];
  const status = spokenLine();
  let now;
  let typing = false;
  const numbers = () => flat(now);
  const take = (value) => {
    typing = true;
    change(value);
    typing = false;
  };
  const tell = (text) => (status.textContent = text);
  const beyond = (text) => say`${text} is not from ${low} to ${high}. The last good numbers stay.`;
  const typed = new Typed(control, { numbers, change: take, tell, beyond });
  const table = make("table", { ariaLabel: label });
  flat(Array(shape.reduce((a, b) => a * b)).fill(0)).forEach((_, i) => {
    const row = i % columns ? table.rows[table.rows.length - 1] : table.insertRow();
    const field = typed.field(i, say`${label}, ${placeOf(i, shape, axes)}`);
    field.onfocus = () => typed.begin(i, written(numbers()[i], numbers(), undefined));
    field.onblur = () => show(now);
    row.insertCell().append(field);
  });
  const random = () => {
    const one = () => low + Math.random() * (high - low);
    const tidy = dtype.startsWith("float") ? (n) => Math.round(100 * n) / 100 : Math.round;
    change(
      nested(
        numbers().map(() => Math.min(high, Math.max(low, tidy(one())))),
        shape,
      ),
    );
  };
  const show = (value) => {
    if (value !== now && !typing) {
      tell("");
      typed.clear();
    }
    now = value;
    const data = numbers();
    typed.show((i) => written(data[i], data, 2));
  };
  const read = (text) => {
    const given = text?.split(",").map(Number) ?? [];
    const fits = given.length === numbers().length && given.every((n) => n >= low && n <= high);
    return fits ? nested(given, shape) : undefined;
  };
  const head = block("head", block("", label), button(say`Random`, random));
  const text = () => say`${shape.join(" \u00d7 ")} numbers`;
  return { node: block("field matrix", head, table, status), show, text, read, tidy: (value) => value };
};
