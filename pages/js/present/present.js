// A chapter as a lesson: its own blocks, one step on each screen. Nothing is copied or built anew, so figures
// and answers keep their state. The page's address says which step: #present-12, the number of a block.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, live, make, select } from "../learn/dom.js";
import { alive, fit, hang, isFigure, isOpen, isTrace, prepare, readable, unfit } from "./figures.js";
import { Hands } from "./hands.js";
import { keep, kept } from "./kept.js";
import { clock, cut, paceOf } from "./minutes.js";
import { Notes } from "./notes.js";
import { Overview } from "./overview.js";
import { Pointer } from "./pointer.js";
import css from "./present.css";
import { PICTURE, stepsOf, TRAP, textOf, unitsOf, wordsOf } from "./steps.js";

const WORDS = {
  back: say`Back`,
  on: say`On`,
  lesson: say`Lesson`,
  leave: say`Leave the lesson`,
  step: (at, all) => say`Step ${at} of ${all}`,
  steps: say`All steps`,
  open: (name) => say`Open: ${name}`,
  shut: (name) => say`Close: ${name}`,
  none: say`There is nothing to open or close here.`,
  point: say`Pointer`,
  black: say`Black screen`,
};
const ADDRESS = /^#(p\d+-)?present(?:-(\d+)(?:\.(\d+))?)?$/;
// How much larger than usual the text of a short step may be.
const MOST = 1.5;
// And how much smaller a wide table or formula.
const LEAST = 0.74;
const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
const root = document.documentElement;

class Lesson {
  /** @type {import("./steps.js").Step[]} */
  steps = [];
  at = 0;

  /** @param {HTMLElement} article */
  constructor(article) {
    this.article = article;
    this.units = unitsOf(article);
    this.prefix = article.id ? `${article.id}-` : "";
    this.heard = new AbortController();
    const { signal } = this.heard;
    this.hands = new Hands();
    this.notes = new Notes(article);
    cut(this.units, this.notes.marks);
    this.pointer = new Pointer(signal);
    this.dark = make("dialog", { className: "lesson-black", ariaLabel: WORDS.black });
    this.dark.addEventListener("click", () => this.dark.close());
    this.dark.addEventListener("close", () => this.focus());
    this.overview = new Overview(
      (at) => this.go(Math.min(Math.max(at, 0), this.steps.length - 1)),
      () => {
        keep("cuts", article.dataset.page, this.overview.only.checked);
        this.lay();
        this.overview.show(this.entries(), this.at);
      },
      () => this.focus(),
    );
    this.overview.only.checked = kept().cuts?.[article.dataset.page] ?? false;
    this.status = live("p", "lesson-status");
    this.line = make("div", { className: "lesson-line", ariaHidden: "true" });
    this.count = make("span", { ariaHidden: "true" });
    const go = (text, name, onclick, key = "") =>
      Object.assign(button(text, onclick), { ariaLabel: name, title: key ? `${name} (${key})` : name });
    this.unfolds = go("+", "", () => this.unfold());
    this.points = go("●", WORDS.point, () => this.point(), "P");
    this.points.ariaPressed = "false";
    this.bar = make(
      "div",
      { className: "lesson-bar", role: "group", ariaLabel: WORDS.lesson },
      go("‹", WORDS.back, () => this.turn(-1)),
      this.count,
      go("›", WORDS.on, () => this.turn(1)),
      this.unfolds,
      go("☰", WORDS.steps, () => this.list(), "O"),
      this.points,
      go("■", WORDS.black, () => this.dark.showModal(), "B"),
      go("×", WORDS.leave, () => this.leave()),
      ...select("a.edition").map((link) => link.cloneNode(true)),
      this.status,
      this.line,
    );
    addEventListener("keydown", (event) => this.press(event), { signal });
    addEventListener("resize", (event) => event.isTrusted && this.lay(), { signal });
    this.touch(signal);
  }

  enter() {
    // An answer that is opened takes room.
    this.article.addEventListener("toggle", () => this.steps[this.at] && this.size(this.steps[this.at]), {
      capture: true,
      signal: this.heard.signal,
    });
    // Of the folds only traps are open, and those that the class asks for.
    this.folds = new Map(this.units.flatMap(({ fold }) => (fold ? [[fold, fold.open]] : [])));
    for (const fold of this.folds.keys()) fold.open = fold.matches(TRAP);
    for (const picture of this.article.querySelectorAll("img")) picture.loading = "eager";
    root.classList.add("presenting");
    this.article.classList.add("lesson");
    this.article.after(this.bar, this.hands.node, this.overview.node, this.dark, this.pointer.node);
    alive();
    for (const { node } of this.units) if (isTrace(node)) hang(node, true);
    this.lay();
    // Figures take their room a frame later, and fonts come late.
    requestAnimationFrame(() => requestAnimationFrame(() => lesson === this && this.lay()));
    document.fonts.addEventListener("loadingdone", () => this.lay(), { signal: this.heard.signal });
  }

  /** Lay the steps out for this screen, and show the one with the block that was shown. */
  lay(to = this.steps[this.at] && this.where) {
    this.clear(); // what is shown now must not change what is measured
    this.article.classList.add("measured");
    this.article.style.setProperty("--read", String(readable()));
    this.set(1, 0);
    for (const { node } of this.units) reset(node);
    const style = getComputedStyle(this.article);
    const gap = Number.parseFloat(getComputedStyle(root).fontSize);
    const height = innerHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
    this.steps = stepsOf(
      this.planned.filter((unit) => !closed(unit)),
      height,
      gap,
    );
    this.pace = paceOf(this.steps);
    this.article.classList.remove("measured");
    if (to) this.go(this.placeOf(to.unit, to.nth), false);
  }

  /** The blocks of the lesson, folded or not. */
  get planned() {
    return this.overview.only.checked ? this.units.filter((unit) => unit.cut) : this.units;
  }

  /**
   * The step that shows a block, or the next that is shown.
   * @param {number} at @param {number} [nth] of those that begin with it
   */
  placeOf(at, nth = 0) {
    const from = this.units.slice(
      Math.max(
        0,
        this.units.findIndex((one) => one.at === at),
      ),
    );
    const unit = from.find((one) => this.planned.includes(one) && !closed(one))?.at;
    const begin = this.steps.findIndex(({ units }) => units.some(({ at }) => at === unit));
    if (begin < 0) return this.steps.length - 1;
    const own = this.steps.filter(({ units }) => units[0].at === unit).length;
    return begin + Math.min(nth, Math.max(0, own - 1));
  }

  /** The block that a step begins with, and the how manieth of those that do so it is. */
  get where() {
    const [{ at }] = this.steps[this.at].units;
    return { unit: at, nth: this.at - this.steps.findIndex(({ units }) => units[0].at === at) };
  }

  /** The step of a place in the page. @param {Element} place */
  placeAround(place) {
    const unit =
      this.units.find(({ node }) => node.contains(place)) ??
      this.units.find(({ node }) => place.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
    return unit ? this.placeOf(unit.at, Number(isFigure(unit.node) && !isOpen(unit.node))) : 0;
  }

  /** The closed fold that comes next, or the fold that this step stands in. */
  get fold() {
    const [{ fold }] = this.steps[this.at].units;
    const last = this.steps[this.at].units.at(-1).at;
    const next = this.planned[this.planned.findIndex(({ at }) => at === last) + 1];
    return (next && closed(next)) ?? fold;
  }

  /** Open a fold, and show its first step; or close it, and show the step before. */
  unfold(fold = this.fold) {
    if (!fold) return (this.status.textContent = WORDS.none);
    fold.open = !fold.open;
    const inside = this.units.findIndex(({ node }) => fold.contains(node));
    if (fold.open) this.lay({ unit: this.units[inside].at, nth: 0 });
    else this.lay({ unit: this.units.slice(0, inside).findLast((unit) => !closed(unit))?.at ?? 0, nth: 99 });
    this.focus();
  }

  /** All steps and closed folds, in the page's order. @returns {import("./overview.js").Entry[]} */
  entries() {
    const folds = new Set();
    return this.planned.flatMap((unit) => {
      const fold = closed(unit);
      if (!fold)
        return this.steps.flatMap(({ units: [one], name, begin }, at) =>
          one.at === unit.at
            ? [{ name, text: textOf(begin), cut: unit.cut, seconds: this.pace[at], act: () => this.go(at) }]
            : [],
        );
      if (folds.has(fold)) return [];
      folds.add(fold);
      return [{ text: nameOf(fold), act: () => this.unfold(fold) }];
    });
  }

  /** The overview. @param {string} [typed] */
  list(typed = "") {
    this.overview.open(this.entries(), this.at, typed);
  }

  point() {
    this.points.ariaPressed = String(this.pointer.toggle());
  }

  turn(by) {
    const open = (step) => step?.stage && isFigure(step.units[0].node) && isOpen(step.units[0].node);
    let at = this.at + by;
    // A figure whose question is open is not moved yet.
    while (open(this.steps[at])) at += by;
    if (this.steps[at]) this.go(at);
  }

  /** Show the step of an address, also in a fold. @param {number | string} unit @param {number | string} nth */
  visit(unit = 0, nth = 0) {
    const one = this.units.find(({ at }) => at === Number(unit));
    if (one && (closed(one) || !this.planned.includes(one))) {
      this.overview.only.checked = false;
      for (let up = one.fold; up; up = up.parentElement.closest("details")) up.open = true;
      this.lay();
    }
    this.go(this.placeOf(Number(unit), Number(nth)));
  }

  /** No step is shown. */
  clear() {
    const marks = ["shown", "way", "late", "gone", "down", "above"];
    this.article.classList.remove("way", "alone");
    for (const node of select(marks.map((mark) => `.${mark}`).join(), this.article)) node.classList.remove(...marks);
  }

  /** Show a step. @param {number} at */
  go(at, focus = true) {
    this.at = at;
    const { units, late } = this.steps[at];
    this.clear();
    unfit();
    const heads = new Set(units.flatMap((unit) => unit.heads));
    for (const node of [...heads, ...units.map((unit) => unit.node)]) {
      node.classList.add("shown");
      for (let up = node.parentElement; up && !up.classList.contains("way"); up = up.parentElement) {
        up.classList.add("way");
        if (up === this.article) break;
      }
    }
    for (const { node, part } of units) {
      reset(node);
      for (const row of part.gone ?? []) row.classList.add("gone");
      if (part.from !== undefined) clip(node, part);
    }
    for (const node of late) node.classList.add("late");
    units[0].node.classList.add("down");
    const [{ node, alone }] = units;
    this.article.classList.toggle("alone", alone);
    const own = [...heads];
    const head = own.at(-1);
    for (const one of own) one.classList.toggle("above", one !== head);
    scrollTo(0, 0);
    if (focus) this.focus();
    this.size(this.steps[at]);
    this.hands.show(node);
    const { unit, nth } = this.where;
    history.replaceState(history.state, "", `#${this.prefix}present-${unit}${nth ? `.${nth}` : ""}`);
    keep("steps", this.article.dataset.page, at < this.steps.length - 1 ? `${unit}.${nth}` : undefined);
    const { fold } = this;
    this.unfolds.hidden = !fold;
    if (fold) {
      const name = (fold.open ? WORDS.shut : WORDS.open)(nameOf(fold));
      Object.assign(this.unfolds, { ariaLabel: name, title: `${name} (F)`, textContent: fold.open ? "−" : "+" });
    }
    this.status.textContent = WORDS.step(at + 1, this.steps.length);
    this.count.textContent = `${at + 1} / ${this.steps.length}`;
    this.line.style.setProperty("--done", String((at + 1) / this.steps.length));
    this.notes.show(this.steps, at, `${this.count.textContent} · ${clock(this.pace[at])}`);
    cancelIdleCallback?.(this.idle);
    this.idle = whenIdle(() => this.prepare());
  }

  /** The step has the focus: the words of its heading, since a summary would take the space bar. */
  focus() {
    const words = wordsOf(this.steps[this.at].units[0]);
    words.tabIndex = -1;
    words.focus({ preventScroll: true });
  }

  /** The size of the text, and how far below its heading it begins. */
  set(size, down) {
    this.article.style.setProperty("--size", String(size));
    this.article.style.setProperty("--down", `${down}px`);
  }

  /**
   * Text as large as it fits; what leaves much of the screen empty stands a little below the top.
   * @param {import("./steps.js").Step} step
   */
  size({ units, stage }) {
    this.set(1, 0);
    const [{ node }] = units;
    const end = innerHeight - Number.parseFloat(getComputedStyle(this.article).paddingBottom);
    const free = () => end - units.at(-1).node.getBoundingClientRect().bottom;
    const sink = (share) => this.article.style.setProperty("--down", `${Math.max(0, free() * share)}px`);
    if (isFigure(node))
      return fit(node, stage, end, () => {
        this.set(1, 0);
        sink(0.5);
        this.hands.place();
      });
    if (units.some((unit) => unit.node.matches(PICTURE))) {
      this.article.style.setProperty("--picture", "0px");
      this.article.style.setProperty("--picture", `${free()}px`);
      return;
    }
    const wide = () => units.some((unit) => unit.node.scrollWidth > unit.node.clientWidth + 1);
    const room = end - node.getBoundingClientRect().top;
    const code = units.some((unit) => unit.node.matches(":has(code)"));
    if (units.some((unit) => unit.part.from !== undefined || isTrace(unit.node))) return;
    let size = Math.min(MOST, Math.sqrt((0.85 * room) / (room - free())), ...units.map((unit) => widest(unit.node)));
    const least = code ? 0.92 : LEAST;
    for (size = Math.max(size, 1); size > least; size -= 0.08) {
      this.set(size, 0);
      if (free() >= 0 && !wide()) break;
    }
    sink(0.35);
  }

  /** Find out how large the figure of the next step fits, while there is time. */
  prepare() {
    const { units = [], stage } = this.steps[this.at + 1] ?? {};
    const [{ node } = {}] = units;
    const over = !this.article.classList.contains("lesson"); // left before there was time
    if (over || !node || !isFigure(node) || node.matches(".shown")) return;
    const ways = [node];
    for (let up = node.parentElement; !up.classList.contains("way"); up = up.parentElement) ways.push(up);
    for (const one of ways) one.classList.add(one === node ? "shown" : "way", "tried");
    const { paddingBottom } = getComputedStyle(this.article);
    prepare(node, stage, innerHeight - Number.parseFloat(paddingBottom));
    for (const one of ways) one.classList.remove("shown", "way", "tried");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { key, code, shiftKey, defaultPrevented, ctrlKey, metaKey, altKey } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (this.dark.open) {
      event.preventDefault();
      return this.dark.close();
    }
    if (this.overview.node.open) {
      if (key === "Escape") this.overview.node.close(); // also from the notes
      return;
    }
    const inner = /** @type {any} */ (event.composedPath()[0]);
    const typed = "input:not([type=checkbox]), select, textarea";
    const own = key === " " ? `${typed}, input, button, summary, a` : typed;
    if (key === "Enter" && inner.matches?.("input")) return this.focus(); // a number is typed
    if (key !== "Escape" && inner.matches?.(own)) return;
    const heading = !inner.matches?.("a, button") && inner.closest?.("summary");
    const moves = {
      Enter: heading && (() => heading.click()), // a browser may heed the heading's own focus alone, not its words'
      ArrowRight: () => this.turn(1),
      PageDown: () => this.turn(1),
      " ": () => this.turn(shiftKey ? -1 : 1),
      ArrowLeft: () => this.turn(-1),
      PageUp: () => this.turn(-1),
      Home: () => this.go(0),
      End: () => this.go(this.steps.length - 1),
      Escape: () => this.leave(),
      n: () => this.notes.open((given) => this.press(given)),
      o: () => this.list(),
      f: () => this.unfold(),
      p: () => this.point(),
      b: () => this.dark.showModal(),
      ".": () => this.dark.showModal(),
      m: () => this.go(this.notes.next(this.steps, this.at, shiftKey ? -1 : 1)),
    };
    const move =
      moves[key.length > 1 ? key : key.toLowerCase()] ??
      (/^(Digit|Numpad)\d$/.test(code) &&
        (() =>
          this.hands.answers.length
            ? this.hands.count(Number(code.at(-1)), shiftKey ? -1 : 1)
            : this.list(code.at(-1))));
    if (!move) return;
    event.preventDefault();
    move();
  }

  /** A finger that swipes over text, or taps at a margin; what a figure is dragged by stays its own. */
  touch(signal) {
    let start = null;
    const free = (event) =>
      !event
        .composedPath()
        .some(
          (node) =>
            node instanceof Element && node.matches(`button, summary, a, input, dialog, [data-alive], .lesson-bar`),
        );
    addEventListener(
      "touchstart",
      (event) =>
        (start = event.touches.length === 1 && this.pointer.node.hidden && free(event) ? event.touches[0] : null),
      { signal },
    );
    addEventListener(
      "touchend",
      (event) => {
        if (!start) return;
        const [{ clientX, clientY }] = event.changedTouches;
        const across = clientX - start.clientX;
        const down = Math.abs(clientY - start.clientY);
        if (Math.abs(across) > 50 && Math.abs(across) > 2 * down) this.turn(across < 0 ? 1 : -1);
        else if (Math.hypot(across, down) < 10) {
          if (clientX < innerWidth * 0.08) this.turn(-1);
          if (clientX > innerWidth * 0.92) this.turn(1);
        }
        start = null;
      },
      { signal },
    );
    // A fold that is opened or closed by its heading: the steps follow.
    this.article.addEventListener(
      "click",
      (event) => {
        const fold = event.target instanceof Element && event.target.closest("summary")?.parentElement;
        if (!fold || !this.units.some(({ node }) => fold.contains(node))) return;
        event.preventDefault();
        this.unfold(fold);
      },
      { signal },
    );
    // A link within the lesson leads to its step; a figure that it moves hears of it first.
    addEventListener(
      "click",
      ({ target }) => {
        const link = target instanceof Element && target.closest("article a[href^='#']");
        const place = link instanceof HTMLAnchorElement && document.getElementById(link.hash.slice(1).split("?")[0]);
        if (place && this.article.contains(place))
          setTimeout(() => lesson === this && this.go(this.placeAround(place)));
      },
      { signal },
    );
    // What a hand has pressed, dragged or chosen gives the keys back to the lesson: a clicker's are
    // the same. (Who chooses by keys may look at more than one.)
    const keeps = "select, input:not([type=range], [type=checkbox]), textarea";
    let last = "";
    const given = (event) => {
      const inner = /** @type {any} */ (event.composedPath()[0]);
      const ends =
        event.type === "input" ? last === "pointerdown" && inner.matches?.("select") : !inner.matches?.(keeps);
      if (ends && event.composedPath().includes(this.article)) this.focus();
    };
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => (last = type), { signal });
    for (const type of ["pointerup", "input"]) addEventListener(type, given, { signal });
  }

  /** The page as it was, at the place of the step. */
  leave() {
    const [{ node }] = this.steps[this.at].units;
    const { article, where } = this;
    this.close();
    const place = node.closest("section[id]");
    history.replaceState(history.state, "", place ? `#${place.id}` : location.href.split("#")[0]);
    const seen = node.checkVisibility() ? node : node.closest("details"); // folded again
    seen.scrollIntoView({ behavior: "instant" });
    left = { article, where, seen };
  }

  close() {
    lesson = null;
    this.heard.abort();
    unfit();
    for (const unit of this.units) {
      const { node } = unit;
      reset(node);
      if (isTrace(node)) hang(node, false);
      wordsOf(unit).removeAttribute("tabindex");
    }
    this.clear();
    this.article.classList.remove("lesson");
    if (!this.article.className) this.article.removeAttribute("class");
    for (const name of ["--down", "--size", "--picture", "--read"]) this.article.style.removeProperty(name);
    root.classList.remove("presenting");
    for (const node of [this.bar, this.hands.node, this.overview.node, this.dark, this.pointer.node]) node.remove();
    for (const [fold, open] of this.folds) fold.open = open;
    this.notes.close();
    if (document.fullscreenElement) document.exitFullscreen();
  }
}

/**
 * The outermost closed fold that hides a block.
 * @param {import("./steps.js").Unit} unit
 * @returns {HTMLDetailsElement | undefined}
 */
function closed({ node }) {
  let found;
  for (let up = node.parentElement; (up = up?.closest("details:not([open])")); up = up.parentElement) found = up;
  return found;
}

/** @param {HTMLDetailsElement} fold */
const nameOf = (fold) => wordsOf({ heads: select(":scope > summary", fold) }).textContent.trim();

/** How much larger code may be before its longest line breaks. @param {HTMLElement} node */
function widest(node) {
  const codes = select("pre", node).map((code) => {
    const style = getComputedStyle(code);
    const most = Math.max(...code.textContent.split("\n").map((line) => line.length));
    const room = code.clientWidth - 2 * Number.parseFloat(style.paddingLeft);
    return room / (most * 0.61 * Number.parseFloat(style.fontSize));
  });
  return Math.max(1, Math.min(9, ...codes));
}

/** @param {HTMLElement} node */
function reset(node) {
  const shadow = first(":scope > div", node)?.shadowRoot;
  for (const gone of shadow ? select(".gone", shadow) : []) gone.classList.remove("gone");
  const code = first("pre", node);
  if (!code) return;
  code.style.marginTop = "";
  code.parentElement.style.height = "";
  code.parentElement.classList.remove("clipped");
}

/** Show lines of code from one place on. */
function clip(node, { from, high }) {
  const code = first("pre", node);
  code.style.marginTop = `${-from}px`;
  code.parentElement.style.height = `${high}px`;
  code.parentElement.classList.add("clipped");
}

/** @type {Lesson | null} */
let lesson = null;
/** Where a lesson was left, and what it scrolled to then: who is still there goes on from there.
 * @type {{ article: Element, where: { unit: number, nth: number }, seen: Element } | null} */
let left = null;

/** Whether the header does not hide it. @param {Element} node */
const below = (node) => node.getBoundingClientRect().bottom > 60;

/** Whether it is a few screens away at most: who asks for a lesson is moved a little. @param {Element} node */
const isNear = (node) => Math.abs(node.getBoundingClientRect().top) < 3 * innerHeight;

/** What an address asks for: a lesson, a place in it, or none. */
function visit() {
  const asked = ADDRESS.exec(location.hash);
  const [, prefix = "", unit, nth] = asked ?? [];
  const article = prefix ? document.getElementById(prefix.slice(0, -1)) : first("article[data-numbered]", document);
  if (lesson && (!asked || lesson.article !== article)) {
    lesson.close();
  }
  if (!asked || !article) return;
  if (!lesson) {
    const back = left?.article === article && isNear(left.seen) ? left.where : undefined;
    const high = select(":is(h1, h2, h3, p, pre)", article).find((node) => node.checkVisibility() && below(node));
    const begun = scrollY < innerHeight ? undefined : high;
    lesson = new Lesson(article);
    lesson.enter();
    if (navigator.userActivation?.isActive) root.requestFullscreen?.().catch(() => {});
    const last = kept().steps?.[article.dataset.page]?.split(".");
    if (unit) lesson.visit(unit, nth);
    else if (back) lesson.visit(back.unit, back.nth);
    else if (begun) lesson.go(lesson.placeAround(begun));
    else lesson.visit(...(last ?? []));
  } else lesson.visit(unit, nth);
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
addEventListener("hashchange", visit);
visit();
