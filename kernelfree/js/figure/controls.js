// The controls: sliders, menus and switches.

import { KINDS } from "../panels/registry.js";
import { say } from "../say.js";
import { block, button, make } from "./nodes.js";
import { minus } from "./numbers.js";

/**
 * A control: its node, and how it shows a place.
 * @returns {import("../classes").FieldView}
 */
export function field(control, id, change, play) {
  const { label, kind, options, words = options } = control;
  if (KINDS[kind]) return KINDS[kind](control, id, change, play);
  const name = make("label", { htmlFor: id }, label);
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
  const max = options.length - 1;
  const oninput = () => change(options[node.valueAsNumber]);
  const node = make("input", { id, type: "range", max, oninput });
  const shown = make("b", { ariaHidden: true }); // in silence: the slider says its value
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
    if (node.valueAsNumber === max) change(options[0]);
    timer = setInterval(() => {
      change(options[node.valueAsNumber + 1]);
      if (node.valueAsNumber === max) stop();
    }, 600);
  });
  player.hidden = !play;
  return {
    node: block("field slider", name, shown, block("line", node, player)),
    stop,
    show(place) {
      node.value = place;
      node.ariaValueText = shown.textContent = minus(options[place]);
    },
  };
}
