// The search is Sphinx's own. Here is what it asks of the theme and what it gets wrong.

// From a disk a page may not read the others, so there are no excerpts.
if (!location.protocol.startsWith("http")) DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// biome-ignore lint/correctness/noUnusedVariables: Sphinx's searchtools.js reads it
const SPHINX_HIGHLIGHT_ENABLED = false; // Sphinx's marks need storage, which may be forbidden

// Titles first: with every word that was asked for, of a page before those of its sections.
Scorer.score = ([, title, anchor, , score]) => {
  const own = title.split(" > ").at(-1).toLowerCase();
  const asked = splitQuery(new URLSearchParams(location.search).get("q").toLowerCase());
  return asked.every((word) => own.includes(word)) ? score + (anchor ? 100 : 200) : score;
};

// "constructor" is a word like any other: Sphinx looks words up in plain objects.
const { setIndex } = Search;
Search.setIndex = (index) => {
  for (const words of [index.terms, index.titleterms])
    Object.setPrototypeOf(words, Object.create(null, { hasOwnProperty: { value: Object.prototype.hasOwnProperty } }));
  setIndex(index);
};

const AROUND = 120;

/** The words that pairs of neighbours come from: "注意" and "意力" from "注意力". @param {string[]} words */
function joined(words) {
  const found = [];
  for (const word of words)
    if (found.length && word.length === 2 && /\p{Script=Han}/u.test(word) && found.at(-1).endsWith(word[0]))
      found.push(found.pop() + word[1]);
    else found.push(word);
  return found;
}

/** A piece of a page's text around the first of the words, with all of them marked. */
Search.makeSearchSummary = (page, words, anchor) => {
  const article = new DOMParser().parseFromString(page, "text/html").querySelector("article");
  const place = (anchor && article?.querySelector(`[id="${CSS.escape(anchor.slice(1))}"]`)) || article;
  // A formula stands in a page three times.
  place
    ?.querySelectorAll("h1, .headerlink, script, style, noscript, annotation, .katex-html")
    .forEach((one) => one.remove());
  const asked = RegExp(
    `(${joined([...words])
      .map(_escapeRegExp)
      .join("|")})`,
    "i",
  );
  const read = () => place?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const whole = read();
  place?.querySelectorAll("pre").forEach((code) => code.remove());
  const text = asked.test(read()) ? read() : whole; // code only where no sentence has the words
  const at = words.size ? Math.max(0, text.search(asked)) : 0;
  // From the beginning of a word to the end of one, where there are blanks.
  const before = text.indexOf(" ", at - AROUND) + 1;
  const start = at > AROUND ? (before > 0 && before <= at ? before : at - AROUND) : 0;
  const after = text.lastIndexOf(" ", at + AROUND);
  const end = after > at ? after : at + AROUND;
  const some = at + AROUND < text.length ? `${text.slice(start, end)} …` : text.slice(start);
  const summary = Object.assign(document.createElement("p"), { className: "context" });
  const parts = words.size ? some.split(asked) : [some];
  summary.append(
    start ? "… " : "",
    ...parts.map((part, i) => (i % 2 ? Object.assign(document.createElement("mark"), { textContent: part }) : part)),
  );
  return summary;
};
