// What a reader has written in the page's editors. It is kept in this browser, in a room beside the answers.

const KEY = "attention-book-code";
const LONGEST = 50_000;
const EARLIER = 5;

/**
 * A cell's code; `old` is what it has replaced, the last first. What came from a file is not run by itself.
 * @typedef {{ code: string, at: number, old: string[], file?: boolean }} Kept
 */

/** What this page alone knows, where nothing can be kept. @type {Record<string, Kept>} */
let unsaved = {};

/** @param {any} given @returns {Kept | undefined} */
function valid({ code, at, old, file }) {
  if (typeof code !== "string" || !Number.isFinite(at)) return undefined;
  const texts = (Array.isArray(old) ? old : []).filter((text) => typeof text === "string");
  return { code: code.slice(0, LONGEST), at, old: texts.slice(0, EARLIER), ...(file === true && { file }) };
}

/** All that is kept: {cell: code}. @returns {Record<string, Kept>} */
export function load() {
  try {
    const given = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    return Object.fromEntries(given.map(([id, entry]) => [id, valid(entry ?? {})]).filter(([, entry]) => entry));
  } catch {
    return unsaved;
  }
}

/** @param {Record<string, Kept>} all */
function keep(all) {
  unsaved = all;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false; // no room, or none allowed: for as long as the page is open
  }
}

/**
 * Keep a cell's code. What stands there and is neither this nor what this page has `seen`, another tab has
 * written: it is set aside, and so is what is replaced as a whole.
 * @param {string} id
 * @param {string} code
 * @param {{ seen?: string, aside?: boolean, file?: boolean }} from
 */
export function write(id, code, { seen, aside = false, file = false }) {
  const all = load();
  const before = all[id];
  const lost = before && before.code !== code && (aside || before.code !== seen) ? [before.code] : [];
  const old = [...lost, ...(before?.old ?? []).filter((text) => text !== code && !lost.includes(text))];
  all[id] = { code, at: Date.now(), old: old.slice(0, EARLIER), ...(file && { file }) };
  return keep(all);
}

/** Call when another tab has written. @param {() => void} then */
export const watch = (then) => addEventListener("storage", ({ key }) => (key === KEY || key === null) && then());
