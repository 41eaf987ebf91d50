// Answers are taken along in a file, or erased, on the page of the review.
import { say } from "../../../kernelfree/js/say.js";
import * as code from "../here/code.js";
import { button, live, make, save, select } from "./dom.js";
import { counted, erase, keep, load, merged, validated } from "./store.js";

const AS_LINE = say`As a line or a QR code`;
const NOT_LOADED = say`This part of the book could not be loaded. Press again to try again.`;
const LARGEST = 2_000_000; // letters: a record of every question of the book has some 50,000

/**
 * The name of an exported file: the reader's own word, if there is one, and the date here.
 * @param {string} word
 * @param {Date} date
 */
export function fileName(word, date) {
  const own = word
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${["attention-answers", own, ...day].filter(Boolean).join("-")}.json`;
}

/**
 * Take in a record; return what there is to say of it.
 * @param {any} record
 */
function take(record) {
  const other = validated(record);
  keep(merged(load(), other));
  const { taken, left } = counted(record, other);
  const told = say`${taken} answers were read; of two answers to one question the later was kept.`;
  return left
    ? say`${told} ${left} were left out: they are no answers of this book, or their time is still to come.`
    : told;
}

/**
 * Take in the answers of a file; return what there is to say of it.
 * @param {File} file
 */
async function importAnswers(file) {
  try {
    if (file.size > LARGEST) throw new RangeError("too large");
    const text = await file.text();
    const parts = code.partsOf(text);
    code.take(parts);
    return parts.length
      ? say`The code of ${parts.length} cells was read. None of it runs before you press Run there.`
      : take(JSON.parse(text));
  } catch {
    return say`This file holds no answers that this page has written. Nothing was changed.`;
  }
}

/**
 * The script that writes answers as one line and as a QR code; in the one file it is there already.
 * @param {string | undefined} src
 */
async function line(src) {
  const script = make("script", { src: src ?? "" });
  if (!("attentionLine" in globalThis))
    await new Promise((loaded, failed) => {
      Object.assign(script, { onload: loaded, onerror: failed });
      document.head.append(script);
    });
  return /** @type {any} */ (globalThis).attentionLine;
}

/** @param {HTMLElement} place */
function controls(place) {
  const status = live("p");
  const word = make("input", { type: "text", maxLength: 40, autocomplete: "off" });
  const chooser = make("input", { type: "file", accept: ".json,.py,application/json", hidden: true });
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.[0];
    chooser.value = ""; // so that the same file can be chosen again
    if (file) status.textContent = await importAnswers(file);
  });
  const eraseAll = () => {
    if (!confirm(say`Erase all answers, dates, code and lessons that this browser keeps of this book?`)) return;
    erase();
    code.erase();
    status.textContent = say`All is erased.`;
  };
  const asLine = button(AS_LINE, async () => {
    asLine.disabled = true;
    try {
      await (await line(place.dataset.line))(place, load, take);
      asLine.remove();
      select(".line select", place).forEach((chooser) => chooser.focus());
    } catch {
      status.textContent = NOT_LOADED;
      asLine.disabled = false;
    }
  });
  place.append(
    make("label", {}, say`A word for the file\u2019s name, if you like `, word),
    button(say`Export`, () => {
      const record = JSON.stringify({ edition: place.dataset.edition, ...load() }, null, 1);
      save(record, "application/json", fileName(word.value, new Date()));
    }),
    button(say`Export my code`, () => {
      const text = code.asFile();
      if (!text) status.textContent = say`You have written no code in the book’s pages yet.`;
      else
        save(text, "text/x-python", fileName(word.value, new Date()).replace("answers", "code").replace("json", "py"));
    }),
    button(say`Import`, () => chooser.click()),
    asLine,
    button(say`Erase all`, eraseAll),
  );
  const root = document.documentElement.dataset.content_root;
  if (root !== undefined)
    place.append(make("a", { href: `${root}attention-prompts.txt`, download: "" }, say`All prompts for Anki`));
  place.append(chooser, status);
}

export const transfer = () => select(".answers-file").forEach(controls);
