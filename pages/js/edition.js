// The same page in another language: at the same place, with its figure in the same state.
import { stateOf } from "./figure.js";
import { button, make, select } from "./learn/dom.js";

const LINK = "a.edition";
// What a reader has said of languages: any value means not to offer one again.
const KEY = "edition";
// The bar on top ends here.
const TOP = 52;

/** @param {Element} node */
const isSeen = (node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return node.checkVisibility() && top < 0.8 * innerHeight && bottom > TOP;
};

/** The place that is being read, as an address says it: a step of a lesson, a figure that was moved, a heading. */
function placeNow() {
  if (document.documentElement.matches(".presenting")) return location.hash;
  const moved = select("[id^=figure-]").find((figure) => isSeen(figure) && stateOf(figure));
  if (moved) return `#${encodeURI(moved.id)}${stateOf(moved)}`;
  if (scrollY < TOP) return "";
  const sections = select("section[id]").filter((section) => section.firstElementChild?.checkVisibility());
  const topOf = (/** @type {Element} */ section) => section.getBoundingClientRect().top;
  const read =
    sections.find((section) => topOf(section) > TOP && topOf(section) < 0.6 * innerHeight) ??
    sections.findLast((section) => topOf(section) <= TOP);
  return read ? `#${encodeURI(read.id)}` : "";
}

/** Let the links to other editions lead to where the reader is. @param {() => string} [place] */
export function keepPlace(place = placeNow) {
  for (const type of ["pointerover", "focusin", "click"])
    document.addEventListener(type, ({ target }) => {
      const link = target instanceof Element && target.closest(LINK);
      if (!(link instanceof HTMLAnchorElement)) return;
      link.hash = place();
      link.search = location.search;
      if (type === "click") keep();
    });
}

function keep() {
  try {
    localStorage.setItem(KEY, document.documentElement.lang);
  } catch {
    // Storage is forbidden: it is offered again.
  }
}

function isKept() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** A line for readers whose browser asks for the language of another edition; it can be sent away for ever. */
export function offerEdition() {
  const own = document.documentElement.lang;
  const short = (/** @type {string} */ tag) => tag.split("-")[0];
  const links = /** @type {HTMLAnchorElement[]} */ (select(LINK));
  const asked = navigator.languages
    .map(short)
    .find((tag) => [own, ...links.map((l) => l.lang)].map(short).includes(tag));
  const link = links.find(({ lang }) => short(lang) === asked);
  if (!link || isKept()) return;
  const { offer = "", close = "" } = link.dataset;
  const away = Object.assign(
    button("×", () => {
      keep();
      line.remove();
    }),
    { ariaLabel: close, title: close },
  );
  const there = /** @type {HTMLAnchorElement} */ (link.cloneNode());
  there.className = "edition";
  there.textContent = link.title;
  const line = make("p", { className: "offer", lang: link.lang }, offer, " ", there, away);
  link.after(line);
}
