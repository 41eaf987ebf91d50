// What a reader has answered. It is kept in this browser and goes nowhere.

const KEY = "attention-book";
const PARTS = ["answers", "prompts", "read"];
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
// What a clock may say, however wrong it is: a time before the year 2100.
const END = Date.UTC(2100);
const isTime = (value) => Number.isFinite(value) && value >= 0 && value < END;
// Clocks of two computers may differ by a day.
const DAYS = 86_400_000;
const isPast = ({ at }) => at <= Date.now() + DAYS;

// What an entry of each part must hold. All else is left out, whoever wrote it.
const KEPT = {
  answers: ({ choice, right, at }) =>
    typeof choice === "string" &&
    typeof right === "boolean" &&
    isTime(at) && { choice: choice.slice(0, 200), right, at },
  prompts: ({ step, due, at }) =>
    Number.isInteger(step) &&
    step >= 0 &&
    isTime(at) &&
    (due === null || (isTime(due) && due - at < 400 * DAYS)) && { step, due, at },
  read: ({ at }) => isTime(at) && { at },
};

/** The entries of what was stored or imported that are what they should be; raises if it is no record. */
export function sound(given) {
  if (!isRecord(given) || !PARTS.every((part) => isRecord(given[part] ?? {})))
    throw new TypeError("not a record of answers");
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

const entries = (all, parts = PARTS) => parts.flatMap((part) => Object.entries(all[part] ?? {}));

/** Both records in one: of two entries the later, and none of a time that is still to come. */
export function merged(one, other) {
  const all = sound(one);
  for (const part of PARTS)
    for (const [id, entry] of Object.entries(other[part])) {
      const known = all[part][id];
      if (isPast(entry) && !(known && isPast(known) && known.at >= entry.at)) all[part][id] = entry;
    }
  return all;
}

/** How many answers of a file are taken, and how many are left out. */
export function counted(given, other) {
  const [all, some] = [given, other].map((record) => entries(record, ["answers", "prompts"]));
  const taken = some.filter(([, entry]) => isPast(entry)).length;
  return { taken, left: all.length - taken };
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
    if (text !== last.text) {
      const given = JSON.parse(text ?? "{}");
      last = { text, all: sound(given) };
      // What is left out here would be gone with the next answer.
      if (entries(last.all).length < entries(given).length) {
        setAside(text);
        trouble(
          "A part of what this browser kept of your answers could not be read. It was set aside, and the rest is here.",
        );
      }
    }
    return last.all;
  } catch (_error) {
    if (text === null) here = sound({});
    else {
      setAside(text);
      forget();
    }
    trouble(
      text === null
        ? "This browser lets no page keep anything: your answers last until you close it."
        : "What this browser kept of your answers could not be read. It was set aside, and answers are kept anew.",
    );
    return here ?? sound({});
  }
}

const ASIDE = `${KEY}-unreadable`;

/** A record that can't be read, or not as a whole, is not written over, nor are those before it. */
function setAside(text) {
  try {
    const names = [ASIDE];
    while (localStorage.getItem(names[0]) !== null) {
      if (localStorage.getItem(names[0]) === text) return;
      names.unshift(`${ASIDE}-${names.length + 1}`);
    }
    localStorage.setItem(names[0], text);
  } catch {
    here = last.text === text ? last.all : sound({}); // no room: nothing is written over
  }
}

function forget() {
  if (here) return;
  try {
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
    for (const name of Object.keys(localStorage))
      if (name === KEY || name.startsWith(ASIDE)) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
  dispatchEvent(new Event("book-answers"));
}
