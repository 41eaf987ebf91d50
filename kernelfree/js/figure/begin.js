// How a figure begins in a page without a kernel.

/**
 * Bring a figure to life, once: its state stands in the page, and a model takes the kernel's place.
 * @param {HTMLElement} el
 * @param {(context: any) => unknown} render
 * @param {(state: any) => unknown} knows whether the script can draw such a state
 */
export function begin(el, render, knows = () => true) {
  // By its place, not its type: Material for MkDocs takes the types off when it changes pages.
  const data = el.querySelector("script");
  if (!data || "alive" in el.dataset) return;
  const _state = JSON.parse(data.textContent);
  if (!knows(_state)) return;
  el.dataset.alive = "";
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
  render({ model, el, page: true });
  for (const still of el.querySelectorAll("img, p")) still.remove();
}
