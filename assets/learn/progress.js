// What was read and answered, chapter by chapter; and how it is taken along.
import { due } from "./schedule.js";
import { change, counted, erase, keep, load, merged, sound, watch } from "./store.js";

/** The quiet number beside the link to the review: how many prompts are due. */
function number(link) {
  const sign = Object.assign(document.createElement("span"), { className: "due" });
  link.append(sign);
  const show = () => {
    const count = due(load().prompts, Date.now()).length;
    sign.textContent = count || "";
    link.ariaLabel = count ? `Review: ${count} due` : "Review";
  };
  watch(show);
  show();
}

/** A line beside a chapter in the list of chapters. */
function line(span) {
  const { page, asks = "", prompts = "" } = span.dataset;
  const ids = (list) =>
    list
      .split(" ")
      .filter(Boolean)
      .map((id) => `${page}/${id}`);
  const show = () => {
    const all = load();
    const answered = ids(asks).filter((id) => all.answers[id]);
    const right = answered.filter((id) => all.answers[id].right);
    const now = due(all.prompts, Date.now());
    const waiting = ids(prompts).filter((id) => now.includes(id)).length;
    const parts = [
      all.read[page] && "read",
      answered.length && `${answered.length} of ${ids(asks).length} answered, ${right.length} right`,
      waiting && `${waiting} due`,
    ];
    span.textContent = parts.filter(Boolean).join(" · ");
  };
  watch(show);
  show();
}

/** A chapter counts as read when its end is seen; in the one file others follow it. */
function read(article) {
  const { page, numbered } = article.dataset;
  if (numbered === undefined) return;
  const end = article.appendChild(document.createElement("div"));
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    if (!load().read[page]) change((all) => (all.read[page] = { at: Date.now() }));
  });
  seen.observe(end);
}

const MOST = 2_000_000; // letters: a record of every question of the book has some 50,000

/** The name of an exported file: the reader's own word, if there is one, and the date here. */
export function fileName(word, date) {
  const own = word
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${["attention-answers", own, ...day].filter(Boolean).join("-")}.json`;
}

/** Export, import and erase, on the page of the review. */
function transfer(place) {
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  const button = (text, deed) => {
    const one = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    one.addEventListener("click", deed);
    return one;
  };
  const word = Object.assign(document.createElement("input"), { type: "text", maxLength: 40, autocomplete: "off" });
  const label = document.createElement("label");
  label.append("A word for the file\u2019s name, if you like ", word);
  const file = Object.assign(document.createElement("input"), {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
  });
  file.addEventListener("change", async () => {
    const [given] = file.files;
    file.value = "";
    if (!given) return;
    try {
      if (given.size > MOST) throw new RangeError("too large");
      const record = JSON.parse(await given.text());
      const other = sound(record);
      keep(merged(load(), other));
      const { taken, left } = counted(record, other);
      status.textContent = `${taken} answers were read from the file; of two answers to one question the later was kept.`;
      if (left)
        status.textContent += ` ${left} were left out: they are no answers of this book, or their time is still to come.`;
    } catch {
      status.textContent = "This file holds no answers that this page has written. Nothing was changed.";
    }
  });
  const save = () => {
    const text = new Blob([JSON.stringify(load(), null, 1)], { type: "application/json" });
    const link = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(text),
      download: fileName(word.value, new Date()),
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const forget = () => {
    if (!confirm("Erase all answers and dates that this browser keeps of this book?")) return;
    erase();
    status.textContent = "All is erased.";
  };
  const root = document.documentElement.dataset.content_root;
  const deck = Object.assign(document.createElement("a"), {
    href: `${root}attention-prompts.txt`,
    download: "",
    textContent: "All prompts for Anki",
  });
  place.append(
    label,
    button("Export", save),
    button("Import", () => file.click()),
    button("Erase all", forget),
    ...(root === undefined ? [] : [deck]),
    file,
    status,
  );
}

export function progress() {
  document.querySelectorAll("a.to-review").forEach(number);
  document.querySelectorAll(".progress").forEach(line);
  document.querySelectorAll("article[data-page]").forEach(read);
  document.querySelectorAll(".answers-file").forEach(transfer);
}
