// When a prompt comes back: fixed steps, the same for all readers.
import { DAY } from "./store.js";

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
 * The ids of the prompts that are due.
 * @param {Record<string, import("./store.js").Recall>} prompts
 * @param {number} now
 */
export const dueIds = (prompts, now) =>
  Object.entries(prompts)
    .filter(([, { due }]) => due !== null && due <= now)
    .map(([id]) => id);
