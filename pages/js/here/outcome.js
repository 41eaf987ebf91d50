// What a run has left: what was printed, a value, an error, the check's judgement.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, make } from "../learn/dom.js";
import { keepAnswer, next } from "../learn/schedule.js";
import { change } from "../learn/store.js";
import { isStep, saves } from "./mine.js";

/** @typedef {import("./python.js").Done} Done */

/**
 * Show it in a cell's output; what there is to say of it.
 * @param {import("./cell.js").Cell} cell
 * @param {Done} done
 * @param {HTMLElement} printed
 * @param {(line: string) => void} type what `input()` is given next
 */
export function show(cell, done, printed, type) {
  const { cells } = cell;
  const own = done.above === undefined;
  printed.textContent = own ? [done.out.replace(/\n$/, ""), done.value].filter(Boolean).join("\n") : "";
  if (done.more) printed.append(say`\n… and ${done.more} letters more, which are not shown.`);
  const nodes = done.error ? [make("pre", { className: "error" }, done.error)] : [];
  cell.output.replaceChildren(printed, ...nodes);
  const judgement = own && cell.exercise ? done.right : null;
  if (own && done.line && judgement === null) cell.editor.mark(done.line);
  if (own && done.asks) cell.output.append(ask(type));
  if (!own) nodes[0].before(make("p", {}, goTo(cells[done.above])));
  if (judgement && isStep(cell.book)) cell.output.append(saves(done.mine));
  if (judgement !== null) judged(cell.exercise.getAttribute("data-answer"), judgement);
  const ran = summary(done, own, judgement);
  const mine = done.on.filter((at) => cells[at].own !== undefined).length;
  return mine ? say`${ran} Of the cells above, it took ${mine} as you have written them.` : ran;
}

/** @param {Done} done @param {boolean} own @param {boolean | null} judgement */
function summary(done, own, judgement) {
  if (judgement !== null) return judgement ? say`\u2713 Right. It counts in the review.` : say`Not yet.`;
  if (done.asks) return say`It waits for a line.`;
  if (!done.error) return say`It ran.`;
  return own ? say`It ended with an error.` : say`A cell above ended with an error.`;
}

/** @param {import("./cell.js").Cell} cell */
const goTo = ({ node }) =>
  button(say`Go to that cell`, () => {
    for (let fold = node.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    node.scrollIntoView();
  });

/** A line for `input()`. @param {(line: string) => void} type */
function ask(type) {
  const line = make("input", { type: "text", autocomplete: "off", ariaLabel: say`What input() reads` });
  const form = make("form", {}, line, " ", make("button", {}, say`Enter`));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    type(line.value);
  });
  queueMicrotask(() => line.focus());
  return form;
}

/** What a check has found counts as an answer in a box does, and in *Review*. @param {string} id @param {boolean} right */
function judged(id, right) {
  keepAnswer(id, "", right);
  change(({ prompts }) => {
    const due = prompts[id]?.due;
    if (right && due && due <= Date.now()) prompts[id] = next(prompts[id], true, Date.now());
  });
}

/** What the book shows of a cell is one click away; the fold. @param {HTMLElement} node */
export function shelve(node) {
  const output = node.querySelector(".cell_output");
  // What is moved stays in sight.
  if (!output || output.querySelector(".kernelfree-figure, .kernelfree-trace")) return undefined;
  const shelf = make("details", { className: "book-shows" }, make("summary", {}, say`What the book shows`));
  output.replaceWith(shelf);
  shelf.append(output);
  shelf.open = Boolean(first("img, svg", output));
  return shelf;
}
