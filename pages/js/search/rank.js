// Which sections of the book a question is about: those that hold its rare words often, in pages that do.

/** @typedef {[place: string, heading: string, text: string, names: string]} Section the names are those in its code */
/** @typedef {[address: string, ...sections: Section[]]} Page */
/** @typedef {{ page: number, at: number, section: Section, score: number }} Hit */

// What people write around what they ask.
const AROUND =
  /^(an?|and|are|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|vs|what|when|where|which|why|with)$/;
const AROUND_HAN = /为什么|什么|怎么|怎样|如何|哪个|哪些|哪里|区别|可以|需要|[的是吗呢了]/gu;
const HAN = /\p{Script=Han}/u;
const [BEFORE, END, AFTER] = [/(?<!\p{Script=Latin})/u, /\p{Script=Latin}{0,4}/u, /(?!\p{Script=Latin})/u];
const BETWEEN = /[^\p{L}\p{N}]*/u;
const PARTS = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;

/** A word without its ending, and any ending: "mask", "masks" and "masking" find each other. @param {string} word */
function word(word) {
  const root = word.replace(/(ies|ing|ed|es|e|y|s)$/, "");
  const stem = root.length < 3 ? word : root.replace(/([^aeiouls])\1$/, "$1") + END.source;
  return BEFORE.source + stem + AFTER.source;
}

/** What is looked for: words, each two neighbours where there are no blanks, and the whole. @param {string} question */
export function terms(question) {
  const said = question.normalize("NFKC").toLowerCase().trim();
  const parts = said.replace(AROUND_HAN, " ").match(PARTS) ?? [];
  const found = parts.flatMap((part) => {
    if (HAN.test(part)) return [...part.slice(1)].map((sign, i) => part[i] + sign).concat(part[1] ? [] : part);
    return AROUND.test(part) ? [] : word(part);
  });
  const whole = said.match(PARTS)?.join(BETWEEN.source);
  return [...new Set(whole ? [...found, whole] : [])].map((term) => RegExp(term, "giu"));
}

/** How often each term is in a section; in a heading it counts more. @param {Section} section @param {RegExp[]} asked */
const counts = ([, heading, text, names], asked) =>
  asked.map((term) => (text.match(term)?.length ?? 0) + 4 * +(heading.search(term) >= 0) + +(names.search(term) >= 0));

/**
 * The sections that a question is about, best first; equal ones in the order of the book. A page that lacks much of
 * what another has is left out.
 * @param {Page[]} book
 * @param {string} question
 * @returns {Hit[]}
 */
export function rank(book, question) {
  const asked = terms(question);
  const found = book.map(([, ...sections]) => sections.map((section) => counts(section, asked)));
  const all = found.flat();
  const rare = asked.map((_, t) => Math.log(1 + all.length / (0.5 + all.filter((row) => row[t]).length)));
  const sum = (/** @type {(weight: number, t: number) => number} */ value) =>
    rare.reduce((total, weight, t) => total + value(weight, t), 0);
  // Often is better, in few words; but ten times is not ten times as good (BM25).
  const score = (/** @type {number[]} */ row, /** @type {number} */ enough) =>
    sum((weight, t) => (weight * row[t]) / (row[t] + enough));
  const rows = found.map((sections) => asked.map((_, t) => sections.reduce((total, row) => total + row[t], 0)));
  const held = rows.map((row) => row.filter(Boolean).length);
  const most = Math.max(...held);
  return book
    .flatMap(([, ...sections], page) =>
      sections.map((section, at) => {
        const [own, title] = [found[page][at], asked.every((term) => section[1].search(term) >= 0)];
        const close = score(own, 0.3 + section[2].length / 1000) + 2 * score(rows[page], 8);
        return { page, at, section, score: own.some(Boolean) ? close + +title * (at ? 10 : 20) : 0 };
      }),
    )
    .filter(({ page, score }) => score && held[page] >= most / 2)
    .sort((a, b) => b.score - a.score);
}
