// What was read and answered, chapter by chapter.
import { say } from "../../../kernelfree/js/say.js";
import { make, select } from "./dom.js";
import { dueIds, secondTries } from "./schedule.js";
import { change, load, watch } from "./store.js";

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
 * A line beside a chapter in the list of chapters.
 * @param {HTMLElement} line
 */
function chapterLine(line) {
  const { page, asks = "", prompts = "" } = line.dataset;
  /** @param {string} list */
  const ids = (list) =>
    list
      .split(" ")
      .filter(Boolean)
      .map((id) => `${page}/${id}`);
  watch(() => {
    const all = load();
    const answered = ids(asks).filter((id) => all.answers[id]);
    const right = answered.filter((id) => all.answers[id].right);
    const due = dueIds(all, Date.now());
    const waiting = [...ids(prompts), ...ids(asks)].filter((id) => due.includes(id)).length;
    const parts = [];
    if (all.read[page ?? ""]) parts.push(say`read`);
    if (answered.length) parts.push(say`${answered.length} of ${ids(asks).length} answered, ${right.length} right`);
    parts.push(...secondTries(all, ids(asks)));
    if (waiting) parts.push(say`${waiting} due`);
    line.textContent = parts.join(" · ");
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

export function progress() {
  select("a.to-review").forEach(dueCount);
  select(".progress").forEach(chapterLine);
  select("article[data-page]").forEach(noteReading);
}
