// What this device keeps of lessons: the step where each was left, whether it was cut, and hands that were counted.
const KEY = "attention-book-lesson";

/** @returns {{ steps?: Record<string, string>, cuts?: Record<string, boolean>, hands?: Record<string, number> }} */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Keep a value; nothing, to forget it. @param {"steps" | "cuts" | "hands"} part @param {string} name @param {any} value */
export function keep(part, name, value) {
  const all = kept();
  all[part] = { ...all[part], [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // It is not found again.
  }
}
