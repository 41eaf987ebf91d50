// All steps in a list to choose from, and a number to jump to.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, make, select } from "../learn/dom.js";

const WORDS = {
  steps: say`All steps`,
  go: say`Go to step`,
  close: say`Close`,
  fold: say`folded`,
};

/** @typedef {{ text: string, name?: string, act: () => void }} Entry a step under a heading's name, or a fold without one */

export class Overview {
  list = make("div");
  field = make("input", { type: "number", min: "1", required: true });
  node = make(
    "dialog",
    { className: "lesson-overview", ariaLabel: WORDS.steps },
    make(
      "form",
      { method: "dialog", onsubmit: () => this.go(Number(this.field.value) - 1) },
      make("label", {}, `${WORDS.go} `, this.field),
      Object.assign(
        button("×", () => this.node.close()),
        { ariaLabel: WORDS.close, title: WORDS.close },
      ),
    ),
    this.list,
  );

  /** @param {(at: number) => void} go @param {() => void} closed */
  constructor(go, closed) {
    this.go = go;
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
    this.field.max = String(steps.length);
    let above = "";
    this.list.replaceChildren(
      ...entries.flatMap((entry) => {
        const step = steps.indexOf(entry);
        const one = button("", () => {
          this.node.close();
          entry.act();
        });
        if (step === at) one.ariaCurrent = "step";
        const [number, note] = step < 0 ? ["+", WORDS.fold] : [String(step + 1), ""];
        one.append(make("b", {}, number), " ", make("span", {}, entry.text), " ", make("small", {}, note));
        const head = step < 0 || entry.name === above ? [] : [make("h2", {}, (above = entry.name))];
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
