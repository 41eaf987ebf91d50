// A figure of all heads for one sentence, and a model that computes it for any other.

import { begin } from "../figure/begin.js";
import css from "../figure/figure.css";
import { Figure } from "../figure/figure.js";
import { block, make } from "../figure/nodes.js";
import { STYLES } from "../panels/registry.js";
import { say } from "../say.js";
import { Box } from "./box.js";
import { Experiment } from "./experiment.js";
import { Kernel } from "./kernel.js";
import { Loader } from "./loader.js";
import own from "./sentence.css";
import "../panels/curve.js";
import "../panels/grid.js";
import "../panels/words.js";
import { watchUntil } from "../figure/watch.js";

const MISSING = say`This copy of the book was built without the model, so you can\u2019t type a sentence of your own here.`;

/** What asks for a model: a kernel has it, a page may load it, or it is missing. */
function source(figure, group, experiment, { model, el, page }) {
  if (!page) {
    const box = new Box(figure, group, experiment);
    box.open(new Kernel(model));
    return { box, node: box.node };
  }
  const { parts: address, megabytes } = el.dataset;
  if (!address) return { node: make("p", {}, MISSING) };
  const loader = new Loader({ address, megabytes }, figure.encoder, (client) => {
    box.open(client);
    box.sentence.focus();
  });
  const box = new Box(figure, group, experiment, () => {
    box.open();
    loader.away();
    loader.begin.focus();
  });
  return { box, node: block("", loader.node, box.node) };
}

/** Draw a figure in `el` and return the clean-up. */
function render({ model, el, page }) {
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([css, ...STYLES, own].join(""));
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  const { says, ...state } = model.get("_state");
  const figure = new Figure({ ...state, model, el, page, host });
  const group = figure.node();
  const experiment = new Experiment(figure.encoder, sheet);
  const { box, node } = source(figure, group, experiment, { model, el, page });
  group.querySelector(".head").after(node);
  root.append(group, experiment.node);
  const draw = () => {
    figure.draw();
    box?.draw();
  };
  const stop = watchUntil(figure);
  model.on("change:value", draw);
  draw();
  figure.refresh();
  figure.visit();
  return () => {
    stop();
    experiment.quit();
    box?.open();
    clearTimeout(figure.waiting);
    clearTimeout(figure.soon);
    model.off("change:value", draw);
    host.remove();
  };
}

/** In the book: bring a figure to life. */
export const mount = (el) => begin(el, render);

export default { render };
