// How a figure begins in a page without a kernel.

import { KINDS } from "../panels/registry.js";

/**
 * Bring a figure to life, once: its state stands in the page, and a model takes the kernel's place.
 * @param {HTMLElement & {value?: any}} el its `value` is the figure's state, for other scripts of the page
 * @param {(context: any) => unknown} render
 */
export function begin(el, render) {
  // By its place, not its type: Material for MkDocs takes the types off when it changes pages.
  const data = el.querySelector("script");
  if (!data || el.value) return;
  const _state = JSON.parse(data.textContent);
  // A page may have live figures, too, whose script is another.
  if (_state.live && !KINDS.live) return;
  el.dataset.alive = "";
  el.value = _state.start;
  const model = {
    get: (key) => (key === "value" ? el.value : _state),
    set(_, moved) {
      el.value = moved;
      model.draw();
    },
    on: (_, draw) => (model.draw = draw),
    save_changes() {},
  };
  render({ model, el, page: true });
  for (const still of el.querySelectorAll("img, p")) still.remove();
}
