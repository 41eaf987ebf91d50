// What happens around a figure.

/** Tell a figure of events without keeping it alive. */
export function watch(figure) {
  const quit = new AbortController();
  const known = new WeakRef(figure);
  const tell = (event) => known.deref()?.notice(event);
  // What is drawn goes by the width; the height goes by what is drawn.
  let wide = figure.host.clientWidth;
  const resize = new ResizeObserver(([{ target }]) => wide !== (wide = target.clientWidth) && tell({}));
  resize.observe(figure.host);
  const observer = new MutationObserver(() => tell({}));
  observer.observe(document.documentElement, { attributes: true });
  observer.observe(document.body, { attributes: true });
  for (const type of ["hashchange", "load", "beforeprint", "afterprint", "resize", "click", "kernelfree-light"])
    addEventListener(type, tell, quit);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"])
    matchMedia(query).addEventListener("change", tell, quit);
  return () => {
    quit.abort();
    observer.disconnect();
    resize.disconnect();
  };
}
