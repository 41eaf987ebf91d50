// A slider without stops.

import { block, button, make } from "../figure/nodes.js";
import { minus } from "../figure/numbers.js";
import { KINDS } from "../panels/registry.js";
import { say } from "../say.js";

// How many keys of each kind go from a step to the next.
const KEYS_OF_RANGE = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

KINDS.range = (control, id, change, play) => {
  const { label, low, high, step, decimals } = control;
  const name = make("label", { htmlFor: id }, label);
  const tidy = (place) => Math.min(high, Math.max(low, +place.toFixed(decimals)));
  const go = (place) => change(tidy(place));
  const node = make("input", {
    id,
    type: "range",
    min: low,
    max: high,
    step: "any",
    oninput: () => go(node.valueAsNumber),
  });
  node.onkeydown = (event) => {
    const steps = KEYS_OF_RANGE[event.key];
    if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(now + steps * step);
  };
  const shown = make("b", { ariaHidden: true });
  let now = low;
  /** @type {any} */
  let timer = 0;
  const stop = () => {
    timer = clearInterval(timer);
    player.textContent = say`Play`;
  };
  const player = button(say`Play`, () => {
    if (timer) return stop();
    play(say`Playing.`);
    player.textContent = say`Pause`;
    if (now === high) go(low);
    timer = setInterval(() => {
      go(now + (high - low) / 100);
      if (now === high) stop();
    }, 40);
  });
  player.hidden = !play;
  const text = (value) => minus(value.toFixed(decimals));
  const show = (value) => {
    node.value = now = value;
    node.ariaValueText = shown.textContent = text(value);
  };
  const read = (text) => (text && Number.isFinite(Number(text)) ? tidy(Number(text)) : undefined);
  return { node: block("field slider", name, shown, block("line", node, player)), show, stop, text, read, tidy };
};
