// A chapter's figure drawn with what the reader has written: its states are computed anew by the page's Python,
// and the figure's own script draws them.
import { say } from "../../../kernelfree/js/say.js";
import { button, live, make, select, tell } from "../learn/dom.js";
import { draw } from "./python.js";
import { counter, halt, STOPPED, turn, turns } from "./turns.js";

const MINE = say`Draw it with mine`;
const DRAWN = say`Drawn with your code.`;
/** @param {import("./python.js").Drawn} drawn */
function why({ gone, live, lineless, seconds, above, error }) {
  if (gone) return say`The cell no longer makes this figure.`;
  if (live) return say`The page computes this figure by itself, for any value: it cannot be drawn with your code.`;
  if (lineless) return say`No line of what you wrote makes a tensor here.`;
  if (seconds) return say`With your code it takes about ${seconds} s, which is too long here.`;
  const last = error.trim().split("\n").at(-1);
  return above === undefined
    ? say`It cannot be drawn with your code: ${last}`
    : say`A cell above ended with an error: ${last}`;
}

/** A figure, and the cell that makes it. */
export class Drawing {
  /** @param {HTMLElement & { value?: any, redraw?: any }} book @param {import("./cell.js").Cell} cell */
  constructor(book, cell) {
    Object.assign(this, { book, cell, shown: book });
    this.state = live("span", "state");
    this.kind = book.className.split(" ")[0];
    this.isTrace = this.kind === "kernelfree-trace";
    this.seconds = counter();
    this.draws = button(MINE, () => this.draw());
    this.stops = button(say`Stop`, () => halt());
    this.backs = button(say`Back to the book\u2019s figure`, () => this.back());
    this.line = make("p", { className: "here" }, this.draws, this.stops, this.backs, this.state, " ", this.seconds);
    this.line.classList.add("mine");
    /** What it shows: a state. @type {string | undefined} */
    this.good = undefined;
    turns.watch(() => this.show());
  }

  /** Code that it stands on is the reader's. */
  offer() {
    if (!this.line.isConnected) this.shown.after(this.line);
    this.show();
  }

  show() {
    this.draws.disabled = Boolean(turns.owner);
    this.stops.hidden = turns.owner !== this;
    this.backs.hidden = this.shown === this.book;
  }

  /** @param {object | null} typed what a reader has given to a trace that is drawn already */
  async draw(typed = null) {
    await turn(this, this.seconds, async () => {
      if (!typed) tell(this.state, say`Drawing …`);
      try {
        const figure = this.book.id.replace(/^p\d+-/, "");
        const asked = { ...this.cell.asked(), figure, typed_in: typed };
        const drawn = await draw(asked, (done) => (this.seconds.dataset.done = done));
        if (drawn.state) this.put(drawn.state, typed);
        else if (typed) this.replaceBy(this.good);
        tell(this.state, drawn.state ? DRAWN : why(drawn));
      } catch (error) {
        if (typed) this.replaceBy(this.good);
        tell(
          this.state,
          error.message === STOPPED ? STOPPED : say`It cannot be drawn with your code: ${error.message}`,
        );
      } finally {
        delete this.seconds.dataset.done;
      }
    });
  }

  /** @param {string} text a state @param {object | null} typed */
  put(text, typed) {
    const [lines, before] = [text, this.good ?? "{}"].map((one) => JSON.stringify(JSON.parse(one).source));
    this.good = text;
    // Where its lines are the same the numbers alone are new, and a field that is typed into stays.
    if (typed && lines === before) this.shown.redraw(JSON.parse(text).graph);
    else this.replaceBy(text);
  }

  /** @param {string} text a state */
  replaceBy(text) {
    const state = JSON.parse(text);
    // A question that is still open stays so.
    if (!this.book.querySelector("div")?.shadowRoot?.querySelector(".covered")) delete state.predict;
    state.title = say`${state.title}, drawn with your code`;
    if (!this.isTrace) state.start = { ...state.start, ...this.shown.value };
    const data = make("script", { type: "application/json", textContent: JSON.stringify(state) });
    const fresh = make("div", { className: this.kind, id: this.book.id }, data);
    fresh.classList.add("theirs");
    if (this.isTrace) this.follow(fresh);
    this.replace(fresh);
    dispatchEvent(new Event(this.kind)); // its script brings it to life
  }

  /** What a reader types into a trace is given to the function, too. @param {HTMLElement} fresh */
  follow(fresh) {
    /** @type {any} */
    let value;
    Object.defineProperty(fresh, "value", {
      get: () => value,
      set: (now) => {
        const before = value;
        value = now;
        if (before && JSON.stringify(before) !== JSON.stringify(now)) this.draw(now);
      },
    });
  }

  back() {
    this.replace(this.book);
    tell(this.state, say`This is the book\u2019s figure again.`);
    this.show();
    this.draws.focus();
  }

  /** @param {HTMLElement} fresh */
  replace(fresh) {
    this.shown.replaceWith(fresh);
    this.shown = fresh;
  }
}

/** The figures that cells make. @param {import("./cell.js").Cell[]} cells */
export const drawings = (cells) =>
  cells.flatMap((cell) =>
    select(".kernelfree-figure, .kernelfree-trace", cell.node).map((figure) => new Drawing(figure, cell)),
  );
