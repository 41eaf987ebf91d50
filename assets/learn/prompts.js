// Prompts to recall something, at a chapter's end and again when they are due.

import { next } from "./schedule.js";
import { change, load, watch } from "./store.js";

const days = (time) => Math.max(1, Math.round((time - Date.now()) / 86_400_000));

/** One prompt: open it, then say whether you knew it. `then` is called when that is said. */
export function prompt(box, then = () => {}) {
  const id = box.dataset.answer;
  const row = Object.assign(document.createElement("p"), { className: "recall" });
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const say = (text, remembered) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.addEventListener("click", () => {
      change((all) => (all.prompts[id] = next(all.prompts[id], remembered, Date.now())));
      then(remembered);
    });
    return button;
  };
  row.append(say("I knew it", true), say("I forgot", false), status);
  const details = box.querySelector("details");
  details.insertBefore(row, details.querySelector(".again"));
  const show = () => {
    const known = load().prompts[id];
    status.textContent = known ? `Comes back in ${days(known.due)} ${days(known.due) === 1 ? "day" : "days"}.` : "";
  };
  watch(show);
  show();
}

export const prompts = () => document.querySelectorAll(".prompt:not(.all-prompts *)").forEach((box) => prompt(box));
