// What a reader has answered. It is kept in this browser and goes nowhere.
import { say } from "../../../kernelfree/js/say.js";

/**
 * An answer to a question: the place of the choice in the page's source, or what was typed.
 * @typedef {{ choice: number | string, right: boolean, at: number }} Answer
 * A prompt that was answered, or a question that was answered wrongly: how often it was known in a row
 * since, and when it comes back.
 * @typedef {{ step: number, due: number | null, at: number }} Recall
 * @typedef {{ at: number }} Reading
 * @typedef {{
 *   answers: Record<string, Answer>, prompts: Record<string, Recall>, read: Record<string, Reading>
 * }} Answers
 */

const KEY = "attention-book";
const UNREADABLE = `${KEY}-unreadable`;
const PLACE = `${KEY}-place`;
const LESSON = `${KEY}-lesson`; // present/kept.js
const CHANGED = "book-answers";
/** @type {(keyof Answers)[]} */
const PARTS = ["answers", "prompts", "read"];
const LONGEST = 200;
export const DAY = 86_400_000;
// What a clock may say, however wrong it is: a time before the year 2100.
const END = Date.UTC(2100);

/** @param {any} value */
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @param {any} value */
const isTime = (value) => Number.isFinite(value) && value >= 0 && value < END;
/** @param {any} value */
const isCount = (value) => Number.isInteger(value) && value >= 0;
/**
 * Clocks of two computers may differ by a day.
 * @param {{ at: number }} entry
 */
export const isPast = ({ at }) => at <= Date.now() + DAY;

/**
 * What an entry of each part must hold. All else is left out, whoever wrote it.
 * @type {Record<keyof Answers, (entry: any) => any>}
 */
const VALID = {
  answers: ({ choice, right, at }) =>
    (isCount(choice) || typeof choice === "string") &&
    typeof right === "boolean" &&
    isTime(at) && { choice: typeof choice === "string" ? choice.slice(0, LONGEST) : choice, right, at },
  prompts: ({ step, due, at }) =>
    isCount(step) && isTime(at) && (due === null || (isTime(due) && due - at < 400 * DAY)) && { step, due, at },
  read: ({ at }) => isTime(at) && { at },
};

/**
 * The valid entries of what was stored or imported; raises if it is no record of answers.
 * @param {any} given
 * @returns {Answers}
 */
export function validated(given) {
  if (!isRecord(given) || !PARTS.every((part) => isRecord(given[part] ?? {})))
    throw new TypeError("not a record of answers");
  const valid = empty();
  for (const part of PARTS)
    for (const [id, entry] of Object.entries(given[part] ?? {})) {
      const kept = isRecord(entry) && id.length < 100 && VALID[part](entry);
      if (kept) valid[part][id] = kept;
    }
  return valid;
}

/** @returns {Answers} */
const empty = () => ({ answers: Object.create(null), prompts: Object.create(null), read: Object.create(null) });

/**
 * @param {any} record
 * @param {(keyof Answers)[]} [parts]
 * @returns {{ at: number }[]}
 */
const entries = (record, parts = PARTS) => parts.flatMap((part) => Object.values(record[part] ?? {}));

/**
 * Both records in one: of two entries the later, and none of a time that is still to come.
 * @param {Answers} mine
 * @param {Answers} other
 */
export function merged(mine, other) {
  const both = validated(mine);
  for (const part of PARTS)
    for (const [id, entry] of Object.entries(other[part])) {
      const known = both[part][id];
      if (isPast(entry) && !(known && isPast(known) && known.at >= entry.at)) both[part][id] = entry;
    }
  return both;
}

/**
 * How many answers of a file are taken, and how many are left out.
 * @param {any} given
 * @param {Answers} valid
 */
export function counted(given, valid) {
  const [all, some] = [given, valid].map((record) => entries(record, ["answers", "prompts"]));
  const taken = some.filter(isPast).length;
  return { taken, left: all.length - taken };
}

/** @type {(why: string) => void} */
let report = () => {};
/**
 * Set who is told, once, that answers can't be kept.
 * @param {(why: string) => void} tell
 */
export const onTrouble = (tell) => (report = tell);
/** @param {string} why */
const reportOnce = (why) => {
  report(why);
  report = () => {};
};

/**
 * Where nothing can be kept: the answers for as long as the page is open.
 * @type {Answers | null}
 */
let unsaved = null;
/**
 * What was read last: the one file has hundreds of questions, and all ask.
 * @type {{ text: string | null, answers: Answers } | null}
 */
let cached = null;

/**
 * All that is known of this reader.
 * @returns {Answers}
 */
export function load() {
  if (unsaved) return unsaved;
  let text = null;
  try {
    text = localStorage.getItem(KEY);
    if (!cached || cached.text !== text) cached = { text, answers: parsed(text) };
    return cached.answers;
  } catch {
    if (text === null) {
      unsaved = empty();
      reportOnce(say`This browser lets no page keep anything: your answers last until you close it.`);
    } else {
      setAside(text);
      forget();
      reportOnce(
        say`What this browser kept of your answers could not be read. It was set aside, and answers are kept anew.`,
      );
    }
    return unsaved ?? empty();
  }
}

/**
 * What stands in the storage; raises if it can't be read.
 * @param {string | null} text
 */
function parsed(text) {
  const given = JSON.parse(text ?? "{}");
  const valid = validated(given);
  if (text !== null && entries(valid).length < entries(given).length) {
    // What is left out here would be gone with the next answer.
    setAside(text, valid);
    reportOnce(
      say`A part of what this browser kept of your answers could not be read. It was set aside, and the rest is here.`,
    );
  }
  return valid;
}

/**
 * A record that can't be read, or not as a whole, is not written over, nor are those before it.
 * @param {string} text
 * @param {Answers} [valid] what can be read of it
 */
function setAside(text, valid = empty()) {
  try {
    let name = UNREADABLE;
    for (let count = 2; localStorage.getItem(name) !== null; count++) {
      if (localStorage.getItem(name) === text) return;
      name = `${UNREADABLE}-${count}`;
    }
    localStorage.setItem(name, text);
  } catch {
    unsaved = valid; // no room: nothing is written over
  }
}

/** Remove what can't be read, once it is set aside. */
function forget() {
  if (unsaved) return;
  try {
    localStorage.removeItem(KEY);
  } catch {
    unsaved = empty();
  }
}

/**
 * Change what is kept. It is read again before, since another tab may have changed it.
 * @param {(answers: Answers) => void} edit
 */
export function change(edit) {
  const answers = load();
  edit(answers);
  keep(answers);
}

/** @param {Answers} answers */
export function keep(answers) {
  if (unsaved) unsaved = answers;
  else
    try {
      localStorage.setItem(KEY, JSON.stringify(answers));
    } catch {
      unsaved = answers;
      reportOnce(say`This browser has no room left: your answers last until you close this page.`);
    }
  dispatchEvent(new Event(CHANGED));
}

/**
 * Call now, and again when anything was answered, here or in another tab.
 * @param {() => void} show
 */
export function watch(show) {
  addEventListener(CHANGED, show);
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && show());
  show();
}

/** Keep where the reader is, `page#section`; nothing, to forget it. @param {string} place */
export function stopAt(place) {
  try {
    if (place) localStorage.setItem(PLACE, place);
    else localStorage.removeItem(PLACE);
  } catch {
    // It is not found again.
  }
}

/** Where the reader stopped. */
export function stoppedAt() {
  try {
    return localStorage.getItem(PLACE) ?? "";
  } catch {
    return "";
  }
}

/** Forget all answers, also those that could not be read, the place, and what was kept of lessons. */
export function erase() {
  unsaved = unsaved && empty();
  try {
    for (const name of Object.keys(localStorage))
      if ([KEY, PLACE, LESSON].includes(name) || name.startsWith(UNREADABLE)) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
  dispatchEvent(new Event(CHANGED));
}
