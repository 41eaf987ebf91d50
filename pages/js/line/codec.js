// A reader's answers as one short line to paste, and back.
//
// The line is "attention=" and, in base64, a text that is packed as zlib does it, with its check sum:
//   1 3f9a20 491234            the format, the edition of the book, an hour, as hours since 1970
//   >masked_softmax 26 1       a page, its first hour after that one, the hour after this one when it was read
//   c9616c "3, 1, 0            an answer that was typed, and is right (a wrong one: 'text)
//   923898 2b                  the hour after the page's, and a choice: b, the second, wrong (a right one: B)
//   118b6d =1                  a prompt that was known once in a row (/1: one that no longer comes back)
// Hours that are 0 are left out. Of an id only the part behind the page is written, "figure-" as "~".
import { next } from "../learn/schedule.js";

const START = "attention=";
const FORMAT = "1";
const HOUR = 3_600_000;
const TYPED = 60; // letters of a typed answer
const LONGEST = 30_000; // letters of a line that is read
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const ID = /^([\w.-]+)\/([\w.-]+)$/;
const HEAD = /^(\d+) (\w*) (\d+)$/;
const PAGE = /^>([\w.-]+)(?: (\d*))?(?: (\d+))?$/;
const ENTRY = /^([\w.~-]+) (\d*)(?:([a-zA-Z])|(["'])(.*)|([=/])(\d+))$/;

/** @typedef {import("../learn/store.js").Answers} Answers */

/** @param {number} hours */
const unlessZero = (hours) => (hours ? String(hours) : "");

/** @param {import("../learn/store.js").Answer} answer */
function codeOfAnswer({ choice, right }) {
  if (typeof choice === "string") return `${right ? '"' : "'"}${choice.replace(/\s+/g, " ").slice(0, TYPED)}`;
  const letter = LETTERS[choice];
  return letter && (right ? letter.toUpperCase() : letter);
}

/** @param {import("../learn/store.js").Recall} recall */
const codeOfPrompt = ({ step, due }) => `${due === null ? "/" : "="}${step}`;

/**
 * What a record holds of each page: {page: [[own id, code, time], ...]}; without an id, when it was read.
 * @param {Answers} record
 * @param {string} only the page that is written, or all
 */
function byPage({ answers, prompts, read }, only) {
  /** @type {Map<string, [own: string, code: string, at: number][]>} */
  const pages = new Map();
  /** @type {(page: string, own: string, code: string, at: number) => void} */
  const put = (page, own, code, at) => {
    if (!code || (only && page !== only)) return;
    pages.set(page, [...(pages.get(page) ?? []), [own, code, at]]);
  };
  for (const [entries, codeOf] of /** @type {[any, any][]} */ ([
    [answers, codeOfAnswer],
    [prompts, codeOfPrompt],
  ]))
    for (const [id, entry] of Object.entries(entries)) {
      const [, page, own] = ID.exec(id) ?? [];
      if (page) put(page, own.replace(/^figure-/, "~"), codeOf(entry), entry.at);
    }
  for (const [page, { at }] of Object.entries(read)) if (ID.test(`${page}/a`)) put(page, "", "r", at);
  return pages;
}

/**
 * The text of a record, before it is packed.
 * @param {Answers} record
 * @param {string} edition
 * @param {string} only
 */
function written(record, edition, only) {
  const pages = byPage(record, only);
  /** @param {number} at */
  const hour = (at) => Math.floor(at / HOUR);
  /** @param {any[]} entries */
  const first = (entries) => Math.min(...entries.map(([, , at]) => hour(at)));
  const start = Math.min(...[...pages.values()].map(first));
  const lines = [`${FORMAT} ${edition} ${Number.isFinite(start) ? start : 0}`];
  for (const [page, entries] of pages) {
    const own = first(entries);
    const read = entries.find(([id]) => !id);
    lines.push(`>${page} ${unlessZero(own - start)}${read ? ` ${hour(read[2]) - own}` : ""}`.trimEnd());
    for (const [id, code, at] of entries) if (id) lines.push(`${id} ${unlessZero(hour(at) - own)}${code}`);
  }
  return lines.join("\n");
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} by
 */
const through = async (bytes, by) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(by)).arrayBuffer());

/**
 * The line of a record, or of what it holds of one page.
 * @param {Answers} record
 * @param {string} edition
 * @param {string} [only]
 */
export async function lineOf(record, edition, only = "") {
  const text = new TextEncoder().encode(written(record, edition, only));
  const packed = await through(text, new CompressionStream("deflate"));
  return `${START}${btoa(String.fromCharCode(...packed)).replace(/=+$/, "")}`;
}

/** Why a text is not read: `foreign`, `damaged` or, where a later edition has written it, `newer`. */
export class Unreadable extends Error {}

/**
 * The record of a line, and the edition that has written it; raises `Unreadable`.
 * @param {string} line
 * @returns {Promise<{ edition: string, record: any }>}
 */
export async function recordOf(line) {
  const bare = line.replace(/\s+/g, "");
  const at = bare.indexOf(START);
  if (at < 0 || bare.length > LONGEST) throw new Unreadable("foreign");
  let text = "";
  try {
    const packed = Uint8Array.from(atob(bare.slice(at + START.length)), (letter) => letter.charCodeAt(0));
    text = new TextDecoder().decode(await through(packed, new DecompressionStream("deflate")));
  } catch {
    throw new Unreadable("damaged");
  }
  return readText(text);
}

/** @param {string} text */
function readText(text) {
  const [head, ...lines] = text.split("\n");
  const [, format, edition, start] = HEAD.exec(head) ?? [];
  if (format !== FORMAT) throw new Unreadable(format ? "newer" : "damaged");
  /** @type {any} */
  const record = { answers: {}, prompts: {}, read: {} };
  let name = "";
  let first = 0;
  /** @param {string} hours after the page's first */
  const time = (hours) => (first + Number(hours)) * HOUR;
  for (const line of lines) {
    const page = PAGE.exec(line);
    const [, own, hours, letter, quote, typed, kind, step] = ENTRY.exec(line) ?? [];
    if (page) {
      name = page[1];
      first = Number(start) + Number(page[2] ?? 0);
      if (page[3]) record.read[name] = { at: time(page[3]) };
    } else if (own && name) {
      const id = `${name}/${own.replace("~", "figure-")}`;
      const at = time(hours);
      if (kind) record.prompts[id] = recall(Number(step), kind === "/", at);
      else if (quote) record.answers[id] = { choice: typed, right: quote === '"', at };
      else record.answers[id] = { choice: LETTERS.indexOf(letter.toLowerCase()), right: letter < "a", at };
    } else throw new Unreadable("damaged");
  }
  return { edition, record };
}

/** @type {(step: number, gone: boolean, at: number) => import("../learn/store.js").Recall} */
const recall = (step, gone, at) =>
  gone ? { step, due: null, at } : next({ step: step - 1, due: null, at }, step > 0, at);
