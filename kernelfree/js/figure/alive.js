// Figures that are alive, for scripts that stand beside the one that brings them to life.

/**
 * Do something once with each figure of the page that is alive, or comes to life later.
 * @param {(figure: import("./figure.js").Figure) => void} act
 */
export function whenAlive(act) {
  const known = new WeakSet();
  const offer = (el) => {
    if (!el.figure || known.has(el.figure)) return;
    known.add(el.figure);
    act(el.figure);
  };
  new MutationObserver((records) => {
    for (const { target } of records) offer(target);
  }).observe(document, { attributeFilter: ["data-alive"], subtree: true });
  for (const el of document.querySelectorAll("[data-alive]")) offer(el);
}
