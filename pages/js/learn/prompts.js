// Prompts to recall something, at a chapter's end and again when they are due.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, live, make, select, tell } from "./dom.js";
import { next, recalls } from "./schedule.js";
import { change, DAY, load, watch } from "./store.js";

/**
 * When something comes back, in words.
 * @param {string} id
 */
export function comesBack(id) {
  const known = recalls(load()).get(id);
  const days = Math.max(1, Math.round(((known?.due ?? 0) - Date.now()) / DAY));
  if (!known) return "";
  return days === 1 ? say`Comes back in 1 day.` : say`Comes back in ${days} days.`;
}

/**
 * One prompt: open it, then say whether you knew it.
 * @param {HTMLElement} box
 * @param {() => void} [then] called when that is said
 */
export function prompt(box, then = () => {}) {
  const id = box.dataset.answer ?? "";
  const status = live("span");
  /** @param {boolean} remembered */
  const answer = (remembered) => () => {
    change(({ prompts }) => (prompts[id] = next(prompts[id], remembered, Date.now())));
    then();
  };
  const row = make(
    "p",
    { className: "recall" },
    button(say`I knew it`, answer(true)),
    button(say`I forgot`, answer(false)),
    status,
  );
  box.insertBefore(row, first(".again", box) ?? null);
  watch(() => tell(status, comesBack(id)));
}

/** Those of the page of the review have a script of their own. */
export const prompts = () => select(".prompt:not(.all-prompts *)").forEach((box) => prompt(box));
