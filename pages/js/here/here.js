// A chapter's cells in the reader's hand: their code is edited and run in the page, by the page's own Python.
import { say } from "../../../kernelfree/js/say.js";
import { button, first, live, make, select, tell } from "../learn/dom.js";
import { keepAnswer, next } from "../learn/schedule.js";
import { change } from "../learn/store.js";
import { load, watch, write } from "./code.js";
import css from "./here.css";
import { beside, bring, isKept, known, run, start, stop } from "./python.js";

const RUN = say`Run it here`;
const YOURS = say`Run it here, with your code`;
/** @param {string} megabytes */
const WEIGHT = (megabytes) =>
  say`Python for this page: ${megabytes} MB, once. In place of PyTorch it has a stand-in, made for this page.`;
const HELP = say`Ctrl+Enter runs. Tab leaves the editor; Ctrl+] moves a line to the right.`;
const WITHOUT = say`This copy of the book was built without Python for its pages: the cell runs in a notebook.`;
const ON_DISK = say`A page that was opened from a disk cannot start Python: the cell runs in a notebook, or in the book on the web.`;
const REFUSED = say`The host of this page forbids WebAssembly, which Python needs: the cell runs in a notebook.`;
/** @param {string} why */
const FAILED = (why) => say`That did not work: ${why}. Press again to try again.`;
const FROM_FILE = say`This code came from a file: read it before you run it.`;
const WAITS = say`It runs when what runs now has ended.`;
const RIGHT = say`\u2713 Right. It counts in the review.`;
const STOPPED = say`Stopped. What you wrote is still here.`;

/** The cells of the page, in its order, also those that are folded. @type {Cell[]} */
let cells = [];
/** @type {import("./python.js").Told} */
let told;
/** The cell that runs. @type {Cell | undefined} */
let busy;
/** What was asked for meanwhile. @type {(() => void) | undefined} */
let waiting;

/** A cell of the page, and its editor once it is open. */
class Cell {
  /** @param {HTMLElement} node @param {string} id @param {number} at its place among the page's */
  constructor(node, id, at) {
    Object.assign(this, { node, id, at });
    this.book = first(".cell_input pre", node).textContent.replace(/\n$/, "");
    this.exercise = node.closest(".exercise[data-answer]");
    this.solution = node.matches(".tag_solution");
    /** @type {any} */
    this.editor = undefined;
  }

  /** What the reader has written, unless it is what the book has. */
  get own() {
    const code = this.editor?.text ?? load()[this.id]?.code;
    return code === this.book ? undefined : code;
  }

  /** What is run of it where a cell below needs it. */
  get source() {
    return load()[this.id]?.file ? this.book : (this.own ?? this.book);
  }

  /** @param {HTMLButtonElement} opener */
  async open(opener) {
    this.opener = opener;
    this.state = live("p", "state");
    this.place = make("section", { className: "here" }, this.state);
    first(".cell_input", this.node).after(this.place);
    opener.hidden = true;
    if (location.protocol === "file:") return tell(this.state, ON_DISK);
    told ??= await known().catch(() => undefined);
    if (!told?.folder) return tell(this.state, WITHOUT);
    if (await isKept(told)) return this.begin();
    tell(this.state, WEIGHT(told.megabytes));
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
    const starting = start(told);
    starting.catch(() => {}); // told below
    try {
      await bring(beside("editor.js"));
      this.edit();
      this.editor.focus();
      if (!(await starting)) return tell(this.state, REFUSED);
      tell(this.state, say`Python is ready.`);
      if (load()[this.id]?.file) tell(this.state, FROM_FILE);
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
      waiting = undefined;
      stop(new Error(STOPPED));
      this.runs.focus();
    });
    this.back = button(say`Put the book\u2019s code back`, () => this.put(this.book));
    this.earlier = button(say`Bring back what stood here before`, () => this.put(load()[this.id].old[0]));
    const close = button(say`Close`, () => this.close());
    this.output = make("div", { role: "group", ariaLabel: say`What your code prints` });
    const row = make("p", {}, this.runs, this.stops, this.back, this.earlier, close);
    this.place.prepend(host, row, make("p", { className: "may" }, HELP));
    this.place.append(this.output);
    // In a lesson, and elsewhere in the page, keys have other meanings.
    this.place.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
    this.seen = load()[this.id]?.code ?? this.book;
    this.editor = /** @type {any} */ (globalThis).attentionEditor(host, {
      text: this.seen,
      label: say`Code of the cell`,
      help: HELP,
      run: () => this.run(),
      changed: () => this.changed(),
    });
    first(".cell_input", this.node).hidden = true;
    this.show();
  }

  /** Which buttons there are. */
  show() {
    this.runs.disabled = Boolean(busy);
    this.stops.hidden = busy !== this;
    this.back.hidden = this.own === undefined;
    this.earlier.hidden = !load()[this.id]?.old.length;
  }

  /** Keep what was written. A hand that changes what came from a file makes it the reader's own at the next run. */
  changed() {
    const { aside } = this;
    const file = Boolean(load()[this.id]?.file);
    const code = this.editor.text;
    if (code !== this.seen && !write(this.id, code, { seen: this.seen, aside, file }))
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
    if (code === this.book) this.shelf?.replaceWith(first(".cell_output", this.node));
    this.editor.focus();
  }

  /** Another tab has written. */
  renew() {
    const code = load()[this.id]?.code;
    if (this.editor && code !== undefined && code !== this.seen && this.editor.text === this.seen) {
      this.seen = code;
      this.editor.text = code;
    }
    this.name();
  }

  /** The button that opens it says whether there is code of the reader's. */
  name() {
    const line = this.node.querySelector(".in-colab") ?? this.node.nextElementSibling;
    const opener = line?.matches(".in-colab") && line.querySelector("button");
    if (opener) opener.textContent = this.own === undefined ? RUN : YOURS;
  }

  close() {
    if (busy === this) stop(new Error(STOPPED));
    this.place.remove();
    this.shelf?.replaceWith(first(".cell_output", this.node));
    this.editor = this.shelf = undefined;
    first(".cell_input", this.node).hidden = false;
    this.opener.hidden = false;
    this.name();
    this.opener.focus();
  }

  /** @param {string[]} typed what `input()` was given so far */
  async run(typed = []) {
    if (busy) {
      waiting = () => this.run(typed);
      return tell(this.state, WAITS);
    }
    busy = this;
    if (load()[this.id]?.file) write(this.id, this.editor.text, {}); // the reader has seen it, and runs it
    for (const cell of cells) if (cell.editor) cell.show();
    const clock = setTimeout(() => tell(this.state, say`Running …`), 300);
    const printed = make("pre");
    try {
      if (!(await start(told))) return tell(this.state, REFUSED);
      this.output.replaceChildren(printed);
      this.editor.mark(null);
      // The solution of an exercise that the reader has written gives nothing to what is below.
      const solved = cells.filter(({ exercise, own }) => exercise && own !== undefined).map(({ exercise }) => exercise);
      const skipped = cells
        .filter(({ solution, exercise }) => solution && solved.includes(exercise))
        .map(({ at }) => at);
      const sources = cells.map((cell) => (cell === this ? this.editor.text : cell.source));
      const done = await run({ sources, at: this.at, skipped, typed }, (text) => printed.append(text));
      this.tell(done, printed, typed);
    } catch (error) {
      tell(this.state, error.message === STOPPED ? STOPPED : FAILED(error.message));
    } finally {
      clearTimeout(clock);
      busy = undefined;
      for (const cell of cells) if (cell.editor) cell.show();
      const next = waiting;
      waiting = undefined;
      next?.();
    }
  }

  /**
   * Show what a run has left.
   * @param {import("./python.js").Done} done
   * @param {HTMLElement} printed
   * @param {string[]} typed
   */
  tell(done, printed, typed) {
    const own = done.above === undefined;
    const mine = done.on.filter((at) => cells[at].own !== undefined).length;
    printed.textContent = own ? [done.out.replace(/\n$/, ""), done.value].filter(Boolean).join("\n") : "";
    if (done.more) printed.append(say`\n… and ${done.more} letters more, which are not shown.`);
    const nodes = done.error ? [make("pre", { className: "error" }, done.error)] : [];
    this.output.replaceChildren(printed, ...nodes);
    const judgement = own && this.exercise ? done.right : null;
    if (own && done.line && judgement === null) this.editor.mark(done.line);
    if (own && done.asks) this.ask(typed);
    if (!own) {
      const there = cells[done.above].node;
      nodes[0].before(
        make(
          "p",
          {},
          button(say`Go to that cell`, () => reveal(there)),
        ),
      );
    }
    this.shelve();
    if (judgement !== null) judged(this.exercise.getAttribute("data-answer"), judgement);
    const ran = judgement
      ? RIGHT
      : judgement === false
        ? say`Not yet.`
        : done.asks
          ? say`It waits for a line.`
          : !done.error
            ? say`It ran.`
            : own
              ? say`It ended with an error.`
              : say`A cell above ended with an error.`;
    tell(this.state, mine ? say`${ran} Of the cells above, it took ${mine} as you have written them.` : ran);
  }

  /** A line for `input()`; what was typed before is given again. @param {string[]} typed */
  ask(typed) {
    const line = make("input", { type: "text", autocomplete: "off", ariaLabel: say`What input() reads` });
    const form = make("form", {}, line, " ", make("button", {}, say`Enter`));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run([...typed, line.value]);
    });
    this.output.append(form);
    line.focus();
  }

  /** What the book shows of the cell is one click away. */
  shelve() {
    const output = this.node.querySelector(".cell_output");
    if (!output || this.shelf) return;
    this.shelf = make("details", { className: "book-shows" }, make("summary", {}, say`What the book shows`));
    output.replaceWith(this.shelf);
    this.shelf.append(output);
    this.shelf.open = Boolean(output.querySelector("img, svg, .kernelfree-figure"));
  }
}

/** What a check has found counts as an answer in a box does, and in *Review*. @param {string} id @param {boolean} right */
function judged(id, right) {
  keepAnswer(id, "", right);
  change(({ prompts }) => {
    const due = prompts[id]?.due;
    if (right && due && due <= Date.now()) prompts[id] = next(prompts[id], true, Date.now());
  });
}

/** @param {Element} node */
function reveal(node) {
  for (let fold = node.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  node.scrollIntoView();
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
const page = first("article", document).dataset.page;
const nodes = select("article .cell").filter((node) => node.querySelector(".cell_input"));
/** The cells' ids are known once the build has told them. */
const ready = (async () => {
  told = await known().catch(() => undefined);
  const ids = told?.cells[page] ?? [];
  cells = nodes.map((node, at) => new Cell(node, `${page}/${ids[at] ?? at}`, at));
  for (const cell of cells) cell.name();
  watch(() => cells.forEach((cell) => cell.renew()));
})();
document.addEventListener("here.js", async (event) => {
  await ready;
  if (event instanceof CustomEvent) cells.find(({ node }) => node === event.target)?.open(event.detail);
});
