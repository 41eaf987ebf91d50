// When figures of a page without a kernel begin.

/** Bring a figure to life; where that fails its first picture comes back, and the others live. */
function attempt(mount, el) {
  try {
    mount(el);
  } catch (error) {
    el.dataset.failed = "";
    el.querySelector("div")?.remove();
    reportError(error);
  }
}

/**
 * Once the page is read: before that a figure's numbers may have come by half.
 * @param {() => void} start
 */
export function whole(start) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
}

/** Every figure of a class that is not alive yet. */
export function atOnce(name, mount) {
  whole(() => {
    for (const el of document.querySelectorAll(`.${name}`)) attempt(mount, el);
  });
}

/**
 * In a page with one script for all figures of a class: each when it is about to be seen and the
 * browser has time (where it cannot tell, soon), or when it is linked to; and, when an event of the
 * class's name says so or the page is printed, all of them.
 */
export function whenNear(name, mount) {
  /** @returns {NodeListOf<HTMLElement>} */
  const all = () => document.querySelectorAll(`.${name}`);
  /** @type {(task: () => void, options: any) => void} */
  const soon = window.requestIdleCallback ?? setTimeout;
  const linked = (/** @type {{hash?: string}} */ { hash }) => {
    // Names are written as addresses have them: what stands in an address may be no text.
    const [id, query] = (hash ?? "").slice(1).split("?");
    if (query) for (const el of all()) if (encodeURI(el.id) === id) attempt(mount, el);
  };
  const addressed = () => linked(location);
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) soon(() => attempt(mount, target), { timeout: 200 });
    },
    { rootMargin: "100%" },
  );
  const start = () => {
    for (const el of all()) {
      el.dataset.waits = "";
      near.observe(el);
    }
    addEventListener("hashchange", addressed);
    // Before the figure itself hears of the click, so that it can move without a jump.
    addEventListener("click", ({ target }) => linked(/** @type {Element} */ (target).closest?.("a") ?? {}), {
      capture: true,
    });
    addressed();
  };
  for (const event of [name, "beforeprint"]) addEventListener(event, () => all().forEach((el) => attempt(mount, el)));
  whole(start);
}
