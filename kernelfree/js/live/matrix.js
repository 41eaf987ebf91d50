// A table of numbers that readers type.
import { block, button, make } from "../figure/nodes.js";
import { KINDS } from "../panels/registry.js";
import { say } from "../say.js";
import { placeOf, written } from "./entries.js";
import { Entries, flat, nested } from "./typed.js";

KINDS.matrix = (control, _id, change) => {
  const { label, shape, dtype, low, high } = control;
  const columns = shape.at(-1);
  const axes = shape.length > 1 ? [say`row`, say`column`] : [say`number`];
  const typed = new Entries(control, change);
  const { numbers } = typed.owner;
  const table = make("table", { ariaLabel: label });
  const texts = (data) => (i) => written(data[i], data, 2);
  flat(Array(shape.reduce((a, b) => a * b)).fill(0)).forEach((_, i) => {
    const row = i % columns ? table.rows[table.rows.length - 1] : table.insertRow();
    const field = typed.field(i, say`${label}, ${placeOf(i, shape, axes)}`);
    field.onfocus = () => typed.begin(i, written(numbers()[i], numbers(), undefined));
    field.onblur = () => typed.show(texts(numbers()));
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
  const show = (value) => typed.renew(value, texts(flat(value)));
  const read = (text) => {
    const given = text?.split(",").map(Number) ?? [];
    const fits = given.length === numbers().length && given.every((n) => n >= low && n <= high);
    return fits ? nested(given, shape) : undefined;
  };
  const head = block("head", block("", label), button(say`Random`, random));
  const text = () => say`${shape.join(" \u00d7 ")} numbers`;
  return { node: block("field matrix", head, table, typed.status), show, text, read, tidy: (value) => value };
};
