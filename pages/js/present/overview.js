// All steps in a list to choose from, and a number to jump to.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, make, select } from "../learn/dom.js";
import { clock, LESSON, sumOf } from "./minutes.js";

const WORDS = {
  steps: say`All steps`,
  go: say`Go to step`,
  close: say`Close`,
  only: say`Only what fits ${LESSON} minutes`,
  planned: (cut, all) => say`${cut} of ${all} min`,
  beyond: say`beyond ${LESSON} minutes`,
  fold: say`folded`,
};

/**
 * @typedef {{ text: string, act: () => void, name?: string, cut?: boolean, seconds?: number }} Entry
 *   a step under a heading's name; a fold has no name
 */

export class Overview {
  list = make("div");
  field = make("input", { type: "number", min: "1", required: true });
  only = make("input", { type: "checkbox" });
  total = make("span");
  node = make(
    "dialog",
    { className: "lesson-overview", ariaLabel: WORDS.steps },
    make(
      "form",
      { method: "dialog", onsubmit: () => this.go(Number(this.field.value) - 1) },
      make("label", {}, `${WORDS.go} `, this.field),
      make("label", {}, this.only, ` ${WORDS.only}`),
      this.total,
      Object.assign(
        button("×", () => this.node.close()),
        { ariaLabel: WORDS.close, title: WORDS.close },
      ),
    ),
    this.list,
  );

  /** @param {(at: number) => void} go @param {() => void} choose @param {() => void} closed */
  constructor(go, choose, closed) {
    this.go = go;
    this.only.addEventListener("change", choose);
    this.node.addEventListener("close", closed);
    this.node.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {Entry[]} entries @param {number} at the step that is shown @param {string} typed a digit of a number */
  open(entries, at, typed) {
    this.show(entries, at);
    this.node.showModal();
    this.field.value = typed;
    this.field.focus();
    first("[aria-current]", this.list).scrollIntoView({ block: "center" });
  }

  /** @param {Entry[]} entries @param {number} at */
  show(entries, at) {
    const steps = entries.filter(({ name }) => name);
    const minutes = (some) => Math.round(sumOf(some) / 60);
    this.field.max = String(steps.length);
    this.total.textContent = WORDS.planned(minutes(steps.filter(({ cut }) => cut)), minutes(steps));
    let above = "";
    this.list.replaceChildren(
      ...entries.flatMap((entry) => {
        const step = steps.indexOf(entry);
        const one = button("", () => {
          this.node.close();
          entry.act();
        });
        if (step === at) one.ariaCurrent = "step";
        const [number, note] = step < 0 ? ["+", WORDS.fold] : [String(step + 1), clock(entry.seconds)];
        one.append(make("b", {}, number), " ", make("span", {}, entry.text), " ", make("small", {}, note));
        const beyond = entry.cut ? [] : [" ", make("small", {}, WORDS.beyond)];
        const head = step < 0 || entry.name === above ? [] : [make("h2", {}, (above = entry.name), ...beyond)];
        return [...head, one];
      }),
    );
  }

  /** The arrows lead through the list. @param {KeyboardEvent} event */
  press(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = select("button", this.list);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[at < 0 ? all.findIndex((one) => one.ariaCurrent) : at + by]?.focus();
  }
}
