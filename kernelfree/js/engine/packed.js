// Rounded weights, as model.py of the book's extension packs them: for each 32 numbers a scale in
// float16, their low bytes, and two more bits of each.
import { size, tensor } from "./tensor.js";

const BLOCK = 32;
const BYTES = 42;
const ZERO = 512;
// Numbers that are unpacked without a rest.
const SOME = 96_000;

/** The float16 that two bytes are; a scale is never negative. */
function half(low, high) {
  const bits = low | (high << 8);
  const exponent = bits >> 10;
  return exponent ? (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15) : (bits & 1023) * 2 ** -24;
}

/** Numbers from `from` to `to` (both whole blocks) of packed bytes, written to `out`. */
function unpack(bytes, from, to, out) {
  for (let n = from; n < to; n += BLOCK) {
    const at = (n / BLOCK) * BYTES;
    const scale = half(bytes[at], bytes[at + 1]);
    for (let i = 0; i < BLOCK; i++) {
      const more = (bytes[at + 2 + BLOCK + (i >> 2)] >> (2 * (i & 3))) & 3;
      out[n - from + i] = scale * ((more << 8) + bytes[at + 2 + i] - ZERO);
    }
  }
  return out;
}

/** A large table's numbers, of which a row is unpacked when it is looked up. */
class Packed {
  constructor(bytes) {
    this.bytes = bytes;
    this.constructor = Float32Array;
  }

  subarray(from, to) {
    return unpack(this.bytes, from, to, new Float32Array(to - from));
  }
}

/**
 * Tensors by name from the bytes of all; a rest is taken after each. The largest stays packed.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {import("../classes").PackedTensor[]} places
 * @returns {Promise<Record<string, import("../classes").Tensor>>}
 */
export async function unpacked(bytes, places, rest) {
  const found = {};
  const most = Math.max(...places.map(([, shape]) => size(shape)));
  for (const [name, shape, start, rounded] of places) {
    const count = size(shape);
    const end = start + (rounded ? (count / BLOCK) * BYTES : 4 * count);
    const own = bytes.slice(start, end);
    if (!rounded) found[name] = tensor(shape, new Float32Array(own.buffer));
    else if (count === most) found[name] = tensor(shape, new Packed(own));
    else {
      const data = new Float32Array(count);
      for (let at = 0; at < count; at += SOME, await rest())
        unpack(own, at, Math.min(count, at + SOME), data.subarray(at));
      found[name] = tensor(shape, data);
    }
    await rest();
  }
  return found;
}
