// What was read, where the reader stopped, and how much is due.
import { say } from "../../../kernelfree/js/say.js";
import { make, select } from "./dom.js";
import { dueIds } from "./schedule.js";
import { change, load, stopAt, watch } from "./store.js";

const READ = 10_000;

/**
 * The quiet number beside the link to the review: how many prompts and questions are due.
 * @param {HTMLElement} link
 */
function dueCount(link) {
  const sign = make("span", { className: "due" });
  link.append(sign);
  watch(() => {
    const count = dueIds(load(), Date.now()).length;
    sign.textContent = count ? `${count}` : "";
    link.ariaLabel = count ? say`Review: ${count} due` : say`Review`;
  });
}

/**
 * A chapter counts as read when its end is seen; in the one file others follow it.
 * @param {HTMLElement} article
 */
function noteReading(article) {
  const { page = "", numbered } = article.dataset;
  if (numbered === undefined) return;
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    if (!load().read[page]) change(({ read }) => (read[page] = { at: Date.now() }));
  });
  seen.observe(article.appendChild(make("div")));
}

/** A reader goes on with the section that was read for ten seconds, or used, last. In the one file its id begins with its article's. */
function notePlaces() {
  const sections = select("article[data-numbered] > section, article[data-numbered] > section > section");
  /** @param {Element | undefined} section */
  const note = (section) => {
    const page = section?.closest("article")?.dataset.page;
    if (page) stopAt(`${page}#${section.id.replace(/^p\d+-/, "")}`);
  };
  let timer = 0;
  const seen = new IntersectionObserver(
    (entries) => {
      const read = entries.findLast((entry) => entry.isIntersecting);
      if (!read) return;
      clearTimeout(timer);
      timer = setTimeout(note, READ, read.target);
    },
    { rootMargin: "-10% 0% -80% 0%" },
  );
  for (const section of sections) seen.observe(section);
  for (const type of ["click", "input"])
    document.addEventListener(type, ({ target }) =>
      note(sections.findLast((one) => one.contains(/** @type {Node} */ (target)))),
    );
}

export function progress() {
  select("a.to-review").forEach(dueCount);
  select("article[data-page]").forEach(noteReading);
  notePlaces();
}
