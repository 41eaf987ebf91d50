// Products of matrices by a small program in WebAssembly, where there is one: to the bit what products() of tensor.js
// makes. Each sum is made in double precision, in the order of its terms; columns are summed two at a time.
import { broadcast, places, size, tensor } from "./tensor.js";

const SIDE = 4; // of the tile of sums that the program makes at a time
const ROOM = 2 ** 15; // numbers of each factor that are at hand together

/** A number as WebAssembly writes it, 7 bits a byte. */
const spelled = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...spelled(n >> 7)]);
const part = (kind, bytes) => [kind, ...spelled(bytes.length), ...bytes];
const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const vector = (operation, ...more) => [0xfd, ...spelled(operation), ...more];
const further = (local, by) => [...get(local), 0x41, ...spelled(by), 0x6a, ...set(local)];

/** The program: it sums terms from `left` until `end`, and from `right`; its tile stands at 0 in its memory. */
function program() {
  const [left, right, end, pair, one, sums] = [0, 1, 2, 3, 5, 6];
  const each = Array.from({ length: (SIDE * SIDE) / 2 }, (_, i) => [i >> 1, i & 1, sums + i]);
  const body = [
    ...[1, 3 + each.length, 0x7b], // locals: vectors of two numbers
    ...[3, 0x40],
    ...[0, 1].flatMap((i) => [...get(right), ...vector(0, 3, 16 * i), ...set(pair + i)]),
    ...each.flatMap(([row, half, sum]) => [
      ...(half ? [] : [...get(left), ...vector(10, 3, 8 * row), ...set(one)]),
      ...[...get(sum), ...get(one), ...get(pair + half), ...vector(242), ...vector(240), ...set(sum)],
    ]),
    ...[...further(left, 8 * SIDE), ...further(right, 8 * SIDE), ...get(left), ...get(end), 0x49, 0x0d, 0, 0x0b],
    ...each.flatMap(([, , sum], i) => [0x41, 0, ...get(sum), ...vector(11, 3, ...spelled(16 * i))]),
    0x0b,
  ];
  return Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...part(1, [1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0]),
    ...part(2, [1, 0, 0, 2, 0, 1]),
    ...part(3, [1, 0]),
    ...part(7, [1, 0, 0, 0]),
    ...part(10, [1, ...spelled(body.length), ...body]),
  ]);
}

/** Whether the program runs here. */
export const WIDE = typeof WebAssembly === "object" && WebAssembly.validate(program());

let memory, numbers, tile;

/** Make room for so many numbers. */
function roomFor(count) {
  if (!memory) {
    memory = new WebAssembly.Memory({ initial: 1 });
    tile = new WebAssembly.Instance(new WebAssembly.Module(program()), { "": { "": memory } }).exports[""];
  }
  const lacking = Math.ceil((8 * count - memory.buffer.byteLength) / 65536);
  if (lacking > 0) memory.grow(lacking);
  if (numbers?.buffer !== memory.buffer) numbers = new Float64Array(memory.buffer);
}

/** Rows of a factor, four beside each other, entry by entry; where fewer are left, the last ones again. */
function lay(to, data, from, count, step, length, stride) {
  for (let i = 0; i < count; i += SIDE, to += SIDE * length)
    for (let d = 0; d < SIDE; d++)
      for (let c = 0, at = to + d, place = from + Math.min(i + d, count - 1) * step; c < length; c++, at += SIDE) {
        numbers[at] = data[place];
        place += stride;
      }
}

/** The product of a (n, k) at `from` and b (k, m) at `start`, written to `out` from `to` on. */
function matrix(out, to, a, from, rise, over, b, start, down, along, n, m, k) {
  const most = Math.max(SIDE, Math.floor(ROOM / k / SIDE) * SIDE);
  const [left, right] = [SIDE * SIDE, SIDE * SIDE + most * k];
  for (let column = 0; column < m; column += most) {
    const width = Math.min(most, m - column);
    lay(right, b, start + column * along, width, along, k, down);
    for (let row = 0; row < n; row += most) {
      const height = Math.min(most, n - row);
      lay(left, a, from + row * rise, height, rise, k, over);
      for (let i = 0; i < height; i += SIDE)
        for (let j = 0; j < width; j += SIDE) {
          tile(8 * (left + i * k), 8 * (right + j * k), 8 * (left + (i + SIDE) * k));
          const [rows, columns] = [Math.min(SIDE, height - i), Math.min(SIDE, width - j)];
          for (let r = 0, at = to + (row + i) * m + column + j; r < rows; r++, at += m)
            for (let c = 0; c < columns; c++) out[at + c] = numbers[SIDE * r + c];
        }
    }
  }
}

/** A matrix a (n, k) times a column b (k): four sums at a time. */
function column(out, to, a, from, rise, over, b, start, down, n, k) {
  for (let i = 0; i < n; i += 4) {
    const last = n - 1 - i;
    const [next, third, fourth] = [1, 2, 3].map((d) => Math.min(d, last) * rise);
    let p = 0;
    let q = 0;
    let r = 0;
    let s = 0;
    for (let c = 0, at = from + i * rise, place = start; c < k; c++, at += over, place += down) {
      const x = b[place];
      p += a[at] * x;
      q += a[at + next] * x;
      r += a[at + third] * x;
      s += a[at + fourth] * x;
    }
    out[to + i] = p;
    if (last > 0) out[to + i + 1] = q;
    if (last > 1) out[to + i + 2] = r;
    if (last > 2) out[to + i + 3] = s;
  }
}

/** Where each matrix of a factor begins, in the order of the axes before its last two. */
function starts({ shape, strides, start }, lead) {
  const missing = lead.length + 2 - shape.length;
  const step = (_, i) => (i < missing || shape[i - missing] === 1 ? 0 : strides[i - missing]);
  return places(lead, lead.map(step), start);
}

/**
 * Products as matmul of operations.js makes them, of factors that may lie in any strides.
 * @typedef {{ data: any, shape: number[], strides: number[], start: number }} Lying
 * @param {Lying} a @param {Lying} b
 */
export function wideProduct(a, b, Kind) {
  const [row, single] = [a.shape.length === 1, b.shape.length === 1];
  if (row) a = { ...a, shape: [1, ...a.shape], strides: [0, ...a.strides] };
  if (single) b = { ...b, shape: [...b.shape, 1], strides: [...b.strides, 0] };
  const lead = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const [n, k] = a.shape.slice(-2);
  const m = b.shape.at(-1);
  const shape = [...lead, ...(row ? [] : [n]), ...(single ? [] : [m])];
  const out = new Kind(size(lead) * n * m);
  const [rise, over, down, along] = [a, b].flatMap(({ strides }) => strides.slice(-2));
  // One matrix b for all: their rows are those of one matrix, where they lie so.
  const one =
    b.shape.length === 2 &&
    a.strides.every((step, i) => i > lead.length - 1 || step === a.shape[i + 1] * a.strides[i + 1]);
  const rows = one ? size(lead) * n : n;
  if (!out.length || !k) return tensor(shape, out);
  const from = starts(b, lead);
  if (rows > 1 && m > 1) roomFor(SIDE * SIDE + 2 * Math.max(ROOM, SIDE * k));
  starts(a, one ? lead.map(() => 1) : lead).forEach((place, i) => {
    if (m === 1) column(out, i * n, a.data, place, rise, over, b.data, from[i], down, rows, k);
    else if (rows === 1) column(out, i * m, b.data, from[i], along, down, a.data, place, over, m, k);
    else matrix(out, i * n * m, a.data, place, rise, over, b.data, from[i], down, along, rows, m, k);
  });
  return tensor(shape, out);
}
