// How long the blocks of a lesson take, by the rule of tools/minutes.py, and which of them fit one lesson.
import { select } from "../learn/dom.js";
import { TRAP, textOf } from "./steps.js";

export const LESSON = 45;
// A formula is a word, too; of Chinese, two characters are one.
const WORD = /\p{sc=Han}{1,2}|[\p{L}\p{N}…][^\s\p{sc=Han}]*/gu;
const SECONDS = { word: 1 / 3, formula: 60, symbol: 10, line: 10, figure: 150 };
const FIGURE = ".kernelfree-figure, .kernelfree-trace, .kernelfree-sentence, .finger";

/** Minutes and seconds. @param {number} seconds */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** @param {{ seconds?: number }[]} some */
export const sumOf = (some) => some.reduce((sum, { seconds }) => sum + seconds, 0);

/** How long a class takes for a block. @param {HTMLElement} node */
function secondsOf(node) {
  if (node.matches(FIGURE)) return SECONDS.figure;
  if (node.matches(".cell_output")) return 0;
  const text = textOf(node);
  if (node.matches(".cell_input")) return SECONDS.line * text.split("\n").filter((line) => line.trim()).length;
  const formulas = select(".katex-display", node).length;
  const symbols = select(".katex", node).filter((one) => !one.closest("details > :not(summary)")).length - formulas;
  const words = text.match(WORD)?.length ?? 0;
  return SECONDS.word * words + SECONDS.formula * formulas + SECONDS.symbol * symbols;
}

/** How long each step takes: those that show a block share its time. @param {import("./steps.js").Step[]} steps */
export function paceOf(steps) {
  const shown = new Map();
  for (const { at } of steps.flatMap(({ units }) => units)) shown.set(at, (shown.get(at) ?? 0) + 1);
  return steps.map(({ units }) => sumOf(units.map(({ at, seconds }) => ({ seconds: seconds / shown.get(at) }))));
}

/**
 * Say of each block how long it takes, and whether it is in the cut that fits one lesson. Exercises and closed folds
 * are for home. Then go whole sections, but never the first: those that are folded on the page; those without a
 * speaker's note, but for numbers by hand; others. Each time the shortest that suffices goes, or the longest.
 * @param {import("./steps.js").Unit[]} units
 * @param {Element[]} marks the places of notes
 */
export function cut(units, marks) {
  const noted = marks.map((mark) => units.find(({ node }) => mark.contains(node) || node.contains(mark))?.heads.at(-1));
  /** @type {Map<HTMLElement, import("./steps.js").Unit[]>} */
  const sections = new Map();
  for (const unit of units) {
    const { node, heads, fold } = unit;
    const head = heads.at(-1);
    unit.seconds = secondsOf(node);
    unit.cut = !node.closest(".exercises") && (!fold || fold.matches(TRAP));
    if (unit.cut) sections.set(head, [...(sections.get(head) ?? []), unit]);
  }
  const keep = (head) => noted.includes(head) || head.closest("[id$='by-hand']");
  const rank = (head, one) => (one === units[0] ? -1 : one.fold ? 2 : keep(head) ? 0 : 1);
  const left = [...sections]
    .map(([head, units]) => ({ rank: rank(head, units[0]), units, seconds: sumOf(units) }))
    .sort((a, b) => b.rank - a.rank || a.seconds - b.seconds);
  for (let over = sumOf(left) - 60 * LESSON; over > 0; ) {
    const same = left.filter(({ rank }) => rank === left[0].rank);
    const gone = same.find(({ seconds }) => seconds >= over) ?? same.at(-1);
    left.splice(left.indexOf(gone), 1);
    for (const unit of gone.units) unit.cut = false;
    over -= gone.seconds;
  }
}
