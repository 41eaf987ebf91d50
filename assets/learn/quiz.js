// A quiz that remembers: the first answer that is opened is the reader's.
import { change, load, watch } from "./store.js";

const date = (at) => new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long" });
const says = (choice) => /^\s*Yes\b/.test(choice.querySelector(":scope > :not(summary)")?.textContent ?? "");
const name = (choice) => choice.querySelector("summary").textContent.trim();

const shuffled = (list) =>
  list
    .map((one) => [Math.random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);

/** A question: its choices in an order of their own, and what was answered. */
function ask(box) {
  const id = box.dataset.answer;
  const choices = [...box.querySelectorAll(":scope > details")];
  const status = Object.assign(document.createElement("p"), { className: "answered" });
  status.setAttribute("role", "status");
  box.append(...shuffled(choices), status);
  const show = () => {
    const known = load().answers[id];
    for (const choice of choices) choice.classList.toggle("chosen", name(choice) === known?.choice);
    box.classList.toggle("right", known?.right === true);
    status.textContent = known
      ? `You answered “${known.choice}”, ${date(known.at)}: ${known.right ? "right" : "not right"}.`
      : "";
  };
  for (const choice of choices)
    choice.querySelector("summary").addEventListener("click", () => {
      if (load().answers[id]) return;
      change((all) => (all.answers[id] = { choice: name(choice), right: says(choice), at: Date.now() }));
    });
  watch(show);
  show();
}

export function quizzes() {
  document.querySelectorAll(".question").forEach(ask);
  // Predictions of figures count, too.
  document.addEventListener("kernelfree-answer", ({ target, detail }) => {
    // In the one file a figure's name begins with its article's.
    const figure = target.closest(".kernelfree-figure")?.id.replace(/^p\d+-/, "");
    const id = `${target.closest("[data-page]")?.dataset.page}/${figure}`;
    if (!load().answers[id])
      change((all) => (all.answers[id] = { choice: detail.choice, right: detail.right, at: Date.now() }));
  });
}
