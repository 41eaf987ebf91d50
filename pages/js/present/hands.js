// A show of hands: the teacher counts, bars show. Nothing is sent, and nothing is kept.
import { say } from "../../../kernelfree/js/say.js";
import { button, make, select } from "../learn/dom.js";

const WORDS = {
  more: (answer) => say`One more hand for: ${answer}`,
  less: (answer) => say`One hand less for: ${answer}`,
  hands: say`Show of hands`,
};

export class Hands {
  /** @type {WeakMap<Element, number>} */
  counts = new WeakMap();
  node = make("div", { className: "lesson-hands", role: "group", ariaLabel: WORDS.hands });

  /** The answers of a step, if it asks. @param {HTMLElement} step */
  show(step) {
    const shadow = step.querySelector(":scope > div")?.shadowRoot;
    this.answers = step.matches(".question")
      ? select(":scope > details > summary", step)
      : shadow
        ? select(".quiz button:not(:last-of-type)", shadow)
        : [];
    this.rows = this.answers.map((answer, place) => {
      const text = answer.textContent.trim();
      const bar = make("i");
      const count = make("b");
      const row = make(
        "div",
        {},
        Object.assign(
          button("+", () => this.count(place + 1, 1)),
          { ariaLabel: WORDS.more(text) },
        ),
        Object.assign(
          button("−", () => this.count(place + 1, -1)),
          { ariaLabel: WORDS.less(text) },
        ),
        bar,
        count,
      );
      return { row, bar, count, answer };
    });
    this.node.replaceChildren(...this.rows.map(({ row }) => row));
    this.node.hidden = !this.rows.length;
    this.watch?.disconnect();
    this.watch = new ResizeObserver(() => this.place());
    for (const { answer } of this.rows) this.watch.observe(answer.closest("details") ?? answer);
    this.paint();
    this.place();
  }

  /** @param {number} number of the answer, from 1 */
  count(number, by) {
    const answer = this.answers[number - 1];
    if (!answer) return;
    this.counts.set(answer, Math.max(0, (this.counts.get(answer) ?? 0) + by));
    this.paint();
  }

  paint() {
    const counts = this.rows.map(({ answer }) => this.counts.get(answer) ?? 0);
    const all = counts.reduce((sum, count) => sum + count, 0);
    this.rows.forEach(({ bar, count }, i) => {
      bar.style.setProperty("--share", String(counts[i] / (all || 1)));
      count.textContent = all ? String(counts[i]) : "";
    });
  }

  /** Each row beside its answer, wherever that stands; its bar fills the answer's box. */
  place() {
    for (const { row, bar, answer } of this.rows) {
      const { top, left, right, width, height } = answer.getBoundingClientRect();
      row.style.display = width ? "" : "none"; // an answered figure has put its answers away
      Object.assign(row.style, { top: `${top}px`, left: `${right}px`, height: `${height}px` });
      Object.assign(bar.style, { width: `${width}px`, left: `${left - right}px` });
    }
  }
}
