// How a figure begins in a page without a kernel.
import { make } from "./nodes.js";

/** Bring a figure to life, once: its state stands in the page, and a model takes the kernel's place. */
export function begin(el, render, knows = () => true) {
  const data = el.querySelector("script[type='application/json']");
  if (!data || "alive" in el.dataset) return;
  try {
    const _state = JSON.parse(data.textContent);
    if (!knows(_state)) return;
    el.dataset.alive = "";
    render({ model: modelOf(_state), el, page: true });
    for (const still of el.querySelectorAll("img, p, .still")) still.remove();
  } catch (error) {
    // The first picture stays, or comes.
    el.dataset.alive = el.dataset.failed = "";
    el.querySelector(":scope > div")?.remove();
    el.append(make("p", {}, `This figure could not be drawn: ${error.message}.`));
    reportError(error);
  }
}

function modelOf(_state) {
  let value = _state.start;
  const model = {
    get: (key) => (key === "value" ? value : _state),
    set(_, moved) {
      value = moved;
      model.draw();
    },
    on: (_, draw) => (model.draw = draw),
    off() {},
    save_changes() {},
  };
  return model;
}
