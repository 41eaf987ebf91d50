// What a page does beyond being read. Everything here can fail and the text still reads.
import { say } from "../../kernelfree/js/say.js";
import { keepPlace, offerEdition } from "./edition.js";
import { whenDrawn } from "./figure.js";
import { button, make, select } from "./learn/dom.js";

const root = document.documentElement;

/**
 * Keep a choice of the reader's; without storage it lasts for this page.
 * @param {string} key
 * @param {string} value
 */
function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is forbidden or full.
  }
}

/**
 * A choice that was kept, if there is one.
 * @param {string} key
 */
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * The nearest element around the target of an event that a selector finds.
 * @param {Event} event
 * @param {string} selector
 */
function around({ target }, selector) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

/**
 * The place that an address names, in front of a figure's state.
 * @param {string} hash
 */
const placeOf = (hash) => document.getElementById(hash.slice(1).split("?")[0]);

// ---- buttons and links ---------------------------------------------------------------------------

/** @type {Record<string, () => void>} */
const ACTIONS = {
  theme() {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    store("theme", root.dataset.theme);
    showTheme();
  },
  checks() {
    store(CHECKS, stored(CHECKS) ? "" : "open");
    showChecks();
  },
  fullscreen: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
  print: () => print(),
};

/** The button says whether the page is dark. */
function showTheme() {
  for (const button of select("[data-do=theme]")) button.ariaPressed = String(root.dataset.theme === "dark");
}

const CHECKS = "checks";
/** The checks are lines, or all are open; the button says which. */
function showChecks() {
  const open = stored(CHECKS) === "open";
  for (const button of select("[data-do=checks]")) button.ariaPressed = String(open);
  for (const fold of select(".tag_hide-cell:not(.tag_solution) > details")) fold.toggleAttribute("open", open);
}

/** @param {MouseEvent} event */
function onClick(event) {
  ACTIONS[around(event, "[data-do]")?.dataset.do ?? ""]?.();
  // A place chosen from the contents on a phone: close them.
  if (around(event, "[popover] a")) around(event, "[popover]")?.hidePopover?.();
  const link = around(event, "a[href^='#']");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  unfold(link.hash);
  // A link to a state of a figure moves the figure, not the page; the focus goes with it.
  if (link.hash.includes("?")) focusFigure(link);
  else hold(placeOf(link.hash));
}

/**
 * Go to a figure, which has its own root; the way back leads to the link.
 * @param {HTMLAnchorElement} link
 */
function focusFigure(link) {
  const figure = placeOf(link.hash)?.closest("[data-alive]");
  const group = figure?.querySelector(":scope > div")?.shadowRoot?.querySelector("[role=group]");
  if (!(group instanceof HTMLElement)) return;
  history.replaceState({ ...history.state, link: [...document.links].indexOf(link) }, "");
  // What wakes meanwhile moves the page: the way back goes to the link, not to where that stood.
  history.scrollRestoration = "manual";
  setTimeout(() => (history.scrollRestoration = "auto")); // of the entry that the link makes
  group.tabIndex = -1;
  group.focus({ preventScroll: true });
}

/** @param {PopStateEvent} event */
function focusLink({ state }) {
  const link = document.links[state?.link];
  // After the figure, which is told of the address, too.
  if (link)
    setTimeout(() => {
      link.focus({ preventScroll: true });
      hold(link);
      history.scrollRestoration = "auto";
    });
}

// ---- code in other frameworks --------------------------------------------------------------------

const FRAMEWORK = "framework";

/**
 * The framework that a reader opens once is open wherever there is code of it.
 * @param {string} name
 * @param {Element} [except] a fold that opens by itself
 */
function openFramework(name, except) {
  for (const fold of select("details[data-framework]"))
    if (fold !== except) fold.toggleAttribute("open", fold.dataset.framework === name);
}

/** @param {MouseEvent} event */
function onFramework(event) {
  const line = around(event, "details[data-framework] > summary");
  const fold = line?.parentElement;
  if (!fold) return;
  const name = fold.hasAttribute("open") ? "" : (fold.dataset.framework ?? "");
  const { top } = line.getBoundingClientRect();
  openFramework(name, fold);
  // What opens above must not push away the line that was pressed.
  requestAnimationFrame(() => scrollBy({ top: line.getBoundingClientRect().top - top, behavior: "instant" }));
  store(FRAMEWORK, name);
}

// ---- folds ---------------------------------------------------------------------------------------

/**
 * Open the folds around a place.
 * @param {string} hash
 */
function unfold(hash) {
  const place = placeOf(hash);
  let fold = place?.matches(".fold") ? place.querySelector("details") : place?.closest("details");
  let closed = false;
  for (; fold; fold = fold.parentElement?.closest("details")) {
    closed ||= !fold.open;
    fold.open = true;
  }
  if (closed) place?.scrollIntoView();
}

/** Paper shows all folds. */
function unfoldForPrint() {
  /** @type {HTMLElement[]} */
  let closed = [];
  const open = () => {
    closed = select(".fold > details:not([open])");
    for (const fold of closed) fold.setAttribute("open", "");
  };
  addEventListener("beforeprint", open, true); // before figures are drawn for it
  addEventListener("afterprint", () => closed.forEach((fold) => fold.removeAttribute("open")));
}

// ---- the place that an address names -------------------------------------------------------------

/** @type {HTMLElement | null} */
let held = null;
let timer = 0;
const moved = new ResizeObserver(() => held?.scrollIntoView({ block: held.matches("a") ? "center" : "start" }));
const release = () => {
  held = null;
  moved.disconnect();
};

/**
 * What comes late (figures, fonts, skipped sections) must not push away the place that an address
 * names, or the link that the way back leads to. It is held until the reader acts, for five seconds
 * of a page that is loaded at most, and longer where the machine is busy.
 * @param {Element | null} place
 */
function hold(place) {
  held = place;
  if (!held) return;
  select("article")
    .slice(0, 1)
    .forEach((article) => moved.observe(article));
  clearTimeout(timer);
  timer = setTimeout(() => whenIdle(release), 5000);
}

// ---- what is wide, and code ----------------------------------------------------------------------

/** What scrolls sideways can be scrolled by keyboard; it is measured where it is laid out anyway. */
function watchWide() {
  const near = new IntersectionObserver(
    (entries) => {
      const shown = entries.filter((entry) => entry.isIntersecting).map(({ target }) => target);
      for (const box of shown) near.unobserve(box);
      for (const box of shown.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)) {
        box.setAttribute("tabindex", "0");
        if (box.querySelector(":scope > table"))
          Object.assign(box, { role: "group", ariaLabel: say`A table that scrolls sideways` });
      }
    },
    { rootMargin: "100%" },
  );
  const measure = () => {
    for (const box of select("pre, div.math, .pst-scrollable-table-container")) {
      near.unobserve(box);
      near.observe(box);
    }
  };
  measure();
  // Letters of a font that comes late are wider.
  document.fonts.addEventListener("loadingdone", measure);
}

/**
 * A button that copies the code of a box.
 * @param {Element} box
 */
function addCopyButton(box) {
  const copy = button(say`Copy`, async () => {
    await navigator.clipboard.writeText(box.querySelector("pre")?.textContent.trim() ?? "");
    copy.textContent = say`Copied`;
  });
  box.append(Object.assign(copy, { className: "copybtn" }));
}

/** Code that is seen gets such a button. */
function watchCode() {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      addCopyButton(target);
    }
  });
  if (navigator.clipboard) for (const box of select(":is(.cell_input, .elsewhere) .highlight")) seen.observe(box);
}

// ---- what is loaded when a button is pressed ----------------------------------------------------

const here = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
/** @type {Record<string, Promise<unknown>>} */
const brought = {};
/** A script of this folder, once. @param {string} file */
const bring = (file) =>
  (brought[file] ??= new Promise((onload) =>
    document.head.append(make("script", { src: new URL(file, here).href, onload })),
  ));

/**
 * A button of a part of the page; the script that it brings hears of each press.
 * @param {string} text
 * @param {string} file
 * @param {Element} part
 */
function opener(text, file, part) {
  const opener = button(text, async () => {
    await bring(file);
    part.dispatchEvent(new CustomEvent(file, { bubbles: true, detail: opener }));
  });
  return opener;
}

const EMBED = say`Embed`;
/** Each figure that has a page of its own can be put into a page elsewhere. */
function addEmbedButtons() {
  for (const figure of select("[data-alone]"))
    whenDrawn(figure, (tools) => {
      const embed = opener(EMBED, "embed.js", figure);
      embed.ariaExpanded = "false";
      tools.lastElementChild?.before(embed);
    });
}

const RUN = say`Run it here`;
/** So can each open cell of a chapter be run, and a figure's; not one that has a box for its answer, nor one that times. */
function addRunButtons() {
  for (const cell of select(
    "[data-numbered] :is(.cell:not([class*=hide-], :has(.d2lmini-answer)), .tag_hide-input:not(.hide-run):has(.kernelfree-figure))",
  )) {
    const next = cell.nextElementSibling;
    const place = cell.querySelector("details.hide") ?? cell;
    const line = next?.matches(".in-colab") ? next : place.appendChild(make("p", { className: "in-colab" }));
    line.prepend(opener(RUN, "here.js", cell), " ");
  }
  // It names the buttons of cells that the reader has changed.
  if (stored("attention-book-code")) bring("here.js");
}

// ---- a lesson ------------------------------------------------------------------------------------

/** The script that presents a chapter comes when the address asks for it, which it then reads itself. */
function present() {
  const [link] = select("a[data-script]:not([data-asked])");
  if (!link || !/^#present/.test(location.hash)) return;
  link.dataset.asked = "";
  document.head.append(Object.assign(document.createElement("script"), { src: link.dataset.script }));
}

// ---- once there is time --------------------------------------------------------------------------

const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));

/** Once the page is shown, the fonts of Chinese and of the math below. */
function loadLateFonts() {
  const fonts = document.querySelector(".katex") ? ["1em KaTeX_Main", "italic 1em KaTeX_Math"] : [];
  for (const font of fonts) document.fonts.load(font).catch(() => {}); // left before it came
  root.classList.remove("early");
}

/** In a long list of contents, this page. */
const showInContents = () => document.querySelector("#contents .current a")?.scrollIntoView({ block: "nearest" });

/** The section that is being read, among the headings on the right. */
function watchSections() {
  const links = new Map(select(".within a").map((link) => [link.getAttribute("href")?.slice(1), link]));
  /** @type {HTMLElement | undefined} */
  let current;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        current?.removeAttribute("aria-current");
        current = links.get(target.id);
        current?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0% -80% 0%" },
  );
  for (const section of select("section section")) if (links.has(section.id)) seen.observe(section);
}

showTheme();
document.addEventListener("click", onClick);
addEventListener("popstate", focusLink);
if (stored(CHECKS)) showChecks();
const framework = stored(FRAMEWORK);
if (framework) openFramework(framework);
document.addEventListener("click", onFramework);
unfold(location.hash);
addEventListener("hashchange", () => unfold(location.hash));
present();
addEventListener("hashchange", present);
addEventListener("keydown", ({ altKey, code }) => altKey && code === "KeyP" && select("a[data-script]")[0]?.click());
unfoldForPrint();
for (const act of ["pointerdown", "wheel", "keydown"]) addEventListener(act, release, { passive: true, capture: true });
// A page that is loaded again stays where it was.
const [navigation] = performance.getEntriesByType("navigation");
if (navigation instanceof PerformanceNavigationTiming && navigation.type === "navigate") hold(placeOf(location.hash));
watchWide();
watchCode();
addEmbedButtons();
addRunButtons();
addEventListener("load", () => {
  hold(held);
  whenIdle(loadLateFonts);
});
whenIdle(showInContents); // it needs the layout
keepPlace();
offerEdition();
watchSections();
