// The fields above the figure of a sentence, and what a model answers to them.

import { pause } from "../engine/pause.js";
import { block, button, make, spokenLine } from "../figure/nodes.js";
import { minus } from "../figure/numbers.js";
import { say } from "../say.js";
import { renew } from "./renew.js";

const RIGHT = { out: [], wrong: false, padded: false };
// Milliseconds without a key, after which a sentence is computed.
const PAUSE = 200;
// Embeddings that are kept.
const KEPT = 100;

const cosine = (u, v) => u.reduce((sum, n, i) => sum + n * v[i], 0);
const rounded = (number) => minus(number.toFixed(2));

/** A switch and its label. */
function switched(text, onchange) {
  const field = make("input", { type: "checkbox", role: "switch", onchange });
  return [field, make("label", { className: "field" }, field, text)];
}

export class Box {
  out = new Set();
  known = new Map();
  count = make("span", { className: "count" });
  status = spokenLine();
  list = make("ol");

  constructor(figure, group, experiment, close) {
    Object.assign(this, { figure, group, experiment, given: figure.encoder });
    this.head = button("", () => this.turn());
    this.back = button(say`Put all heads back`, () => this.turn(true));
    this.node = this.fields(close ? button(say`Put the model away`, close) : "");
    this.open();
  }

  fields(close) {
    const {
      sentence,
      compare,
      most,
      padding,
      divisors: [right, wrong],
    } = this.given;
    const later = () => this.later();
    const text = (id, rows, value) =>
      make("textarea", { id, rows, value, maxLength: 2000, spellcheck: false, oninput: later });
    this.sentence = text("sentence", 2, sentence);
    this.others = text("others", compare.length, compare.join("\n"));
    const [wrongly, one] = switched(say`divide scores by \u221a${wrong}, not \u221a${right}`, later);
    const [padded, two] = switched(say`${padding} tokens of padding and no mask`, later);
    Object.assign(this, { wrongly, padded });
    return block(
      "own",
      block("head", make("label", { htmlFor: "sentence" }, say`Your sentence, ${most} tokens at most`), this.count),
      this.sentence,
      block("controls", block("field", this.head, this.back), one, two),
      make("label", { htmlFor: "others" }, say`Sentences to compare it with, one on each line`),
      block("beside", this.others, this.list),
      this.status,
      close,
    );
  }

  /** Answer by a model from now on; without one, no more. */
  open(model) {
    this.stop?.abort();
    this.experiment.open(model);
    this.model?.close();
    clearTimeout(this.soon);
    this.known.clear();
    this.model = model;
    this.node.hidden = !model;
    this.draw();
    if (model) this.answer();
  }

  /** What changes where the figure's controls move. */
  draw() {
    const chosen = this.chosen();
    const name = this.figure.controls.map((_, i) => this.placed(chosen)[i]).join(".");
    this.head.textContent = this.out.has(chosen) ? say`Put back head ${name}` : say`Take out head ${name}`;
    this.back.hidden = !this.out.size;
  }

  get heads() {
    return this.figure.controls[1].options.length;
  }

  chosen() {
    const [layer, head] = this.figure.places();
    return layer * this.heads + head;
  }

  placed(number) {
    return [Math.floor(number / this.heads), number % this.heads];
  }

  /** Take the chosen head out or put it back, or all of them. */
  turn(all) {
    const head = this.chosen();
    if (all) this.out.clear();
    else if (!this.out.delete(head)) this.out.add(head);
    this.draw();
    this.later();
  }

  /** Answer after a pause; what was asked before is given up. */
  later() {
    this.stop?.abort();
    this.node.ariaBusy = true;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.answer(), PAUSE);
  }

  /** What the model makes of a text; embeddings are kept. */
  async embedding(text, changes, signal) {
    const key = JSON.stringify([text, changes]);
    if (!this.known.has(key)) {
      const made = await this.model.encode(text, changes, signal);
      signal.throwIfAborted();
      if (this.known.size > KEPT) this.known.clear();
      this.known.set(key, made.embedding);
    }
    return this.known.get(key);
  }

  /** Who calls this has given up what was asked before. */
  async answer() {
    this.node.ariaBusy = true;
    const { signal } = (this.stop = new AbortController());
    try {
      await this.answered(signal);
    } catch (error) {
      if (!signal.aborted) {
        this.count.textContent = "";
        this.status.textContent = say`That did not work: ${error.message}. Change the sentence to try again.`;
      }
    } finally {
      if (!signal.aborted) this.node.ariaBusy = false;
    }
  }

  async answered(signal) {
    const changes = {
      out: [...this.out].sort((a, b) => a - b),
      wrong: this.wrongly.checked,
      padded: this.padded.checked,
    };
    const changed = JSON.stringify(changes) !== JSON.stringify(RIGHT);
    const text = this.sentence.value;
    this.count.textContent = say`computing`;
    const made = await this.model.encode(text, changes, signal);
    signal.throwIfAborted();
    const { most, padding } = this.given;
    const real = made.tokens.length - (made.weights && changes.padded ? padding : 0);
    const unknown = made.tokens.filter((token) => token === "[UNK]").length;
    this.count.textContent = unknown
      ? say`${real} tokens, ${unknown} of them unknown to the model: [UNK]`
      : say`${real} tokens`;
    this.sentence.ariaInvalid = !made.weights;
    this.status.textContent = made.weights ? "" : say`That is more than ${most} tokens. The last sentence stays below.`;
    if (!made.weights) return;
    await pause();
    signal.throwIfAborted();
    // A picture that is still being drawn is finished first.
    const drawn = () => renew(this.figure, this.group, made.tokens, made.weights);
    await (this.drawn = Promise.allSettled([this.drawn]).then(drawn));
    signal.throwIfAborted();
    this.list.replaceChildren();
    for (const line of this.others.value.split("\n").filter((one) => one.trim())) {
      const other = await this.embedding(line, changes, signal);
      this.list.append(
        make("li", {}, make("b", {}, other ? rounded(cosine(made.embedding, other)) : say`too long`), ` ${line}`),
      );
    }
    if (!changed) return;
    const right = await this.embedding(text, RIGHT, signal);
    this.status.textContent = say`With these changes, the cosine with what the sentence should be is ${rounded(cosine(made.embedding, right))}.`;
  }
}
