// The page that brings what is due, one prompt after the other.

import { prompt } from "./prompts.js";
import { due } from "./schedule.js";
import { load, watch } from "./store.js";

export function review() {
  const page = document.querySelector("article .all-prompts");
  if (!page) return;
  const boxes = [...page.querySelectorAll(".prompt")];
  const status = Object.assign(document.createElement("p"), { className: "due-now" });
  status.setAttribute("role", "status");
  page.classList.add("due-page");
  page.before(status);
  const all = Object.assign(document.createElement("button"), { type: "button", textContent: "Show all prompts" });
  all.addEventListener("click", () => {
    page.classList.toggle("whole");
    show();
  });
  page.append(all);
  const show = () => {
    const { prompts } = load();
    const now = due(prompts, Date.now());
    const shown = boxes.filter((box) => {
      box.hidden = !page.classList.contains("whole") && !now.includes(box.dataset.answer);
      return !box.hidden;
    });
    for (const part of page.querySelectorAll("section")) part.hidden = !part.querySelector(".prompt:not([hidden])");
    const count = boxes.filter((box) => now.includes(box.dataset.answer)).length;
    const later = boxes.map((box) => prompts[box.dataset.answer]?.due ?? NaN).filter((time) => time > Date.now());
    status.textContent = count
      ? `${count} due now.`
      : later.length
        ? `Nothing is due. The next one comes on ${new Date(Math.min(...later)).toLocaleDateString()}.`
        : "Nothing is due: answer the prompts at the end of a chapter, and they come back here.";
    all.textContent = page.classList.contains("whole") ? "Show what is due" : "Show all prompts";
    return shown;
  };
  for (const box of boxes)
    prompt(box, () => {
      box.querySelector("details").open = false;
      show();
      (boxes.find((one) => !one.hidden)?.querySelector("summary") ?? all).focus();
    });
  watch(show);
  show();
}
