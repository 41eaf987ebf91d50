// The model of chapter 11: it reads a text, looks at it, and writes a date. Its weights stand in
// weights.js, which pages/finger.py makes, rounded to 8 bits with a scale for each row.

import { decodedBytes } from "../../../kernelfree/js/model/files.js";

/** @typedef {Float32Array[]} Matrix rows of numbers */

const ROWS = 10;
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const largest = (row) => row.indexOf(Math.max(...row));

/** A matrix times a column, and a bias. */
const linear = (matrix, x, bias) =>
  matrix.map((row, i) => x.reduce((sum, number, j) => sum + row[j] * number, bias ? bias[0][i] : 0));

/** A step of PyTorch's GRU, whose matrices hold the rows of r, z and n one after the other. */
function step([W, U, b, c], x, state) {
  const given = linear(W, x, b);
  const kept = linear(U, state, c);
  const size = state.length;
  return state.map((old, i) => {
    const r = sigmoid(given[i] + kept[i]);
    const z = sigmoid(given[size + i] + kept[size + i]);
    const n = Math.tanh(given[2 * size + i] + r * kept[2 * size + i]);
    return (1 - z) * n + z * old;
  });
}

function softmax(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** Tensors by name; the numbers of each row come after their scale. */
function unpacked({ shapes, bytes }) {
  const view = new DataView(decodedBytes(bytes).buffer);
  let at = 0;
  const row = (length) => {
    const scale = view.getFloat32(at, true);
    at += 4;
    return Float32Array.from({ length }, () => scale * view.getInt8(at++));
  };
  return Object.fromEntries(
    Object.entries(shapes).map(([name, [rows, columns]]) => [name, Array.from({ length: rows }, () => row(columns))]),
  );
}

export class Writer {
  constructor(given) {
    const found = unpacked(given);
    /** @type {(name: string) => Matrix} */
    const of = (name) => found[name];
    const gru = (name) =>
      ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"].map((part) => of(name.replace("*", part)));
    this.alphabet = given.alphabet;
    this.digits = given.digits;
    this.places = given.places;
    this.of = of;
    this.readers = [gru("encoder.*"), gru("encoder.*_reverse")];
    this.decoder = gru("decoder.*");
  }

  /** The characters of a text that the model has never seen. */
  unknown(text) {
    return [...new Set(text)].filter((character) => !this.alphabet.includes(character));
  }

  /** (11.1), and the decoder's first state. */
  read(text) {
    const { of } = this;
    const inputs = [...text].map((character) => of("embed_read.weight")[this.alphabet.indexOf(character) + 1]);
    const [forth, back] = this.readers.map((reader, backwards) => {
      let state = Array(reader[1][0].length).fill(0);
      const states = (backwards ? inputs.toReversed() : inputs).map((x) => (state = step(reader, x, state)));
      return backwards ? states.reverse() : states;
    });
    const keys = forth.map((state, i) => [...state, ...back[i]]);
    const first = linear(of("W_0.weight"), [...forth.at(-1), ...back[0]], of("W_0.bias")).map(Math.tanh);
    return { keys, first, projected: keys.map((key) => linear(of("attention.W_k.weight"), key)) };
  }

  /**
   * (11.2) and (11.3), ten times: what is written, and the rows of weights.
   * @param {ReturnType<Writer["read"]>} text
   * @param {(row: number, weights: number[]) => number[]} change what is made of each row of weights
   */
  write({ keys, first, projected }, change = (_, weights) => weights) {
    const { of } = this;
    const [w] = of("attention.w_v.weight");
    const rows = [];
    let [state, before, written] = [first, this.digits.length, ""];
    for (let t = 0; t < ROWS; t++) {
      state = step(this.decoder, of("embed_written.weight")[before], state);
      const query = linear(of("attention.W_q.weight"), state);
      const scores = projected.map((key) => key.reduce((sum, k, i) => sum + w[i] * Math.tanh(query[i] + k), 0));
      rows[t] = change(t, softmax(scores));
      const context = keys[0].map((_, i) => keys.reduce((sum, key, j) => sum + rows[t][j] * key[i], 0));
      before = largest(linear(of("W.weight"), [...state, ...context], of("W.bias")));
      written += this.digits[before];
    }
    return { written, rows };
  }
}
