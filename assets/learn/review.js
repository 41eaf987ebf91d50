// The page that brings what is due, one prompt after the other.
import { button, first, live, select, tell } from "./dom.js";
import { prompt } from "./prompts.js";
import { dueIds } from "./schedule.js";
import { load, watch } from "./store.js";

/**
 * @param {number} count
 * @param {number[]} later times at which others come back
 */
function summary(count, later) {
  if (count) return `${count} due now.`;
  if (later.length)
    return `Nothing is due. The next one comes on ${new Date(Math.min(...later)).toLocaleDateString()}.`;
  return "Nothing is due: answer the prompts at the end of a chapter, and they come back here.";
}

/** @param {HTMLElement} place */
function fill(place) {
  const boxes = select(".prompt", place);
  const ids = boxes.map((box) => box.dataset.answer ?? "");
  const status = live("p", "due-now");
  const toggle = button("", () => {
    place.classList.toggle("whole");
    show();
  });
  const show = () => {
    const whole = place.classList.contains("whole");
    const known = load().prompts;
    const due = dueIds(known, Date.now());
    boxes.forEach((box, i) => (box.hidden = !whole && !due.includes(ids[i])));
    for (const part of select("section", place)) part.hidden = !part.querySelector(".prompt:not([hidden])");
    const later = ids.map((id) => known[id]?.due ?? 0).filter((time) => time > Date.now());
    tell(status, summary(ids.filter((id) => due.includes(id)).length, later));
    toggle.textContent = whole ? "Show what is due" : "Show all prompts";
  };
  place.classList.add("due-page");
  place.before(status);
  place.append(toggle);
  for (const box of boxes)
    prompt(box, () => {
      box.removeAttribute("open");
      show();
      const following = boxes.find((other) => !other.hidden);
      (following ? first("summary", following) : toggle).focus();
    });
  watch(show);
}

export const review = () => select("article .all-prompts").forEach(fill);
