// The page of the search. The text of the book comes with it, so that it works from a disk, too.
import { say } from "../../../kernelfree/js/say.js";
import { make, select } from "../learn/dom.js";
import { rank, terms } from "./rank.js";

const LONG = 240; // signs of an excerpt
const BEFORE = 60; // of them before the first that is marked
const MORE = 2; // other sections of a page that are named

/**
 * Where terms stand in a text: [start, end], in order, those that touch as one.
 * @param {string} text
 * @param {RegExp[]} asked
 */
function places(text, asked) {
  const found = asked.flatMap((term) =>
    [...text.matchAll(term)].map(({ 0: part, index }) => [index, index + part.length]),
  );
  /** @type {number[][]} */
  const joined = [];
  for (const [start, end] of found.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(end, last[1]);
    else joined.push([start, end]);
  }
  return joined;
}

/** The nearest beginning of a word before a place, if there are blanks. @param {string} text @param {number} at */
function blank(text, at) {
  const before = text.lastIndexOf(" ", at) + 1;
  return at - before < 20 ? before : at;
}

/**
 * A piece of a text with much of what was asked, marked.
 * @param {string} text
 * @param {RegExp[]} asked
 */
function excerpt(text, asked) {
  const found = places(text, asked);
  const near = (/** @type {number} */ at) =>
    found.reduce((sum, [start, end]) => sum + (start >= at && end < at + LONG - BEFORE ? end - start : 0), 0);
  const [best = 0] = found.toSorted(([a], [b]) => near(b) - near(a))[0] ?? [];
  const start = best > BEFORE ? blank(text, best - BEFORE) : 0;
  const end = start + LONG < text.length ? blank(text, start + LONG) : text.length;
  const piece = make("p", { className: "context" }, start ? "… " : "");
  let at = start;
  for (const [first, last] of found.filter(([first, last]) => first >= start && last <= end)) {
    piece.append(text.slice(at, first), make("mark", { textContent: text.slice(first, last) }));
    at = last;
  }
  piece.append(text.slice(at, end).trimEnd(), end < text.length ? " …" : "");
  return piece;
}

/** @param {string} text @param {RegExp[]} asked */
const holds = (text, asked) => asked.some((term) => text.search(term) >= 0);

/**
 * A page with the section that is most about the question, and others.
 * @param {import("./rank.js").Page} page
 * @param {import("./rank.js").Hit[]} hits
 * @param {RegExp[]} asked
 */
function result([address, [, title]], hits, asked) {
  const link = (/** @type {import("./rank.js").Hit} */ { at, section: [place, heading] }, text = heading) =>
    make("a", { href: at ? `${address}#${place}` : address }, text);
  const [best, ...others] = hits;
  // What a heading alone has found: words of a section that has them, or names in code. The whole question first.
  const texts = [...hits.map(({ section }) => section[2]), ...hits.map(({ section }) => section[3])];
  const marked = [asked.slice(-1), asked].find((terms) => texts.some((text) => holds(text, terms))) ?? [];
  const shown = texts.find((text) => holds(text, marked)) ?? best.section[2];
  const item = make("li", {}, link(best, best.at ? `${title} › ${best.section[1]}` : title), excerpt(shown, marked));
  if (others.length) {
    const more = others.slice(0, MORE).flatMap((hit) => [" · ", link(hit)]);
    item.append(make("p", { className: "more" }, say`Also: `, ...more.slice(1)));
  }
  return item;
}

/** Show what a question finds. @param {import("./rank.js").Page[]} book @param {string} question */
function show(book, question) {
  const hits = rank(book, question);
  const asked = terms(question);
  const pages = new Set(hits.map(({ page }) => page));
  const [status, list] = select("#search-results > *");
  status.textContent = pages.size
    ? say`Pages that are about it, the best first: ${pages.size}`
    : say`No page has these words. Try fewer, or others.`;
  for (const page of pages)
    list.append(
      result(
        book[page],
        hits.filter((hit) => hit.page === page),
        asked,
      ),
    );
}

// What the text of the book is handed to.
Object.assign(globalThis, {
  bookText(/** @type {import("./rank.js").Page[]} */ book) {
    const question = new URLSearchParams(location.search).get("q")?.trim();
    if (!question) return;
    for (const box of select("[name=q]")) box.setAttribute("value", question);
    show(book, question);
  },
});
