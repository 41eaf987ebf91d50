// A slider without stops, whose number can be typed, too.

import { slider } from "../figure/controls.js";
import { minus } from "../figure/numbers.js";
import { KINDS } from "../panels/registry.js";
import { Entries } from "./typed.js";

// How many keys of each kind go from a step to the next.
const KEYS_OF_RANGE = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

KINDS.range = (control, id, change, name, play) => {
  const { label, low: min, high: max, step, decimals } = control;
  const tidy = (place) => Math.min(max, Math.max(min, +place.toFixed(decimals)));
  const go = (place) => change(tidy(place));
  const onkeydown = (event) => {
    const steps = KEYS_OF_RANGE[event.key];
    if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(event.target.valueAsNumber + steps * step);
  };
  const text = (value) => minus(value.toFixed(decimals));
  const read = (text) => (text && Number.isFinite(Number(text)) ? tidy(Number(text)) : undefined);
  const given = { id, min, max, step: "any", onkeydown };
  const made = slider(name, given, go, text, play, (max - min) / 100, 40);
  const typed = new Entries({ ...control, shape: [], dtype: "float64" }, change);
  const box = typed.field(0, label);
  const number = () => typed.owner.numbers()[0];
  box.onfocus = () => typed.begin(0, minus(number()));
  box.onblur = () => typed.show(() => text(number()));
  made.node.querySelector("b").replaceWith(box);
  made.node.append(typed.status);
  const show = (value) => {
    made.show(value);
    typed.renew(value, () => text(value));
  };
  return { ...made, show, text, read, tidy };
};
