// A model that has been loaded: text in, what all its heads look at and an embedding out.
import { decoded, loaded, runKindly } from "../engine/engine.js";
import { unpacked } from "../engine/packed.js";
import { pacer } from "../engine/pause.js";
import { size } from "../engine/tensor.js";
import { means } from "./means.js";
import { cut } from "./wordpiece.js";

export class Encoder {
  /** From parts that are all here. */
  static async from({ index, bytes }, given) {
    const encoder = new Encoder();
    encoder.numbers = new Map(index.vocabulary.split("\n").map((token, number) => [token, number]));
    encoder.given = given;
    encoder.program = loaded(given.graph, await unpacked(bytes, index.tensors, pacer()));
    return encoder;
  }

  /**
   * The tokens of a text and, if they are not too many, what the model makes of them.
   * @param {string} text
   * @param {{out: number[], wrong: boolean, padded: boolean, first?: number}} changes heads that are
   *   out, whether scores have the wrong divisor, whether padding is added and not masked; only the
   *   first tokens of a text, of which means of the weights are kept
   * @param {AbortSignal} signal
   */
  async encode(text, { out, wrong, padded, first }, signal) {
    const { most, padding, divisors } = this.given;
    const { inputs, outputs } = this.program;
    let real = cut(text, this.numbers);
    if (first < real.length) real = [...real.slice(0, first - 1), "[SEP]"];
    if (real.length > (first ?? most)) return { tokens: real };
    const tokens = [...real, ...Array(padded ? padding : 0).fill("[PAD]")];
    const keep = Array(size(inputs.find(({ name }) => name === "keep").shape)).fill(1);
    for (const head of out) keep[head] = 0;
    const data = {
      ids: tokens.map((token) => this.numbers.get(token)),
      seen: [tokens.length],
      real: [real.length],
      keep,
      divisor: [divisors[wrong ? 1 : 0]],
    };
    const tensors = inputs.map(({ name, shape, dtype }) =>
      decoded({ shape: name === "ids" ? [1, tokens.length] : shape, dtype, data: data[name] }),
    );
    const values = await runKindly(this.program, tensors, signal);
    const [weights, embedding] = ["weights", "embedding"].map((name) => values[outputs[name].slice(1)].data);
    return { tokens, weights: first ? means(weights, tokens.length) : weights, embedding };
  }
}
