// How a figure begins, with a kernel and without.

import { STYLES } from "../panels/registry.js";
import { begin } from "./begin.js";
import css from "./figure.css";
import { Figure } from "./figure.js";
import { make } from "./nodes.js";
import { watch, watchUntil } from "./watch.js";

/**
 * Draw a figure in `el`.
 * @param {{model: any, el: HTMLElement, page?: boolean}} context page: there is no kernel
 */
function render({ model, el, page }) {
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([css, ...STYLES].join(""));
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  const figure = new Figure({ ...model.get("_state"), model, el, page, host });
  root.append(figure.node());
  model.on("change:value", figure.draw);
  figure.draw();
  figure.refresh();
  figure.speak();
  figure.visit();
  return figure;
}

/** Without a kernel: bring a figure to life. */
export const mount = (el) => begin(el, (context) => watch(render(context)));

export default {
  /** With one: draw a figure and return the clean-up. */
  render(context) {
    const figure = render(context);
    const stop = watchUntil(figure);
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
