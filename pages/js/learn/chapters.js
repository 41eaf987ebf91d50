// The list of chapters: what was answered in each, and where the reader stopped.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, make, select } from "./dom.js";
import { dueIds, secondTries } from "./schedule.js";
import { load, stopAt, stoppedAt, watch } from "./store.js";

/**
 * A line beside a chapter; it begins with a ring that is filled as exercises are done.
 * @param {HTMLElement} line
 */
function chapterLine(line) {
  const { page, questions = "", exercises = "", prompts = "" } = line.dataset;
  /** @param {string} list */
  const ids = (list) =>
    list
      .split(" ")
      .filter(Boolean)
      .map((id) => `${page}/${id}`);
  const asks = [...ids(questions), ...ids(exercises)];
  const ring = make("span", { role: "img" });
  watch(() => {
    const all = load();
    const answered = asks.filter((id) => all.answers[id]);
    const right = answered.filter((id) => all.answers[id].right);
    const due = dueIds(all, Date.now());
    const waiting = [...ids(prompts), ...asks].filter((id) => due.includes(id)).length;
    const parts = [];
    if (all.read[page ?? ""]) parts.push(say`read`);
    if (answered.length) parts.push(say`${answered.length} of ${asks.length} answered, ${right.length} right`);
    parts.push(...secondTries(all, asks));
    if (waiting) parts.push(say`${waiting} due`);
    const count = ids(exercises).length;
    const done = ids(exercises).filter((id) => right.includes(id)).length;
    ring.className = `ring ${done && (done < count ? "some" : "all")}`;
    ring.ariaLabel = ring.title = say`${done} of ${count} exercises done`;
    line.replaceChildren(...(parts.length ? [ring, parts.join(" · ")] : []));
  });
}

/** Below the title, where the reader stopped: the chapter as the list has it, last, and a section that it still has. */
function goOn() {
  const [page, section] = stoppedAt().split("#");
  const chapter = select(".progress").findLast(({ dataset }) => dataset.page === page);
  const link = chapter?.parentElement?.querySelector("a");
  if (!link) return;
  const name = JSON.parse(chapter.dataset.sections ?? "{}")[section];
  const href = link.getAttribute("href") ?? "";
  const place = name ? `${href}${href.startsWith("#") ? "-" : "#"}${section}` : href;
  const line = make(
    "p",
    { className: "go-on" },
    say`Go on where you stopped:`,
    " ",
    make("a", { href: place }, [link.textContent, name].filter(Boolean).join(" · ")),
    " ",
    Object.assign(
      button(say`Start over`, () => {
        stopAt("");
        line.remove();
      }),
      { title: say`Forgets this place; your answers stay` },
    ),
  );
  first("article h1", document).after(line);
}

export function chapters() {
  select(".progress").forEach(chapterLine);
  goOn();
}
