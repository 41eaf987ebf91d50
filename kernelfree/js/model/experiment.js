// How far a claim about heads holds: the share of the weight that it is about, in a text that grows.

import { Figure } from "../figure/figure.js";
import { block, button, make } from "../figure/nodes.js";
import { watchUntil } from "../figure/watch.js";
import { say } from "../say.js";

// Tokens of the texts that the button measures.
const LENGTHS = [6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 200];
// Milliseconds without a move, after which a length is measured.
const PAUSE = 200;
const ALL = say`Measure all lengths`;

export class Experiment {
  // Tokens -> their texts, and the means of the weights.
  known = new Map();
  // Whether all lengths are being measured.
  busy = false;
  fault = "";

  constructor({ experiment: { claims, text, ...state } }, sheet) {
    this.claims = claims;
    // In a root of its own: fields of both figures have the same ids.
    this.node = make("div", { hidden: true });
    const root = this.node.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    let value = state.start;
    const model = {
      get: () => value,
      set: (_, moved) => {
        value = moved;
        this.moved();
      },
      save_changes() {},
    };
    const rows = () => this.rows();
    const tables = [
      { decimals: 0, read: () => rows().slice(0, 1) },
      { decimals: 2, read: () => rows().slice(1) },
      { decimals: 2, read: () => rows().slice(1, 2) },
    ];
    this.figure = new Figure({ ...state, tables, model, host: this.node, el: this.node });
    this.figure.say = () => this.sentence();
    this.figure.views[0].wording = () => ({ columns: this.known.size, columnNames: rows()[0].map(String) });
    this.text = make("textarea", { id: "text", rows: 4, value: text, maxLength: 4000, spellcheck: false });
    this.text.oninput = () => {
      this.forget();
      this.later();
    };
    this.word = make("input", { id: "word", maxLength: 40, oninput: () => this.draw() });
    this.field = block("field", make("label", { htmlFor: "word" }, say`word`), this.word);
    this.run = button(ALL, () => this.measure(this.busy ? [] : LENGTHS));
    const group = this.figure.node();
    group.querySelector(".controls").append(this.run);
    this.figure.fields[4].node.before(this.field);
    const label = make("label", { htmlFor: "text" }, say`The text; the slider says how much of it the model gets`);
    group.querySelector(".panels").before(block("prose", label, this.text));
    root.append(group);
    this.draw();
    this.quit = watchUntil(this.figure);
  }

  forget() {
    this.stop?.abort();
    clearTimeout(this.soon);
    this.known.clear();
    this.whole = undefined;
  }

  /** Measure by a model from now on; without one, no more. */
  open(model) {
    this.forget();
    this.model = model;
    this.node.hidden = !model;
    if (model) this.measure([this.length]);
  }

  /** Tokens that the reader asks for; a text may have fewer. */
  get length() {
    return Math.min(/** @type {any} */ (this.figure.model.get("value").tokens), this.whole ?? Infinity);
  }

  /** Layer, head (0 is all of them) and what it looks at, as places in their menus. */
  get claim() {
    const [claim, ...own] = this.figure.places();
    return this.claims[claim] ?? own;
  }

  /** Whether it looks at a word that the reader types: the last of its menu. */
  get typed() {
    return this.claim[2] === this.figure.controls[3].options.length - 1;
  }

  /** What it looks at: the name of a place, or a token. */
  get target() {
    const { options, words = options } = this.figure.controls[3];
    return this.typed ? this.word.value.trim().toLowerCase() : words[this.claim[2]];
  }

  /** The share of the weight in a text, and what it would be if all weights were equal. */
  share({ tokens, weights }) {
    const [layer, head, target] = this.claim;
    const heads = this.figure.controls[2].options.length - 1;
    const wide = tokens.length + 3;
    const places = target < 3 ? [target] : tokens.flatMap((token, i) => (token === this.target ? i + 3 : []));
    if (!places.length) return [NaN, NaN];
    let sum = 0;
    for (let h = 0; h < heads; h++)
      if (!head || h === head - 1) for (const at of places) sum += weights[(layer * heads + h) * wide + at];
    return [sum / (head ? 1 : heads), places.length / tokens.length];
  }

  /** Lengths in order, the share at each, and what equal weights would give. */
  rows() {
    const lengths = [...this.known.keys()].sort((a, b) => a - b);
    const shares = lengths.map((length) => this.share(this.known.get(length)));
    return [lengths, ...[0, 1].map((i) => shares.map((pair) => pair[i]))];
  }

  sentence() {
    if (this.fault) return this.fault;
    const { length, known } = this;
    const [layer, head] = this.claim;
    const target = this.typed ? `\u201c${this.target}\u201d` : this.target;
    if (!known.has(length)) return say`Measuring ${length} tokens.`;
    const [lengths, shares] = this.rows();
    const now = shares[lengths.indexOf(length)];
    if (isNaN(now)) return say`None of these ${length} tokens is ${target}. A long word is several tokens.`;
    const who = head ? say`head ${layer}.${head - 1}` : say`layer ${layer}`;
    const first = shares.findIndex((share) => !isNaN(share));
    const before = lengths[first] < length ? say` At ${lengths[first]} tokens it was ${shares[first].toFixed(2)}.` : "";
    const end = length === this.whole ? say` The text ends there.` : "";
    return say`At ${length} tokens, ${who} gives ${now.toFixed(2)} of its weight to ${target}.${before}${end}`;
  }

  /** The reader has moved a control. */
  moved() {
    // What a reader has asked for is heard, also before the first rest.
    this.figure.heard ??= "";
    this.draw();
    if (!this.known.has(this.length)) this.later();
  }

  draw() {
    const { figure } = this;
    const own = figure.places()[0] >= this.claims.length;
    for (const { node } of figure.fields.slice(1, 4)) node.hidden = !own;
    this.field.hidden = !own || !this.typed;
    figure.draw();
    // Where points stand is known once a panel has its size.
    figure.refresh();
  }

  /** Measure after a pause. */
  later() {
    this.stop?.abort();
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.measure([this.length]), PAUSE);
    this.draw();
  }

  /** What the button does next: measure all lengths, or stop that. */
  offer(busy) {
    this.busy = busy;
    this.run.textContent = busy ? say`Stop` : ALL;
  }

  /** Whatever is measured is given up for these lengths, which may be none. */
  async measure(lengths) {
    this.stop?.abort();
    const { signal } = (this.stop = new AbortController());
    this.fault = "";
    this.offer(lengths.length > 1);
    try {
      for (const first of lengths) {
        if (this.known.has(Math.min(first, this.whole ?? first))) continue;
        const changes = { out: [], wrong: false, padded: false, first };
        const { tokens, weights } = await this.model.encode(this.text.value, changes, signal);
        signal.throwIfAborted();
        this.known.set(tokens.length, { tokens, weights });
        if (tokens.length < first) this.whole = tokens.length;
        this.draw();
      }
      this.offer(false);
      if (lengths.length > 1) this.figure.change({ tokens: lengths.at(-1) });
    } catch (error) {
      if (signal.aborted) return;
      this.offer(false);
      this.fault = say`That did not work: ${error.message}.`;
      this.draw();
    }
  }
}
