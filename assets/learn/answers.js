// A box for an answer by hand. The verdicts are those of the exercise's check in Python, which has
// left them in the output of its cell.
import { first, live, make, select } from "./dom.js";
import { matches, readings, unread } from "./numbers.js";
import { change, load, watch } from "./store.js";

/**
 * What a check in Python leaves for the page.
 * @typedef {string | number | NestedNumbers} Value
 * @typedef {(number | NestedNumbers)[]} NestedNumbers
 * @typedef {{
 *   expected: Value, praise: string, slips: [why: string, wrong: Value][], tolerance: number, any_order?: boolean
 * }} Check
 * `right` is null where nothing can be said yet.
 * @typedef {{ right: boolean | null, why: string }} Verdict
 */

/** @type {(value: Value) => number[]} */
const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : [Number(value)]);
/** @param {Value} text */
const bare = (text) => String(text).trim().toLowerCase();
/** @param {Check} check */
const right = ({ praise }) => ({ right: true, why: `Right. ${praise}` });
/** @param {string} why */
const open = (why) => ({ right: null, why });
/** @param {string} why */
const wrong = (why) => ({ right: false, why: `Not yet${why}` });
/** @param {Check["slips"][number] | undefined} slip */
const explained = (slip) => wrong(slip ? `: ${slip[0]}` : ". The hint may help, or look at the solution.");

/**
 * What the check says of a text.
 * @param {Check} check
 * @param {string} text
 * @returns {Verdict}
 */
export function verdict(check, text) {
  if (!text.trim()) return open("Write your answer first.");
  return (typeof check.expected === "string" ? onWord : onNumbers)(check, text);
}

/**
 * @param {Check} check
 * @param {string} text
 */
function onWord(check, text) {
  /** @param {Value} value */
  const is = (value) => bare(value) === bare(text);
  return is(check.expected) ? right(check) : explained(check.slips.find(([, value]) => is(value)));
}

/**
 * @param {Check} check
 * @param {string} text
 */
function onNumbers(check, text) {
  const found = readings(text);
  if (!found.length) return open(`“${unread(text)}” is no number. Write numbers such as 0.25, 1/4, 25% or ln(2).`);
  /**
   * @param {Value} value
   * @param {"near" | "rough"} [rounding]
   */
  const is = (value, rounding) => found.some((typed) => matches(typed, flat(value), check, rounding));
  if (is(check.expected)) return right(check);
  const slip = check.slips.find(([, value]) => typeof value !== "string" && is(value));
  if (slip) return explained(slip);
  if (is(check.expected, "rough"))
    return open("That may be right, but one digit does not tell. Give three digits, or a fraction.");
  const counts = found.map((typed) => typed.length);
  const count = flat(check.expected).length;
  if (counts.includes(count)) return explained(undefined);
  const wanted = count === 1 ? "one number is" : `${count} numbers are`;
  return wrong(`: ${wanted} asked for, not ${counts[0]}.`);
}

/**
 * The box of one exercise, before its cell.
 * @param {HTMLElement} output
 */
function box(output) {
  /** @type {Check} */
  const check = JSON.parse(first("script", output).textContent);
  const exercise = output.closest("[data-answer]");
  const id = exercise?.getAttribute("data-answer");
  const input = make("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    maxLength: 300,
  });
  const status = live("p");
  const label = make("label", {}, "Your answer ", input);
  const form = make("form", { className: "answer" }, label, make("button", {}, "Check"), status);
  if (typeof check.expected !== "string") form.append(help(input, flat(check.expected).length > 1));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, why } = verdict(check, input.value);
    status.textContent = why;
    form.classList.toggle("right", right === true);
    // A right answer stays, whatever is tried afterwards.
    if (id && right !== null && (right || !load().answers[id]?.right))
      change(({ answers }) => (answers[id] = { choice: input.value, right, at: Date.now() }));
  });
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

let helpCount = 0;
/**
 * What may be typed: the same for all numbers, so that it gives nothing away.
 * @param {HTMLElement} input
 * @param {boolean} several
 */
function help(input, several) {
  const text = `For example ${several ? "2, 1, 3. Each may be " : ""}2/3, 0.667, 66.7%, ln(5), sqrt(2) or 2^8. Three digits are enough.`;
  const line = make("p", { className: "may", id: `may-${helpCount++}` }, text);
  input.setAttribute("aria-describedby", line.id);
  return line;
}

const HOW =
  "Type a number or a word into its box. The check tells you if you are right, and if not, what may be wrong. " +
  "A function is written in a notebook: the link below its cell opens one.";

export function answers() {
  select(".d2lmini-answer").forEach(box);
  for (const line of select("p.how-to-answer")) line.textContent = HOW;
}
