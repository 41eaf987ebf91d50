// When a prompt comes back: fixed steps, the same for all readers.

const DAY = 86_400_000;
/** Days after each time that it was remembered in a row. */
export const STEPS = [5, 14, 30, 60];

/** What is known of a prompt once it was answered: `step` counts how often it was remembered in a row. */
export function next(known, remembered, now) {
  const step = remembered ? Math.min((known?.step ?? 0) + 1, STEPS.length) : 0;
  return { step, due: now + DAY * (remembered ? STEPS[step - 1] : 1), at: now };
}

/** The ids that are due. */
export const due = (prompts, now) =>
  Object.keys(prompts).filter((id) => prompts[id].due !== null && prompts[id].due <= now);
