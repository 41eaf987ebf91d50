// What a reader has written in the page's editors. It is kept in this browser, in a room beside the answers.

const KEY = "attention-book-code";
export const LONGEST = 50_000;
const EARLIER = 5;

/**
 * A cell's code; `old` is what it has replaced, the last first. What came from a file is not run by itself. `of` is
 * the stamp of the book's code that was changed; `same` where that was put back.
 * @typedef {{ code: string, at: number, old: string[], file?: boolean, of?: string, same?: boolean }} Kept
 */

/** What this page alone knows, once nothing can be kept. @type {Record<string, Kept> | undefined} */
let unsaved;

/** @param {any} given @returns {Kept | undefined} */
function valid({ code, at, old, file, of, same }) {
  if (typeof code !== "string" || !Number.isFinite(at)) return undefined;
  const texts = (Array.isArray(old) ? old : []).filter((text) => typeof text === "string");
  return {
    code: code.slice(0, LONGEST),
    at,
    old: texts.slice(0, EARLIER),
    ...(file === true && { file }),
    ...(same === true && { same }),
    ...stamped(of),
  };
}

/** @param {any} of */
const stamped = (of) => (/^[0-9a-z]{1,7}$/.test(of) ? { of: String(of) } : {});

// Each language has its own words in comments and strings.
const WORDS = /"""[\s\S]*?"""|#.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
/** What is another for other code, nearly always, but the same in all editions. @param {string} code */
export const stamp = (code) =>
  (
    Array.from(code.replace(WORDS, "")).reduce((sum, sign) => (Math.imul(sum, 31) + sign.codePointAt(0)) | 0, 0) >>> 0
  ).toString(36);

/** All that is kept: {cell: code}. @returns {Record<string, Kept>} */
export function load() {
  if (unsaved) return unsaved;
  try {
    const given = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    return Object.fromEntries(given.map(([id, entry]) => [id, valid(entry ?? {})]).filter(([, entry]) => entry));
  } catch {
    return {};
  }
}

/** @param {Record<string, Kept>} all */
function keep(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    unsaved = all; // no room, or none allowed: for as long as the page is open
    return false;
  }
}

/**
 * Keep a cell's code. What stands there and is neither this nor what this page has `seen`, another tab has
 * written: it is set aside, and so is what is replaced as a whole.
 * @param {string} id
 * @param {string} code
 * @param {{ seen?: string, aside?: boolean, file?: boolean, book?: string }} from
 */
export function write(id, code, { seen, aside = false, file = false, book }) {
  const all = load();
  const before = all[id];
  const lost = before && !before.same && before.code !== code && (aside || before.code !== seen) ? [before.code] : [];
  const old = [...lost, ...(before?.old ?? []).filter((text) => text !== code && !lost.includes(text))];
  all[id] = {
    code,
    at: Date.now(),
    old: old.slice(0, EARLIER),
    ...(file && { file }),
    ...(code === book && { same: true }),
    ...stamped(book && stamp(book)),
  };
  return keep(all);
}

const HEAD = /^# %% ([\w.-]+\/[\w.-]+)\n/m;

/** All of it, or of a chapter, and other cells as a Python file, whose parts notebooks and editors know as cells. */
export const asFile = (of = "", /** @type {Record<string, { code: string }>} */ others = {}) =>
  Object.entries({ ...load(), ...others })
    .filter(([id]) => id.startsWith(of))
    .map(([id, { code }]) => `# %% ${id}\n${code}\n`)
    .join("\n");

/** The parts of such a file. @param {string} text @returns {[id: string, code: string][]} */
export function partsOf(text) {
  const [, ...found] = text.replaceAll("\r\n", "\n").split(HEAD);
  return found.flatMap((id, at) => (at % 2 ? [] : [[id, found[at + 1].replace(/\n+$/, "")]]));
}

/** Take in what came from a file; whether it is kept. @param {[id: string, code: string][]} parts */
export const take = (parts) =>
  parts
    .filter(([id, code]) => load()[id]?.code !== code)
    .map(([id, code]) => write(id, code, { aside: true, file: true }))
    .every(Boolean);

/** Forget all of it. */
export function erase() {
  unsaved = undefined;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** Call when another tab has written. @param {() => void} then */
export const watch = (then) => addEventListener("storage", ({ key }) => (key === KEY || key === null) && then());
