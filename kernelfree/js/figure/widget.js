// How a figure begins, with a kernel and without.

import { STYLES } from "../panels/registry.js";
import { begin } from "./begin.js";
import css from "./figure.css";
import { Figure } from "./figure.js";
import { make } from "./nodes.js";
import { watch, watchUntil } from "./watch.js";

/**
 * Draw a figure in `el`.
 * @param {{model: any, el: HTMLElement & {figure?: Figure}, page?: boolean}} context page: there is no kernel
 * @param {(figure: Figure) => unknown} watching
 */
function render({ model, el, page }, watching) {
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([css, ...STYLES].join(""));
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  // For the script of tools, which finds it there.
  const figure = (el.figure = new Figure({ ...model.get("_state"), model, el, page, host }));
  // Before it has a size: what is far away is laid out when it comes near.
  watching(figure);
  root.append(figure.node());
  model.on("change:value", figure.draw);
  figure.draw();
  figure.refresh();
  figure.speak();
  figure.visit();
  return figure;
}

/** Without a kernel: bring a figure to life. */
export const mount = (el) => begin(el, (context) => render(context, watch));

export default {
  /** With one: draw a figure and return the clean-up. */
  render(context) {
    let stop;
    context.el.dataset.alive = "";
    const figure = render(context, (one) => (stop = watchUntil(one)));
    return () => {
      stop();
      clearTimeout(figure.waiting);
      clearTimeout(figure.soon);
      for (const { stop } of figure.fields) stop?.();
      context.model.off("change:value", figure.draw);
      figure.host.remove();
    };
  },
};
