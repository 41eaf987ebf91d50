// A box for an answer by hand. The verdicts are those of the exercise's check in Python, which has
// left them in the output of its cell.
import { readings, same, unread } from "./numbers.js";
import { change, load, watch } from "./store.js";

const flat = (value) => (Array.isArray(value) ? value.flat(Infinity) : [value]);
const bare = (text) => String(text).trim().toLowerCase();
const open = (why) => ({ right: null, why });
const wrong = (why) => ({ right: false, why: `Not yet${why}` });

/** What the check says of a text: {right, why}; `right` is null where nothing can be said yet. */
export function verdict(data, text) {
  if (!text.trim()) return open("Write your answer first.");
  return (typeof data.expected === "string" ? word : numbers)(data, text);
}

function word({ expected, praise, slips }, text) {
  const is = (value) => bare(value) === bare(text);
  if (is(expected)) return { right: true, why: `Right. ${praise}` };
  return told(slips.find(([, value]) => is(value)));
}

function numbers(data, text) {
  const { expected, praise, slips } = data;
  const found = readings(text);
  if (!found.length) return open(`“${unread(text)}” is no number. Write numbers such as 0.25, 1/4, 25% or ln(2).`);
  const is = (value, slack) => found.some((typed) => same(typed, flat(value), data, slack));
  if (is(expected)) return { right: true, why: `Right. ${praise}` };
  const slip = slips.find(([, value]) => typeof value !== "string" && is(value));
  if (!slip && is(expected, "rough"))
    return open("That may be right, but one digit does not tell. Give three digits, or a fraction.");
  const counts = found.map((typed) => typed.length);
  const count = flat(expected).length;
  if (!slip && !counts.includes(count))
    return wrong(`: ${count === 1 ? "one number is" : `${count} numbers are`} asked for, not ${counts[0]}.`);
  return told(slip);
}

const told = (slip) => wrong(slip ? `: ${slip[0]}` : ". The hint may help, or look at the solution.");

/** The box of one exercise, before its cell. */
function box(output) {
  const data = JSON.parse(output.querySelector("script").textContent);
  const id = output.closest("[data-answer]")?.dataset.answer;
  const form = Object.assign(document.createElement("form"), { className: "answer" });
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    maxLength: 300,
  });
  const button = Object.assign(document.createElement("button"), { textContent: "Check" });
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  label.append("Your answer ", input);
  form.append(label, button, status);
  if (typeof data.expected !== "string") form.append(help(input));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, why } = verdict(data, input.value);
    status.textContent = why;
    form.classList.toggle("right", right === true);
    // A right answer stays, whatever is tried afterwards.
    if (right !== null && id && !(load().answers[id]?.right && !right))
      change((all) => (all.answers[id] = { choice: input.value, right, at: Date.now() }));
  });
  const show = () => {
    const known = id && load().answers[id];
    if (known && !input.value) input.value = known.choice;
    form.classList.toggle("right", known?.right === true);
  };
  watch(show);
  show();
  (output.closest(".cell") ?? output).before(form);
  // It speaks of the cell, which only a notebook can run.
  (output.closest(".cell_output") ?? output).hidden = true;
}

let helped = 0;
/** What may be typed: the same for all numbers, so that it gives nothing away. */
function help(input) {
  const text = "For example 2/3, 0.667, 66.7%, ln(5), sqrt(2) or 2^8. Three digits are enough.";
  const line = Object.assign(document.createElement("p"), {
    className: "may",
    id: `may-${helped++}`,
    textContent: text,
  });
  input.setAttribute("aria-describedby", line.id);
  return line;
}

const HOW =
  "Type a number or a word into its box. The check tells you if you are right, and if not, what may be wrong. " +
  "A function is written in a notebook: the link below its cell opens one.";

export function answers() {
  document.querySelectorAll(".d2lmini-answer").forEach(box);
  for (const line of document.querySelectorAll("p.how-to-answer")) line.textContent = HOW;
}
