// What happens around a figure.

/**
 * Tell a figure of events without keeping it alive.
 * @param {{host: HTMLElement, notice(event: any): void}} figure
 * @param {AbortController} [quit]
 * @returns {{disconnect(): void}[]}
 */
export function watch(figure, quit) {
  const { host } = figure;
  const known = new WeakRef(figure);
  const tell = (event) => known.deref()?.notice(event);
  // What is drawn goes by the width; the height goes by what is drawn.
  let wide = host.clientWidth;
  const resize = new ResizeObserver(([{ target }]) => wide !== (wide = target.clientWidth) && tell({}));
  resize.observe(host);
  const observer = new MutationObserver(() => tell({}));
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributes: true });
  for (const type of ["hashchange", "load", "beforeprint", "afterprint", "resize", "click", "kernelfree-light"])
    addEventListener(type, tell, quit);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"])
    matchMedia(query).addEventListener("change", tell, quit);
  // Slides turn by the keys that a control takes.
  host.onkeydown = (event) => {
    if (/^(Arrow|Page|Home|End|.$)/.test(event.key) && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  // As reveal.js has it: a slide does not turn while a finger drags in it.
  host.dataset.preventSwipe = "";
  return [observer, resize];
}

/** The same until what it returns is called: a page without a kernel never does that. */
export function watchUntil(figure) {
  const quit = new AbortController();
  const observers = watch(figure, quit);
  return () => {
    quit.abort();
    for (const one of observers) one.disconnect();
  };
}
