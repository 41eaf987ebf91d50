// A figure that moves by itself: a link asked for it, or an answer.

/** Go to a state step by step, so that eyes can follow; at once where no motion is wanted. */
export function glide(figure, moves) {
  const { controls, model } = figure;
  const start = figure.places();
  const end = figure.places({ ...model.get("value"), ...moves });
  const steps = figure.hides || matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 20;
  const step = (left) => {
    const now = (to, c) => to - ((to - start[c]) * left) / steps;
    figure.show(end.map((to, c) => (/slider|range/.test(controls[c].kind) ? now(to, c) : to)));
    if (left) figure.soon = setTimeout(() => step(left - 1), 400 / steps);
  };
  step(steps - 1);
}

/** The state that an address asks of a figure, or nothing. */
export function asked({ el, id, controls, fields }, address) {
  const [page, query] = address.split(`#${encodeURI(el.id || id)}?`);
  if (!query || page !== location.href.split("#")[0]) return;
  const given = new URLSearchParams(query);
  const moves = {};
  for (const [i, { name, options, slack }] of controls.entries()) {
    const text = /** @type {any} */ (given.get(name));
    const same = (one) => `${one}` === text || (text && Math.abs(one - text) <= slack);
    const found = options ? options.find(same) : fields[i].read(text);
    if (found !== undefined) moves[name] = found;
  }
  return moves;
}

/** Show a figure; one that is higher than the window from its top, where the controls are. */
export const reveal = ({ host }, behavior) =>
  host.scrollIntoView({ block: host.clientHeight < innerHeight ? "nearest" : "start", behavior });

/** A link of this page that asks for a state is followed without a jump. */
export function follow(figure, event) {
  const link = event.target.closest?.("a[href]");
  const moves = link && asked(figure, link.href);
  if (!moves || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (figure.page && link.href !== location.href) history.pushState(null, "", link.href);
  reveal(figure, "smooth");
  glide(figure, moves);
}
