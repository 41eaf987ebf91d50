// Speaker's notes, in a window of their own: what to ask, what students say, and how long it takes.
import { say } from "../../../kernelfree/js/say.js";
import { make } from "../learn/dom.js";
import css from "./notes.css";

const WORDS = {
  title: say`Speaker's notes`,
  ask: say`Ask`,
  say: say`What students say`,
  next: (name) => say`Next: ${name}`,
  before: say`Ask before you turn`,
  end: say`the end`,
  none: say`No note here.`,
  earlier: say`From an earlier step`,
  planned: (now, all) => say`until ${now} of ${all} min`,
};

/**
 * @typedef {{ minutes?: number, ask?: string, say?: string }} Note
 * @typedef {{ units: { node: Element }[], name: string, stage?: number }} Step
 */

const two = (number) => String(number).padStart(2, "0");

export class Notes {
  /** @type {Window | null} */
  window = null;

  /** @param {HTMLElement} article */
  constructor(article) {
    this.began = Date.now();
    this.marks = Array.from(article.querySelectorAll("[class*='note-']"));
    this.page = article.dataset.page;
    const file = document.querySelector("a[data-notes]");
    // A script, since a page on a disk may read no other file; the one file of the book holds them.
    if (file instanceof HTMLElement && !globalThis.lessonNotes?.[this.page])
      document.head.append(make("script", { src: file.dataset.notes, onload: () => this.tell() }));
  }

  /** The place of the last mark that stands at or before a block. @param {Element} node */
  markOf(node) {
    const before = (mark) => mark === node || mark.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    return this.marks.findLastIndex(before);
  }

  /** @param {Element | undefined} mark @returns {Note} */
  noteOf(mark) {
    const [, cell] = /\bnote-(\d+)/.exec(mark?.className ?? "") ?? [];
    return globalThis.lessonNotes?.[this.page]?.[cell] ?? {};
  }

  /** Open the window, or bring it to the front. @param {(event: KeyboardEvent) => void} press */
  open(press) {
    if (this.window && !this.window.closed) return this.window.focus();
    this.window = window.open("", "lesson-notes", "popup,width=760,height=640");
    if (!this.window) return;
    const { document: page } = this.window;
    const sheet = new /** @type {any} */ (this.window).CSSStyleSheet();
    sheet.replaceSync(css);
    page.adoptedStyleSheets = [sheet];
    page.documentElement.lang = document.documentElement.lang;
    page.documentElement.dataset.theme = document.documentElement.dataset.theme;
    page.title = WORDS.title;
    this.clock = make("header", { className: "clock" });
    this.text = make("main");
    page.body.replaceChildren(this.clock, this.text);
    this.window.addEventListener("keydown", press);
    clearInterval(this.timer);
    this.timer = setInterval(() => this.tick(), 1000);
    this.tell();
  }

  /** The places that begin in a step. @param {Step} step @param {Step | undefined} previous */
  within(step, previous) {
    const start = previous ? this.markOf(previous.units.at(-1).node) + 1 : 0;
    return this.marks.slice(start, this.markOf(step.units.at(-1).node) + 1);
  }

  /** The nearest step, on or back, at which a note begins; the same if none does. */
  next(steps, at, way) {
    const begins = (step, i) => this.within(step, steps[i - 1]).length && (i - at) * way > 0;
    const found = [...steps.keys()].filter((i) => begins(steps[i], i));
    return found.at(way > 0 ? 0 : -1) ?? at;
  }

  /**
   * What is shown now, and what comes next.
   * @param {Step[]} steps @param {number} at @param {string} count
   */
  show(steps, at, count) {
    this.shown = { steps, at, count };
    this.tell();
  }

  tell() {
    if (!this.window || this.window.closed) return;
    const { steps, at, count } = this.shown;
    const [previous, step, next] = [steps[at - 1], steps[at], steps[at + 1]];
    const fresh = this.within(step, previous);
    // A part's note stands until the next one, paler.
    const marks = fresh.length ? fresh : this.marks.slice(0, this.markOf(step.units[0].node) + 1).slice(-1);
    const notes = marks.map((mark) => this.noteOf(mark));
    // What the next step will answer must be asked now.
    // (A figure whose question stays open is not moved: the step after that comes at once.)
    const after = steps.slice(at + 1).find(({ stage, units }) => !stage || units[0].node !== step.units[0].node);
    const coming = after ? this.within(after, step).filter((mark) => !marks.includes(mark)) : [];
    const part = (word, text) => (text ? [make("h2", {}, word), make("p", {}, text)] : []);
    const told = notes.flatMap(({ ask, say }) => [...part(WORDS.ask, ask), ...part(WORDS.say, say)]);
    const earlier = make("section", { className: "earlier" }, make("small", {}, WORDS.earlier), ...told);
    this.text.replaceChildren(
      make("h1", {}, step.name, " ", make("small", {}, count)),
      ...(fresh.length ? told : [notes.length ? earlier : make("p", {}, WORDS.none)]),
      make("p", { className: "next" }, WORDS.next(next?.name ?? WORDS.end)),
      ...coming.flatMap((mark) => part(WORDS.before, this.noteOf(mark).ask)),
    );
    const minutes = this.marks.map((mark) => this.noteOf(mark).minutes ?? 0);
    const sum = (list) => list.reduce((all, one) => all + one, 0);
    this.plan = sum(minutes)
      ? WORDS.planned(sum(minutes.slice(0, this.marks.indexOf(marks.at(-1)) + 1)), sum(minutes))
      : "";
    this.tick();
  }

  tick() {
    if (this.window.closed) return clearInterval(this.timer);
    const now = new Date();
    const seconds = Math.floor((now.getTime() - this.began) / 1000);
    const passed = `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
    this.clock.replaceChildren(
      make("b", {}, `${two(now.getHours())}:${two(now.getMinutes())}`),
      make("span", {}, passed),
      make("span", {}, this.plan),
    );
  }

  close() {
    clearInterval(this.timer);
    this.window?.close();
  }
}
