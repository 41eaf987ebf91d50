// A cell of a chapter in the reader's hand: its code is edited, kept, and run by the page's own Python.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, live, make, tell } from "../learn/dom.js";
import { load, stamp, write } from "./code.js";
import { files } from "./files.js";
import { fromFile, isStep, keepMine, mine } from "./mine.js";
import { shelve, show } from "./outcome.js";
import { beside, bring, isKept, run, start } from "./python.js";
import { counter, halt, STOPPED, turn, turns } from "./turns.js";

const RUN = say`Run it here`;
const YOURS = say`Run it here, with your code`;
/** @param {string} megabytes */
const WEIGHT = (megabytes) =>
  say`Python for this page: ${megabytes} MB, once. In place of PyTorch it has a stand-in, made for this page.`;
/** @param {number} seconds */
const SLOW = (seconds) => say`This cell takes about ${seconds} s here; Run starts it.`;
const HELP = say`Ctrl+Enter runs. Tab leaves the editor; Ctrl+] moves a line to the right.`;
const WITHOUT = say`This copy of the book was built without Python for its pages: the cell runs in a notebook.`;
const ON_DISK = say`A page that was opened from a disk cannot start Python: the cell runs in a notebook, or in the book on the web.`;
const REFUSED = say`The host of this page forbids WebAssembly, which Python needs: the cell runs in a notebook.`;
/** @param {string} why */
const FAILED = (why) => say`That did not work: ${why}. Press again to try again.`;
const FROM_FILE = say`This code came from a file: read it before you run it.`;
const CHANGED = say`The book\u2019s cell has changed since you wrote this.`;
const RESTS = say`A lesson shows the book\u2019s code. What you write with Run it here is there again after it.`;
const WAITS = say`It runs when what runs now has ended.`;

/** A cell of the page, and its editor once it is open. */
export class Cell {
  /**
   * @param {HTMLElement} node
   * @param {string} id
   * @param {number} at its place among the page's
   * @param {Cell[]} cells all of them
   * @param {{ told?: import("./python.js").Told, slow?: number }} known what the build tells
   */
  constructor(node, id, at, cells, known) {
    Object.assign(this, { node, id, at, cells, ...known });
    this.book = first(".cell_input pre", node).textContent.replace(/\n$/, "");
    this.exercise = node.closest(".exercise[data-answer]");
    this.solution = node.matches(".tag_solution");
    this.cannot = node.matches(".cannot-run");
    /** @type {any} */
    this.editor = undefined;
    /** @type {import("./figures.js").Drawing[]} */
    this.figures = [];
  }

  /** What the reader has written, unless it is what the book has. */
  get own() {
    const code = this.editor?.text ?? this.kept;
    return code === this.book ? undefined : code;
  }

  /** What is kept of it; the book's code in the words of this edition. */
  get kept() {
    const { code, same } = load()[this.id] ?? {};
    return same ? this.book : code;
  }

  /** What is run of it where a cell below needs it. */
  get source() {
    return load()[this.id]?.file ? this.book : (this.own ?? this.book);
  }

  /** @param {HTMLButtonElement} opener */
  async open(opener) {
    this.opener = opener;
    this.state = live("span", "state");
    this.seconds = counter();
    this.place = make("section", { className: "here" }, make("p", {}, this.state, " ", this.seconds));
    first(".cell_input", this.node).after(this.place);
    opener.hidden = true;
    if (location.protocol === "file:") return tell(this.state, ON_DISK);
    if (!this.told?.folder) return tell(this.state, WITHOUT);
    if (await isKept(this.told)) return this.begin();
    tell(this.state, WEIGHT(this.told.megabytes));
    const load = button(say`Load Python`, () => {
      load.remove();
      this.begin();
    });
    this.place.append(load);
    load.focus();
  }

  /** The editor, and a first run. */
  async begin() {
    tell(this.state, say`Python is starting …`);
    const starting = start(this.told);
    starting.catch(() => {}); // told below
    try {
      await bring(beside("editor.js"));
      this.edit();
      this.editor.focus();
      if (!(await starting)) return tell(this.state, REFUSED);
      tell(this.state, say`Python is ready.`);
      if (load()[this.id]?.file) tell(this.state, FROM_FILE);
      else if (this.slow) tell(this.state, SLOW(this.slow));
      else await this.run();
    } catch (error) {
      const again = button(say`Try again`, () => {
        again.remove();
        this.begin();
      });
      tell(this.state, FAILED(error.message ?? ""));
      this.place.append(again);
    }
  }

  edit() {
    if (this.editor) return;
    const host = make("div");
    this.runs = button(say`Run`, () => this.run());
    this.stops = button(say`Stop`, () => {
      halt();
      this.runs.focus();
    });
    this.back = button(say`Put the book\u2019s code back`, () => this.put(this.book));
    this.earlier = button(say`Bring back what stood here before`, () => this.put(load()[this.id].old[0]));
    const close = button(say`Close`, () => this.close());
    this.output = make("div", { role: "group", ariaLabel: say`What your code prints` });
    const row = make("p", {}, this.runs, this.stops, this.back, this.earlier, close);
    this.place.prepend(
      ...this.edition(),
      ...(isStep(this.book) ? fromFile() : []),
      host,
      row,
      make("p", { className: "may" }, HELP),
    );
    this.place.append(this.output, files(this.cells, this.told.pages));
    // Elsewhere in the page keys have other meanings.
    this.place.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
    this.seen = this.kept ?? this.book;
    this.editor = /** @type {any} */ (globalThis).attentionEditor(host, {
      text: this.seen,
      label: say`Code of the cell`,
      help: HELP,
      run: () => this.run(),
      changed: () => this.changed(),
    });
    first(".cell_input", this.node).classList.add("edited");
    turns.watch((this.shows = () => this.show()));
    this.show();
  }

  /** Where the book's cell is no longer the one that the reader has changed: that, and what it is now. */
  edition() {
    const of = load()[this.id]?.of;
    if (!of || of === stamp(this.book) || this.own === undefined) return [];
    const fold = make("details", {}, make("summary", {}, say`The book\u2019s cell now`), make("pre", {}, this.book));
    return [make("p", {}, CHANGED), fold];
  }

  /** Which buttons there are. */
  show() {
    this.runs.disabled = Boolean(turns.owner);
    this.stops.hidden = turns.owner !== this;
    this.back.hidden = this.own === undefined;
    this.earlier.hidden = !load()[this.id]?.old.length;
  }

  /** Keep what was written. A hand that changes what came from a file makes it the reader's own at the next run. */
  changed() {
    const { aside, book } = this;
    const file = Boolean(load()[this.id]?.file);
    const code = this.editor.text;
    if (code !== this.seen && !write(this.id, code, { seen: this.seen, aside, file, book }))
      tell(this.state, say`This browser has no room left: your code lasts until you close this page.`);
    this.seen = code;
    this.show();
  }

  /** Other code in the place of this, which is kept. @param {string} code */
  put(code) {
    this.aside = true;
    this.editor.text = code;
    this.aside = false;
    this.output.replaceChildren();
    tell(this.state, "");
    if (code === this.book) this.unshelve();
    this.editor.focus();
  }

  unshelve() {
    this.shelf?.replaceWith(first(".cell_output", this.node));
    this.shelf = undefined;
  }

  /** Another tab has written, or a file was opened. */
  renew() {
    const code = this.kept;
    if (this.editor && code !== undefined && code !== this.seen && this.editor.text === this.seen) {
      this.seen = code;
      this.editor.text = code;
      this.output.replaceChildren();
      tell(this.state, load()[this.id].file ? FROM_FILE : "");
    }
    this.name();
  }

  /** The button that opens it, if it may be run here. */
  get button() {
    const line = this.node.querySelector(".in-colab") ?? this.node.nextElementSibling;
    return line?.matches(".in-colab") ? line.querySelector("button") : null;
  }

  /** It says whether there is code of the reader's. */
  name() {
    if (this.button) this.button.textContent = this.own === undefined ? RUN : YOURS;
  }

  close() {
    if (turns.owner === this) halt();
    if (this.shows) turns.forget(this.shows);
    this.place.remove();
    this.unshelve();
    this.editor = this.place = undefined;
    first(".cell_input", this.node).classList.remove("edited");
    this.opener.hidden = false;
    this.name();
    this.opener.focus();
  }

  /** A lesson shows the book’s code and what it prints, and says so where a reader has an editor. */
  rest() {
    this.unshelve();
    this.rests?.remove();
    this.rests = make("p", { className: "rests" }, RESTS);
    if (this.place || this.own !== undefined) first(".cell_input", this.node).append(this.rests);
  }

  /** What Python is given of the page: each cell's code, and which count for nothing. */
  asked() {
    // The solution of an exercise that the reader has written gives nothing to what is below.
    const solved = this.cells.filter(({ exercise, own }) => exercise && own !== undefined).map((cell) => cell.exercise);
    const skipped = this.cells.filter(
      ({ solution, exercise, cannot }) => cannot || (solution && solved.includes(exercise)),
    );
    return {
      sources: this.cells.map(({ source }) => source),
      at: this.at,
      skipped: skipped.map(({ at }) => at),
      mine: mine(),
    };
  }

  /** @param {string[]} typed what `input()` was given so far */
  async run(typed = []) {
    const { text } = this.editor;
    const ran = await turn(this, this.seconds, async () => {
      if (load()[this.id]?.file) {
        if (this.editor.text !== text) return tell(this.state, FROM_FILE); // it came while this run waited
        write(this.id, text, { book: this.book }); // the reader has seen it
      }
      const clock = setTimeout(() => tell(this.state, say`Running …`), 300);
      const printed = make("pre");
      try {
        if (!(await start(this.told))) return tell(this.state, REFUSED);
        this.output.replaceChildren(printed);
        this.editor.mark(null);
        const changed = this.cells.filter((cell) => cell.own !== undefined && cell.source === cell.own);
        const asked = { ...this.asked(), typed, changed: changed.map(({ at }) => at) };
        const figures = this.figures.map(({ cell }) => cell.at);
        const done = await run({ ...asked, figures }, (text) => printed.append(text));
        keepMine(done.mine);
        tell(
          this.state,
          show(this, done, printed, (line) => this.run([...typed, line])),
        );
        this.shelf ??= shelve(this.node);
        for (const figure of this.figures) if (done.touched.includes(figure.cell.at)) figure.offer();
      } catch (error) {
        tell(this.state, error.message === STOPPED ? STOPPED : FAILED(error.message));
      } finally {
        clearTimeout(clock);
      }
    });
    if (!ran) tell(this.state, WAITS);
  }
}
