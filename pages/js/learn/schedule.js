// When a prompt comes back: fixed steps, the same for all readers.
import { say } from "../../../kernelfree/js/say.js";
import { change, DAY, isPast, load } from "./store.js";

/** Days after each time that it was remembered in a row. */
export const STEPS = [5, 14, 30, 60];

/**
 * What is known of a prompt once it was answered.
 * @param {import("./store.js").Recall | undefined} known
 * @param {boolean} remembered
 * @param {number} now
 */
export function next(known, remembered, now) {
  const step = remembered ? Math.min((known?.step ?? 0) + 1, STEPS.length) : 0;
  return { step, due: now + DAY * (remembered ? STEPS[step - 1] : 1), at: now };
}

/**
 * All that comes back, by its id: prompts, and questions and exercises that were answered wrongly, however
 * old the record is. What a figure asks does not.
 * @param {import("./store.js").Answers} record
 * @returns {Map<string, import("./store.js").Recall>}
 */
export function recalls({ answers, prompts }) {
  const known = new Map(Object.entries(prompts));
  for (const [id, answer] of Object.entries(answers))
    if (!answer.right && isPast(answer) && !known.has(id) && !id.includes("/figure-"))
      known.set(id, next(undefined, false, answer.at));
  return known;
}

/**
 * The ids of what is due.
 * @param {import("./store.js").Answers} record
 * @param {number} now
 */
export const dueIds = (record, now) =>
  [...recalls(record)].filter(([, { due }]) => due !== null && due <= now).map(([id]) => id);

/**
 * Of some questions, how many that were answered wrongly wait to be answered again, and how many were
 * right when they came back; in words, if there are any.
 * @param {import("./store.js").Answers} record
 * @param {string[]} ids
 */
export function secondTries(record, ids) {
  const known = recalls(record);
  const steps = ids.flatMap((id) => known.get(id)?.step ?? []);
  const again = steps.filter((step) => !step).length;
  const parts = [];
  if (again) parts.push(say`${again} to try again`);
  if (steps.length > again) parts.push(say`${steps.length - again} came back right`);
  return parts;
}

/**
 * Keep what a reader has answered to an exercise.
 * @param {string} id
 * @param {string} choice what was typed
 * @param {boolean} right
 */
export function keepAnswer(id, choice, right) {
  // A right answer stays, whatever is tried afterwards; what was wrong once comes back all the same.
  if (!right && load().answers[id]?.right) return;
  change((record) => {
    const known = recalls(record).get(id);
    if (known) record.prompts[id] = known;
    record.answers[id] = { choice, right, at: Date.now() };
  });
}
