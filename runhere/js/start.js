// Starts the page's Python, the first time or from a snapshot of its memory, and runs cells.
import { ask, forget } from "./steps.js";

/**
 * What a run has left, as page/cells.py, session.py and live.py tell it.
 * @typedef {{
 *   out: string, value: string, error: string, line: number | null, more: number, asks?: boolean,
 *   before: number[], on: number[], above?: number, right: boolean | null, touched: number[],
 *   mine: string | null
 * }} Done
 * @typedef {{ sources: string[], at: number, skipped?: number[], typed?: string[], changed?: number[], figures?: number[],
 *   mine?: string | null }} Given
 * What a figure has become, or why it has not: as page/figures.py tells it.
 * @typedef {Done & { state?: string, gone?: true, live?: true, lineless?: true, seconds?: number }} Drawn
 */

/**
 * @param {(options: object) => Promise<any>} loadPyodide
 * @param {string} indexURL where its files are
 * @param {Record<string, string | number[]>[]} rooms the stand-in and the book's modules, and words of a language
 * @param {Uint8Array} [snapshot] what `made` was of an earlier start with the same files
 * @param {{ language?: string, tell?: (text: string) => void }} [page] what it speaks, and who hears its prints
 */
export async function start(loadPyodide, indexURL, rooms, snapshot, { language = "en", tell = () => {} } = {}) {
  const python = await loadPyodide({ indexURL, ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }) });
  // Files are not in a snapshot.
  for (const [name, content] of rooms.flatMap(Object.entries)) {
    const path = `/room/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, typeof content === "string" ? content : Uint8Array.from(content));
  }
  if (!snapshot) python.runPython('import sys; sys.path.insert(0, "/room"); from page import live; live.prepare')(ask);
  const made = snapshot ?? python.makeMemorySnapshot();
  forget();
  python.runPython("live.begin")(language, ask, tell);
  /** @type {(name: string) => (given: object) => any} */
  const told = (name) => {
    const ask = python.runPython(`live.${name}`);
    return (given) => JSON.parse(ask(JSON.stringify(given)));
  };
  /** @type {{ run: (given: Given) => Done, draw: (given: Given & { figure: string, typed_in?: object | null }) => Drawn }} */
  const { run, draw } = { run: told("run"), draw: told("draw") };
  return { run, draw, made };
}
