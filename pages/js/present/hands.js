// A show of hands: the teacher counts, bars show. The counts stay on this device, and nothing is sent.
import { say } from "../../../kernelfree/js/say.js";
import { button, make, select } from "../learn/dom.js";
import { keep, kept } from "./kept.js";

const WORDS = {
  more: (answer) => say`One more hand for: ${answer}`,
  less: (answer) => say`One hand less for: ${answer}`,
  hands: say`Show of hands`,
};

export class Hands {
  sum = make("p", { className: "lesson-sum" });
  node = make("div", { className: "lesson-hands", role: "group", ariaLabel: WORDS.hands });

  /** The answers of a step, if it asks. @param {HTMLElement} step */
  show(step) {
    const shadow = step.querySelector(":scope > div")?.shadowRoot;
    this.answers = step.matches(".question")
      ? select(":scope > details > summary", step)
      : shadow
        ? select(".quiz button:not(:last-of-type)", shadow)
        : [];
    // The order of answers changes from time to time, their words do not.
    const question = step.dataset.answer ?? step.id;
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
      return { row, bar, count, answer, text, name: `${question} ${text}` };
    });
    this.node.replaceChildren(...this.rows.map(({ row }) => row), this.sum);
    this.node.hidden = !this.rows.length;
    this.watch?.disconnect();
    this.watch = new ResizeObserver(() => this.place());
    for (const { answer } of this.rows) this.watch.observe(answer.closest("details") ?? answer);
    this.place();
  }

  /** @param {number} number of the answer, from 1; 0: all hands are down again */
  count(number, by) {
    const { hands = {} } = kept();
    for (const { name } of number ? this.rows.slice(number - 1, number) : this.rows)
      keep("hands", name, number ? Math.max(0, (hands[name] ?? 0) + by) : undefined);
    this.paint();
  }

  paint() {
    const { hands = {} } = kept();
    const counts = this.rows.map(({ name }) => hands[name] ?? 0);
    const all = counts.reduce((sum, count) => sum + count, 0);
    this.rows.forEach(({ bar, count }, i) => {
      bar.style.setProperty("--share", String(counts[i] / (all || 1)));
      count.textContent = all ? String(counts[i]) : "";
    });
    // A figure puts its answers away once it has one: then the counts stand in a line.
    const part = ({ text }, i) => make("span", {}, make("b", {}, String(counts[i])), ` ${text}`);
    this.sum.replaceChildren(...(all ? this.rows.map(part) : []));
  }

  /** Each row beside its answer, wherever that stands; its bar fills the answer's box. */
  place() {
    this.paint();
    this.sum.hidden = this.rows.some(({ answer }) => answer.checkVisibility());
    for (const { row, bar, answer } of this.rows) {
      const { top, left, right, width, height } = answer.getBoundingClientRect();
      row.style.display = width ? "" : "none"; // an answered figure has put its answers away
      Object.assign(row.style, { top: `${top}px`, left: `${right}px`, height: `${height}px` });
      Object.assign(bar.style, { width: `${width}px`, left: `${left - right}px` });
    }
  }
}
