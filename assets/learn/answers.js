// A box for an answer by hand. The verdicts are those of the exercise's check in Python, which has
// left them in the output of its cell.
import { numbers, same } from "./numbers.js";
import { change, load, watch } from "./store.js";

const flat = (value) => (Array.isArray(value) ? value.flat(Infinity) : [value]);

/** What the check says of a text: {right, why}; `right` is null where nothing can be said yet. */
export function verdict({ expected, praise, slips, tolerance }, text) {
  const isWord = typeof expected === "string";
  if (!text.trim()) return { right: null, why: "Write your answer first." };
  const { numbers: typed, wrong } = isWord ? {} : numbers(text, !Array.isArray(expected));
  if (wrong !== undefined) return { right: null, why: `“${wrong}” is no number. Write numbers such as 0.25, 1/4 or 25%.` };
  const is = (value) =>
    typeof value === "string" || isWord
      ? String(value).trim().toLowerCase() === text.trim().toLowerCase()
      : same(typed, flat(value), tolerance);
  if (is(expected)) return { right: true, why: `Right. ${praise}` };
  const slip = slips.find(([, value]) => is(value));
  if (slip) return { right: false, why: `Not yet: ${slip[0]}` };
  const count = flat(expected).length;
  if (!isWord && typed.length !== count)
    return { right: false, why: `Not yet: ${count === 1 ? "one number is" : count + " numbers are"} asked for, not ${typed.length}.` };
  return { right: false, why: "Not yet. The hint may help, or look at the solution." };
}

/** The box of one exercise, before its cell. */
function box(output) {
  const data = JSON.parse(output.querySelector("script").textContent);
  const id = output.closest("[data-answer]")?.dataset.answer;
  const form = Object.assign(document.createElement("form"), { className: "answer" });
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false });
  const button = Object.assign(document.createElement("button"), { textContent: "Check" });
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  label.append("Your answer ", input);
  form.append(label, button, status);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, why } = verdict(data, input.value);
    status.textContent = why;
    form.classList.toggle("right", right === true);
    // A right answer stays, whatever is tried afterwards.
    if (right !== null && id && !(load().answers[id]?.right && !right)) change((all) => (all.answers[id] = { choice: input.value, right, at: Date.now() }));
  });
  const show = () => {
    const known = id && load().answers[id];
    if (known && !input.value) input.value = known.choice;
    form.classList.toggle("right", known?.right === true);
  };
  watch(show);
  show();
  (output.closest(".cell") ?? output).before(form);
}

export const answers = () => document.querySelectorAll(".d2lmini-answer").forEach(box);
