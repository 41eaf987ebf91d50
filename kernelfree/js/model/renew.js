// A figure's panels for other words than those that it was made for.

import { pause } from "../engine/pause.js";
import { lookOf } from "../figure/colors.js";
import { arrange } from "../figure/layout.js";
import { KINDS } from "../panels/registry.js";

const rounded = (number) => Math.round(100 * number) / 100;

/** A table of a matrix for each head; its rows and their sums are rounded, as Python's. */
function table(numbers, length, heads) {
  const cells = new Float64Array(numbers.length);
  const sums = new Float64Array(numbers.length / length);
  for (let at = 0; at < numbers.length; at++) {
    cells[at] = rounded(numbers[at]);
    sums[Math.floor(at / length)] += numbers[at];
  }
  const row = (at) => Object.assign(cells.subarray(at * length, (at + 1) * length), { sum: rounded(sums[at]) });
  const read = ([layer, head]) => Array.from({ length }, (_, i) => row((layer * heads + head) * length + i));
  return { decimals: 2, read };
}

/** What of a panel goes by its words. */
function reworded(panel, tokens) {
  if (panel.kind === "grid") return panel;
  const ticks = tokens.map((token, i) => [(i + 0.5) / tokens.length, token]);
  const shape = [tokens.length, tokens.length];
  const names = { rowNames: tokens, columnNames: tokens };
  return { ...panel, ...names, shape, ...(panel.kind === "words" ? { tokens } : { x: ticks, y: ticks }) };
}

/** Show a sentence of any length, in short tasks; `weights` are (layers, heads, tokens, tokens). */
export async function renew(figure, group, tokens, weights) {
  const heads = figure.controls[1].options.length;
  figure.tables = [table(weights, tokens.length, heads)];
  await pause();
  figure.look = undefined; // nothing else paints before all has its size
  const views = (figure.views = figure.panels.map((panel) =>
    Object.assign(new KINDS[panel.kind](reworded(panel, tokens), figure), { wording: () => ({}) }),
  ));
  figure.draw();
  await pause();
  // Canvases are drawn before they come into the page, each in its turn.
  const look = lookOf(figure.host, figure.scales);
  const canvases = views.filter(({ screen }) => screen);
  arrange(canvases, figure.host.clientWidth, look);
  for (const view of canvases) {
    await pause();
    view.paint(look);
  }
  await pause();
  figure.look = look;
  // Chromium keeps radio buttons that leave a shadow tree, and all that hangs on them.
  for (const radio of group.querySelectorAll("[type=radio]")) radio.name = "";
  group.querySelector(".panels").replaceChildren(...views.map(({ node }) => node));
  for (const view of views) if (!view.screen) view.paint(look);
}
