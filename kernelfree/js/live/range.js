// A slider without stops.

import { slider } from "../figure/controls.js";
import { minus } from "../figure/numbers.js";
import { KINDS } from "../panels/registry.js";

// How many keys of each kind go from a step to the next.
const KEYS_OF_RANGE = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

KINDS.range = (control, id, change, name, play) => {
  const { low: min, high: max, step, decimals } = control;
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
  return { ...slider(name, given, go, text, play, (max - min) / 100, 40), text, read, tidy };
};
