// The reader's own attention: the file that the steps fill, kept beside the code of cells and for all chapters.
import { say } from "../../../kernelfree/js/say.js";
import { button, make, save } from "../learn/dom.js";
import { load, write } from "./code.js";

const FILE = "my_attention.py";
export const MINE = "mine/my_attention";

/** Whether a cell is one of the steps. @param {string} book */
export const isStep = (book) => /\bcheck\.step\b/.test(book);

/** Its text; nothing of what came from a file, until the reader takes it. */
export const mine = () => (load()[MINE]?.file ? null : (load()[MINE]?.code ?? null));

/** @param {string | null} text what a run has left of it */
export function keepMine(text) {
  if (text && text !== mine()) write(MINE, text, { aside: true });
}

/** @param {string} text */
export const saves = (text) => button(say`Save ${FILE}`, () => save(text, "text/x-python", FILE));

/** Where it came from a file: its text, and a button that takes it. */
export function fromFile() {
  const kept = load()[MINE];
  if (!kept?.file) return [];
  const fold = make("details", {}, make("summary", {}, say`${FILE} came from a file`), make("pre", {}, kept.code));
  const take = button(say`I have read it: take it`, () => {
    write(MINE, kept.code, {});
    fold.remove();
  });
  fold.append(take);
  return [fold];
}
