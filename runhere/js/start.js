// Starts the page's Python, the first time or from a snapshot of its memory, and runs cells.
import { ask } from "./steps.js";

// What is imported before a snapshot is made: nothing of JavaScript's may be alive in it.
const FIRST = `
import sys
sys.path.insert(0, "/room")
from page import absent, book, cells
absent.do_without(book.DRAWN, book.KEPT)
import torch.engine
from d2lmini import masked_softmax
SPACE = {"__name__": "__main__"}
`;

/**
 * @param {(options: object) => Promise<any>} loadPyodide
 * @param {string} indexURL where its files are
 * @param {ArrayBuffer | Uint8Array} modules the archive of the stand-in and the book's modules
 * @param {Uint8Array} [snapshot] what `made` was of an earlier start with the same files
 */
export async function start(loadPyodide, indexURL, modules, snapshot) {
  const python = await loadPyodide({ indexURL, ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }) });
  python.unpackArchive(new Uint8Array(modules), "zip", { extractDir: "/room" }); // files are not in a snapshot
  if (!snapshot) python.runPython(FIRST);
  const made = snapshot ?? python.makeMemorySnapshot();
  python.runPython("torch.engine.PAGE").set("ask", ask);
  const cells = python.runPython("lambda source: __import__('json').dumps(cells.run(source, SPACE))");
  /** @type {(source: string) => {out: string, value: string, error: string, line: number | null}} */
  const run = (source) => JSON.parse(cells(source));
  return { run, made };
}
