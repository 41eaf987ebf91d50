// The page that brings what is due: prompts, and questions and exercises that were answered wrongly.
import { say } from "../../../kernelfree/js/say.js";
import { askWithOtherNumbers } from "./answers.js";
import { button, first, live, make, select, tell } from "./dom.js";
import { comesBack, prompt } from "./prompts.js";
import { askAgain } from "./quiz.js";
import { dueIds, keepAnswer, next, recalls, secondTries } from "./schedule.js";
import { change, load, watch } from "./store.js";

/**
 * @param {number} count
 * @param {number[]} later times at which others come back
 */
function summary(count, later) {
  if (count) return say`${count} due now.`;
  if (later.length) {
    const next = new Date(Math.min(...later)).toLocaleDateString(document.documentElement.lang);
    return say`Nothing is due. The next one comes on ${next}.`;
  }
  return say`Nothing is due: prompts that you answer at the end of a chapter come back here, and so does what you got wrong.`;
}

/** @param {HTMLElement} box */
const idOf = (box) => box.dataset.answer ?? "";

/** An exercise is tried again once it was answered. @param {HTMLElement} box @param {import("./store.js").Answers} record */
const isOffered = (box, { answers }) => box.matches(".prompt") || idOf(box) in answers;

/** What this edition no longer asks waits no more. @param {string[]} ids */
function forgetOthers(ids) {
  const gone = dueIds(load(), Date.now()).filter((id) => !ids.includes(id));
  if (gone.length)
    change((record) => {
      for (const id of gone) record.prompts[id] = { step: 0, due: null, at: Date.now() };
    });
}

/** @param {HTMLElement} place */
function fill(place) {
  const boxes = select(".prompt, .question, .exercise", place);
  const ids = boxes.map(idOf);
  const questions = boxes.filter((box) => !box.matches(".prompt"));
  /** Questions that were answered just now: their reply is still to be read. @type {Set<HTMLElement>} */
  const open = new Set();
  const status = live("p", "due-now");
  /** What is shown beside what is due. */
  let also = "";
  /** @type {[kind: string, text: string][]} */
  const KINDS = [
    ["", say`Show what is due`],
    [".prompt", say`Show all prompts`],
    [".exercise", say`Try exercises again`],
  ];
  const choices = KINDS.map(([kind, text]) =>
    button(text, () => {
      also = kind;
      show();
    }),
  );
  const show = () => {
    const record = load();
    const known = recalls(record);
    const due = dueIds(record, Date.now());
    for (const box of boxes)
      box.hidden = !due.includes(idOf(box)) && !open.has(box) && !(also && box.matches(also) && isOffered(box, record));
    for (const part of select("section", place)) part.hidden = boxes.every((box) => box.hidden || !part.contains(box));
    const later = ids.map((id) => known.get(id)?.due ?? 0).filter((time) => time > Date.now());
    const tries = secondTries(record, questions.map(idOf)).join(say`, `);
    const count = ids.filter((id) => due.includes(id)).length;
    const none = also && boxes.every((box) => box.hidden) ? say`No exercise is answered yet.` : "";
    tell(status, none || `${summary(count, later)}${tries && say` Questions and exercises: ${tries}.`}`);
    choices.forEach((choice, at) => (choice.ariaPressed = String(KINDS[at][0] === also)));
  };
  place.classList.add("due-page");
  place.before(status);
  place.append(make("p", {}, ...choices));
  for (const box of boxes)
    if (box.matches(".prompt"))
      prompt(box, () => {
        box.removeAttribute("open");
        show();
        const following = boxes.find((other) => !other.hidden && !open.has(other));
        (following ? first("summary, input", following) : choices[0]).focus();
      });
  for (const box of questions) {
    const id = idOf(box);
    const said = live("p", "answered");
    first(".again", box).before(said);
    if (!box.matches(".question, :has(.d2lmini-answer)")) continue; // its code is written in its chapter
    const isDue = () => dueIds(load(), Date.now()).includes(id);
    // One that is not due is tried again with its own numbers.
    const step = isDue() || box.matches(".question") ? (recalls(load()).get(id)?.step ?? 0) : -1;
    // The first answer counts.
    (box.matches(".question") ? askAgain : askWithOtherNumbers)(box, step, (right, text) => {
      if (!isDue()) return step < 0 && keepAnswer(id, text, right);
      open.add(box);
      change((record) => (record.prompts[id] = next(recalls(record).get(id), right, Date.now())));
      tell(said, comesBack(id));
    });
  }
  forgetOthers(ids);
  watch(show);
}

export const review = () => select("article .all-prompts").forEach(fill);
