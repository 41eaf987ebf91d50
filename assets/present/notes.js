// Speaker's notes, in a window of their own: what to ask, what students say, and how long it takes.
import { make } from "../learn/dom.js";
import css from "./notes.css";

const WORDS = {
  title: "Speaker's notes",
  ask: "Ask",
  say: "What students say",
  next: "Next",
  end: "the end",
  none: "No note here.",
  planned: (now, all) => `plan ${now} of ${all} min`,
};

/**
 * @typedef {{ minutes?: number, ask?: string, say?: string }} Note
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

  /**
   * What is shown now, and what comes next.
   * @param {Element} node @param {string} name @param {string} count @param {string | undefined} next
   */
  show(node, name, count, next) {
    this.shown = { node, name, count, next };
    this.tell();
  }

  tell() {
    if (!this.window || this.window.closed) return;
    const { node, name, count, next } = this.shown;
    const place = this.markOf(node);
    const { ask, say } = this.noteOf(this.marks[place]);
    const part = (word, text) => (text ? [make("h2", {}, word), make("p", {}, text)] : []);
    this.text.replaceChildren(
      make("h1", {}, name, " ", make("small", {}, count)),
      ...part(WORDS.ask, ask),
      ...part(WORDS.say, say),
      ...(ask || say ? [] : [make("p", {}, WORDS.none)]),
      make("p", { className: "next" }, `${WORDS.next}: ${next ?? WORDS.end}`),
    );
    const minutes = this.marks.map((mark) => this.noteOf(mark).minutes ?? 0);
    const sum = (list) => list.reduce((all, one) => all + one, 0);
    this.plan = sum(minutes) ? WORDS.planned(sum(minutes.slice(0, place + 1)), sum(minutes)) : "";
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
