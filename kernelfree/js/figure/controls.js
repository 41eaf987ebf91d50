// The controls: sliders, menus and switches.

import { KINDS } from "../panels/registry.js";
import { say } from "../say.js";
import { block, button, make } from "./nodes.js";
import { minus } from "./numbers.js";

/** A slider with its name and its value, which goes to places, and may be played: on `by` after each `pace`. */
export function slider(name, given, go, text, play, by, pace) {
  const node = make("input", { type: "range", ...given, oninput: () => go(node.valueAsNumber) });
  const shown = make("b", { ariaHidden: true }); // in silence: the slider says its value
  const ended = () => node.valueAsNumber === given.max;
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
    if (ended()) go(given.min);
    timer = setInterval(() => {
      go(node.valueAsNumber + by);
      if (ended()) stop();
    }, pace);
  });
  player.hidden = !play;
  const show = (place) => {
    node.value = place;
    node.ariaValueText = shown.textContent = text(place);
  };
  return { node: block("field slider", name, shown, block("line", node, player)), stop, show };
}

/**
 * A control: its node, and how it shows a place.
 * @returns {import("../classes").FieldView}
 */
export function field(control, id, change, play) {
  const { label, kind, options, words = options } = control;
  const name = make("label", { htmlFor: id }, label);
  if (KINDS[kind]) return KINDS[kind](control, id, change, name, play);
  if (kind === "menu") {
    const onchange = () => change(options[node.selectedIndex]);
    const node = make("select", { id, onchange }, ...words.map((text) => new Option(text)));
    return {
      node: block("field", name, node),
      show: (place) => (node.selectedIndex = place),
      text: () => node.value,
    };
  }
  if (kind === "switch") {
    const onchange = () => change(node.checked);
    const node = make("input", { id, type: "checkbox", onchange, role: "switch" });
    return {
      node: block("field", node, name),
      show: (place) => (node.checked = place > 0),
      text: (on) => (on ? say`on` : say`off`),
    };
  }
  const go = (place) => change(options[place]);
  const text = (place) => minus(options[place]);
  return slider(name, { id, min: 0, max: options.length - 1 }, go, text, play, 1, 600);
}
