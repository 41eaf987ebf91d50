// The page's Python, in a worker: started once, stopped by ending it.
import { make } from "../learn/dom.js";

/**
 * What the build tells: where Python is, unless the book was built without, and the ids of each page's cells,
 * and how many seconds the slow ones take.
 * @typedef {{ folder?: string, megabytes?: string, language: string,
 *   pages: Record<string, { cells: string[], slow?: Record<string, number> }> }} Told
 * @typedef {import("../../../runhere/js/start.js").Done} Done
 * @typedef {import("../../../runhere/js/start.js").Drawn} Drawn
 * @typedef {{ sources: string[], at: number, skipped: number[], mine: string | null }} Cells
 * @typedef {Cells & { typed: string[], changed: number[], figures: number[] }} Asked
 */

const root = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
/** A file beside this script. @param {string} name */
export const beside = (name) => new URL(name, root).href;

/** @type {Map<string, Promise<unknown>>} */
const brought = new Map();
/** A classic script, once; one that failed is tried again. @param {string} src */
export function bring(src) {
  const found =
    brought.get(src) ??
    new Promise((onload, onerror) => document.head.append(make("script", { src, onload, onerror }))).catch((error) => {
      brought.delete(src);
      throw error;
    });
  brought.set(src, found);
  return found;
}

/** @type {Told | undefined} */
let told;
/** @type {any} */ (globalThis).attentionPython = (/** @type {Told} */ given) => (told = given);

/** @returns {Promise<Told>} */
export async function known() {
  await bring(beside("python/index.js"));
  return told;
}

/** @param {Told} told */
const folderOf = ({ folder }) => new URL(folder, beside("python/")).href;

/** Whether this browser has kept a start of it: then nothing is fetched. @param {Told} told */
export async function isKept(told) {
  try {
    return Boolean(await (await caches.open("attention-python")).match(`${folderOf(told)}snapshot`));
  } catch {
    return false; // it keeps nothing here
  }
}

/** @type {Worker | undefined} */
let worker;
/** @type {Promise<boolean> | undefined} */
let started;
/** @type {WebAssembly.Module | undefined} What the first worker has compiled, for those that come after it. */
let program;
/** @type {(stopped: Error) => void} */
let leave = () => {};

/**
 * Ask the worker; what is printed meanwhile is handed over.
 * @param {any} message
 * @param {(text: string) => void} hear
 * @returns {Promise<any>}
 */
const ask = (message, hear = () => {}) =>
  new Promise((resolve, reject) => {
    leave = reject;
    worker.onmessage = ({ data }) => {
      if (data.told !== undefined) hear(data.told);
      else if (data.failed) reject(new Error(data.failed));
      else resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message || "Python"));
    worker.postMessage(message);
  });

/** Start it; false where the host of the pages forbids it. @param {Told} told */
export function start(told) {
  started ??= (async () => {
    try {
      worker = new Worker(`${folderOf(told)}worker.js`, { type: "module" });
      const { refused, made } = await ask({ language: told.language, made: program });
      program = made;
      return !refused;
    } catch (error) {
      stop();
      throw error;
    }
  })();
  return started;
}

/**
 * Run a cell. Raises what `stop` was given.
 * @param {Asked} run
 * @param {(text: string) => void} hear
 * @returns {Promise<Done>}
 */
export const run = async (run, hear) => (await ask({ run }, hear)).done;

/**
 * The state of a figure, as its cell makes it now; what takes long tells how much of it is there.
 * @param {Cells & { figure: string, typed_in: object | null }} draw
 * @param {(done: string) => void} hear
 * @returns {Promise<Drawn>}
 */
export const draw = async (draw, hear) => (await ask({ draw }, hear)).done;

/** End it, whatever it does. */
export function stop(why = new Error()) {
  worker?.terminate();
  started = worker = undefined;
  leave(why);
}
