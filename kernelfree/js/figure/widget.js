// How a figure begins, with a kernel and without.

import { KINDS, STYLES } from "../panels/registry.js";
import { begin } from "./begin.js";
import css from "./figure.css";
import { Figure } from "./figure.js";
import { make } from "./nodes.js";
import { watch } from "./watch.js";

/**
 * Draw a figure in `el` and return the clean-up.
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
  const draw = () => figure.draw();
  const stop = watch(figure);
  root.append(figure.node());
  model.on("change:value", draw);
  draw();
  figure.refresh();
  figure.speak();
  figure.visit();
  return () => {
    stop();
    clearTimeout(figure.waiting);
    clearTimeout(figure.soon);
    for (const { stop } of figure.fields) stop?.();
    model.off("change:value", draw);
    host.remove();
  };
}

/** Without a kernel: bring a figure to life. A page may have others, whose script is another. */
export const mount = (el) => begin(el, render, ({ live }) => !live || KINDS.live);

export default { render };
