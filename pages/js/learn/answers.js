// A box for an answer by hand. The verdicts are those of the exercise's check in Python, which has
// left them in the output of its cell.
import { say } from "../../../kernelfree/js/say.js";
import { first, live, make, select } from "./dom.js";
import { matches, readings, unread } from "./numbers.js";
import { keepAnswer } from "./schedule.js";
import { load, watch } from "./store.js";

/**
 * What a check in Python leaves for the page.
 * @typedef {string | number | NestedNumbers} Value
 * @typedef {(number | NestedNumbers)[]} NestedNumbers
 * @typedef {{
 *   expected: Value, praise: string, slips: [why: string, wrong: Value][], tolerance: number, any_order?: boolean, example?: string
 * }} Check
 * `right` is null where nothing can be said yet.
 * @typedef {{ right: boolean | null, why: string }} Verdict
 */

/** @type {(value: Value) => number[]} */
const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : [Number(value)]);
/**
 * The letters and digits of a word, and points in numbers, as checking.py reads it.
 * @param {Value} text
 */
const bare = (text) =>
  String(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?!(?<=\p{Nd})\.(?=\p{Nd}))[^\p{L}\p{N}]+/gu, "");
/** @param {string} word 0 for digits, a for letters */
const form = (word) =>
  bare(word)
    .replace(/\p{Nd}+/gu, "0")
    .replace(/[^\p{Nd}.]+/gu, "a");
/** @param {Check} check */
const right = ({ praise }) => ({ right: true, why: say`Right. ${praise}`.trim() });
/** @param {string} why */
const open = (why) => ({ right: null, why });
/** @param {string} why */
const wrong = (why) => ({ right: false, why });
/** @param {Check["slips"][number] | undefined} slip */
const explained = (slip) =>
  wrong(slip ? say`Not yet: ${slip[0]}` : say`Not yet. The hint may help, or look at the solution.`);

/**
 * What the check says of a text.
 * @param {Check} check
 * @param {string} text
 * @returns {Verdict}
 */
export function verdict(check, text) {
  if (!text.trim()) return open(say`Write your answer first.`);
  return (typeof check.expected === "string" ? onWord : onNumbers)(check, text);
}

/**
 * @param {Check} check
 * @param {string} text
 */
function onWord(check, text) {
  /** @param {Value} value */
  const is = (value) => bare(value) === bare(text);
  if (is(check.expected)) return right(check);
  const slip = check.slips.find(([, value]) => is(value));
  return slip ? explained(slip) : noWord(check, text);
}

/**
 * What to say of a word that is none of those that count, or has another form.
 * @param {Check} check
 * @param {string} text
 */
function noWord({ expected, slips, example }, text) {
  if (example) {
    return form(text) === form(example)
      ? explained(undefined)
      : wrong(say`Not yet: an answer such as ${example} is expected.`);
  }
  const words = [...new Set([expected, ...slips.map(([, value]) => value)])].sort();
  return wrong(say`Not yet: one of ${words.join(say`, `)} is expected.`);
}

/**
 * @param {Check} check
 * @param {string} text
 */
function onNumbers(check, text) {
  const found = readings(text);
  if (!found.length) return open(say`“${unread(text)}” is no number. Write numbers such as 0.25, 1/4, 25% or ln(2).`);
  /**
   * @param {Value} value
   * @param {"near" | "rough"} [rounding]
   */
  const is = (value, rounding) => found.some((typed) => matches(typed, flat(value), check, rounding));
  if (is(check.expected)) return right(check);
  const slip = check.slips.find(([, value]) => typeof value !== "string" && is(value));
  if (slip) return explained(slip);
  if (is(check.expected, "rough"))
    return open(say`That may be right, but one digit does not tell. Give three digits, or a fraction.`);
  const counts = found.map((typed) => typed.length);
  const count = flat(check.expected).length;
  if (counts.includes(count)) return explained(undefined);
  return wrong(
    count === 1
      ? say`Not yet: one number is asked for, not ${counts[0]}.`
      : say`Not yet: ${count} numbers are asked for, not ${counts[0]}.`,
  );
}

/**
 * A box for an answer.
 * @param {Check} check
 * @param {(text: string, right: boolean) => void} then called with each answer of which something can be said
 */
function field(check, then) {
  const input = make("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    maxLength: 300,
  });
  const status = live("p");
  const label = make("label", {}, say`Your answer `, input);
  const form = make("form", { className: "answer" }, label, make("button", {}, say`Check`), status);
  if (typeof check.expected !== "string") form.append(help(input, flat(check.expected).length > 1));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, why } = verdict(check, input.value);
    status.textContent = why;
    form.classList.toggle("right", right === true);
    if (right !== null) then(input.value, right);
  });
  return { form, input };
}

/**
 * What a check in Python has left.
 * @param {HTMLElement} output
 * @returns {Check}
 */
const checkIn = (output) => JSON.parse(first("script", output).textContent);

/**
 * The box of one exercise, before its cell.
 * @param {HTMLElement} output
 */
function box(output) {
  const id = output.closest("[data-answer]")?.getAttribute("data-answer");
  const { form, input } = field(checkIn(output), (choice, right) => id && keepAnswer(id, choice, right));
  watch(() => {
    const known = id ? load().answers[id] : undefined;
    if (known && !input.value) input.value = String(known.choice);
    form.classList.toggle("right", known?.right === true);
  });
  (output.closest(".cell") ?? output).before(form);
  // It speaks of the cell, which only a notebook can run.
  const shown = output.closest(".cell_output");
  (shown instanceof HTMLElement ? shown : output).hidden = true;
}

/**
 * An exercise that comes back: with other numbers where it has some, and with its own in turn; at -1, with its own.
 * @param {HTMLElement} exercise
 * @param {number} step
 * @param {(right: boolean, text: string) => void} then
 */
export function askWithOtherNumbers(exercise, step, then) {
  const output = first(".d2lmini-answer", exercise);
  /** @type {[asked: string, expected: Value][]} */
  const variants = JSON.parse(exercise.dataset.again ?? "[]");
  const other = variants[step % (variants.length + 1)];
  const check = checkIn(output);
  if (other) first(".asked", exercise).replaceChildren(make("p", {}, other[0]));
  const asked = other ? { ...check, expected: other[1], slips: [], praise: "" } : check;
  output.replaceWith(field(asked, (text, right) => then(right, text)).form);
}

let helpCount = 0;
/**
 * What may be typed: the same for all numbers, so that it gives nothing away.
 * @param {HTMLElement} input
 * @param {boolean} several
 */
function help(input, several) {
  const text = several
    ? say`For example 2, 1, 3. Each may be 2/3, 0.667, 66.7%, ln(5), sqrt(2) or 2^8. Three digits are enough.`
    : say`For example 2/3, 0.667, 66.7%, ln(5), sqrt(2) or 2^8. Three digits are enough.`;
  const line = make("p", { className: "may", id: `may-${helpCount++}` }, text);
  input.setAttribute("aria-describedby", line.id);
  return line;
}

const HOW = say`Type a number or a word into its box. The check tells you if you are right, and if not, what may be wrong. A function is written below its cell, by Run it here, or where the links lead.`;

export function answers() {
  select(".d2lmini-answer:not(.all-prompts *)").forEach(box);
  for (const line of select("p.how-to-answer")) line.textContent = HOW;
}
