// What a reader has answered. It is kept in this browser and goes nowhere.

const KEY = "attention-book";
const PARTS = ["answers", "prompts", "read"];
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isTime = (value) => Number.isFinite(value) && value >= 0;

// What an entry of each part must hold. All else is left out, whoever wrote it.
const KEPT = {
  answers: ({ choice, right, at }) =>
    typeof choice === "string" && typeof right === "boolean" && isTime(at) && { choice: choice.slice(0, 200), right, at },
  prompts: ({ step, due, at }) =>
    Number.isInteger(step) && step >= 0 && (due === null || isTime(due)) && isTime(at) && { step, due, at },
  read: ({ at }) => isTime(at) && { at },
};

/** The entries of what was stored or imported that are what they should be; throws if it is no record. */
export function sound(given) {
  if (!isRecord(given) || !PARTS.every((part) => isRecord(given[part] ?? {}))) throw new TypeError("not a record of answers");
  const all = {};
  for (const part of PARTS) {
    all[part] = Object.create(null);
    for (const [id, entry] of Object.entries(given[part] ?? {})) {
      const kept = isRecord(entry) && id.length < 100 && KEPT[part](entry);
      if (kept) all[part][id] = kept;
    }
  }
  return all;
}

/** Both records in one: of two entries the later. */
export function merged(one, other) {
  const all = sound(one);
  for (const part of PARTS)
    for (const [id, entry] of Object.entries(other[part])) if (!(all[part][id]?.at >= entry.at)) all[part][id] = entry;
  return all;
}

let said = () => {};
let here = null; // where nothing can be kept: for as long as the page is open
/** Who is told, once, that answers can't be kept. */
export const onTrouble = (tell) => (said = tell);
const trouble = (why) => {
  said(why);
  said = () => {};
};

let last = {}; // what was read last: the one file has hundreds of questions, and all ask

/** All that is known of this reader. */
export function load() {
  if (here) return here;
  let text = null;
  try {
    text = localStorage.getItem(KEY);
    if (text !== last.text) last = { text, all: sound(JSON.parse(text ?? "{}")) };
    return last.all;
  } catch (error) {
    if (text === null) here = sound({});
    else setAside(text);
    trouble(text === null ? "This browser lets no page keep anything: your answers last until you close it."
      : "What this browser kept of your answers could not be read. It was set aside, and answers are kept anew.");
    return here ?? sound({});
  }
}

/** A record that can't be read is not written over. */
function setAside(text) {
  try {
    localStorage.setItem(`${KEY}-unreadable`, text);
    localStorage.removeItem(KEY);
  } catch {
    here = sound({});
  }
}

/** Change what is kept. It is read again before, since another tab may have changed it. */
export function change(edit) {
  const all = load();
  edit(all);
  keep(all);
}

export function keep(all) {
  if (here) here = all;
  else
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      here = all;
      trouble("This browser has no room left: your answers last until you close this page.");
    }
  dispatchEvent(new Event("book-answers"));
}

/** Call back when anything was answered, here or in another tab. */
export function watch(callback) {
  addEventListener("book-answers", callback);
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && callback());
}

export function erase() {
  here = here && sound({});
  try {
    localStorage.removeItem(KEY);
    localStorage.removeItem(`${KEY}-unreadable`);
  } catch {
    // Nothing was kept.
  }
  dispatchEvent(new Event("book-answers"));
}
