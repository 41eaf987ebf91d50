// PyTorch's operations by name, with its arguments in its order. A result is stored as the type
// that the step says, so casts are nothing here, and sums are made in double precision.
import {
  axis,
  broadcast,
  expand,
  fold,
  isNumber,
  map,
  permute,
  products,
  rows,
  size,
  stridesOf,
  take,
  tensor,
  view,
} from "./tensor.js";

export const EACH = {
  rsub: (a, b) => b - a,
  mul: (a, b) => a * b,
  pow: (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b),
  maximum: Math.max,
  minimum: Math.min,
  remainder: (a, b) => (a % b && a < 0 !== b < 0 ? (a % b) + b : a % b),
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  logical_and: (a, b) => a !== 0 && b !== 0,
  logical_or: (a, b) => a !== 0 || b !== 0,
  logical_not: (a) => a === 0,
  bitwise_and: (a, b) => Number(BigInt(a) & BigInt(b)),
  bitwise_or: (a, b) => Number(BigInt(a) | BigInt(b)),
  neg: (a) => -a,
  abs: Math.abs,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  square: (a) => a * a,
  tanh: Math.tanh,
  sigmoid: (a) => 1 / (1 + Math.exp(-a)),
  relu: (a) => Math.max(a, 0),
  floor: Math.floor,
  ceil: Math.ceil,
  isnan: (a) => a !== a,
  where: (mask, a, b) => (mask ? a : b),
  masked_fill: (a, mask, value) => (mask ? value : a),
};

function floorDivide(a, b) {
  if (b === 0) return a / b;
  const rest = a % b;
  const quotient = (a - rest) / b - (rest && b < 0 !== rest < 0 ? 1 : 0);
  return quotient ? Math.floor(quotient) + /** @type {any} */ (quotient - Math.floor(quotient) > 0.5) : 0 * (a / b);
}

export const sum = (row) => {
  let total = 0;
  for (let i = 0; i < row.length; i++) total += row[i];
  return total;
};
export const most = (row) => row.reduce((a, b) => Math.max(a, b), -Infinity);
export const least = (row) => row.reduce((a, b) => Math.min(a, b), Infinity);
export const place = (best) => (row) =>
  Math.max(
    row.indexOf(best(row)),
    row.findIndex((a) => a !== a),
  );
export function exponentials(row) {
  const top = most(row);
  const parts = row.slice();
  for (let i = 0; i < row.length; i++) parts[i] = Math.exp(row[i] - top);
  return parts;
}
export function softmaxRow(row) {
  const parts = exponentials(row);
  const total = sum(parts);
  for (let i = 0; i < row.length; i++) parts[i] /= total;
  return parts;
}
export const swap = (x, a, b) => {
  const order = [...x.shape.keys()];
  [a, b] = [axis(a, order.length), axis(b, order.length)];
  [order[a], order[b]] = [b, a];
  return permute(x, order);
};

/** Matrix products as torch.matmul broadcasts them. */
export function* matmul(a, b) {
  const [row, column] = [a.shape.length === 1, b.shape.length === 1];
  if (row) a = view(a, [1, ...a.shape]);
  b = column ? view(b, [1, ...b.shape]) : swap(b, -1, -2);
  const lead = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const [n, k] = a.shape.slice(-2);
  const m = b.shape.at(-2);
  const [left, right] = [expand(a, [...lead, n, k]), expand(b, [...lead, m, k])];
  const data = yield* products(left.data, right.data, size(lead), n, m, k);
  return tensor([...lead, ...(row ? [] : [n]), ...(column ? [] : [m])], data);
}

function* linear(x, weight, bias) {
  const [m, k] = weight.shape;
  const lead = x.shape.slice(0, -1);
  const data = yield* products(x.data, weight.data, 1, size(lead), m, k);
  if (bias) for (let i = 0; i < data.length; i++) data[i] += bias.data[i % m];
  return tensor([...lead, m], data);
}

export function cat(given, dim = 0) {
  const xs = given.filter((x) => x.shape.length > 1 || x.data.length);
  if (!xs.length) return given[0];
  const at = axis(dim, xs[0].shape.length);
  const moved = xs.map((x) => permute(x, [at, ...[...x.shape.keys()].filter((i) => i !== at)]));
  const data = new Float64Array(xs.reduce((total, x) => total + x.data.length, 0));
  let to = 0;
  for (const x of moved) {
    data.set(x.data, to);
    to += x.data.length;
  }
  const length = moved.reduce((total, x) => total + x.shape[0], 0);
  const joined = tensor([length, ...moved[0].shape.slice(1)], data);
  const order = [...joined.shape.keys()].slice(1);
  return permute(joined, [...order.slice(0, at), 0, ...order.slice(at)]);
}

export function slice(x, dim = 0, start, end, step = 1) {
  const at = axis(dim, x.shape.length);
  const length = x.shape[at];
  const clamp = (n) => Math.max(0, Math.min(length, n < 0 ? n + length : n));
  const [from, to] = [clamp(start ?? 0), clamp(end ?? length)];
  const strides = stridesOf(x.shape);
  const shape = x.shape.with(at, Math.max(0, Math.ceil((to - from) / step)));
  return take(x, shape, strides.with(at, strides[at] * step), from * strides[at]);
}

function select(x, dim, index) {
  const at = axis(dim, x.shape.length);
  const part = slice(x, at, index, index === -1 ? undefined : index + 1);
  return tensor(x.shape.toSpliced(at, 1), part.data);
}

export function split(x, sizes, dim = 0) {
  const length = x.shape[axis(dim, x.shape.length)];
  const list = isNumber(sizes)
    ? Array.from({ length: Math.ceil(length / sizes) || 1 }, (_, i) => Math.min(sizes, length - i * sizes))
    : sizes;
  let start = 0;
  return list.map((n) => slice(x, dim, start, (start += n)));
}

function repeatEach(x, count, dim) {
  if (!isNumber(dim)) return repeatEach(view(x, [-1]), count, 0);
  const at = axis(dim, x.shape.length) + 1;
  const apart = view(x, x.shape.toSpliced(at, 0, 1));
  const wide = expand(apart, apart.shape.with(at, count));
  return view(wide, x.shape.with(at - 1, x.shape[at - 1] * count));
}

export const full = (shape, value) => tensor(shape, new Float64Array(size(shape)).fill(value));

export function arange(...given) {
  const [start, end, step = 1] = given.length > 1 ? given : [0, given[0]];
  const length = Math.max(0, Math.ceil((end - start) / step));
  return tensor(
    [length],
    Float64Array.from({ length }, (_, i) => start + i * step),
  );
}

/** max and min: of all, along an axis with places, or of two tensors. */
const extreme = (best, pick) => (x, other, keep) => {
  if (other?.data) return map(pick, x, other);
  if (other === undefined) return fold(x, null, false, best);
  return [best, place(best)].map((f) => fold(x, [other], keep, f));
};

export const reducer =
  (f) =>
  (x, dims = null, keep = false) =>
    fold(x, dims, keep, f);
export const same = (x) => x;

export const OPERATIONS = {
  add: (a, b, { alpha = 1 } = {}) => map((x, y) => x + alpha * y, a, b),
  sub: (a, b, { alpha = 1 } = {}) => map((x, y) => x - alpha * y, a, b),
  div(a, b, /** @type {{rounding_mode?: string}} */ { rounding_mode: mode } = {}) {
    return map(mode === "floor" ? floorDivide : (x, y) => (mode ? Math.trunc(x / y) : x / y), a, b);
  },
  floor_divide: (a, b) => map(floorDivide, a, b),
  bitwise_not: (x) => map(x.data instanceof Uint8Array ? (a) => 1 - a : (a) => -1 - a, x),
  clamp: (x, low, high) => map(Math.min, map(Math.max, x, low ?? -Infinity), high ?? Infinity),
  clamp_min: (x, low) => map(Math.max, x, low),
  clamp_max: (x, high) => map(Math.min, x, high),
  sum: reducer(sum),
  mean: reducer((row) => sum(row) / row.length),
  amax: reducer(most),
  amin: reducer(least),
  all: reducer((row) => row.every((a) => a !== 0)),
  any: reducer((row) => row.some((a) => a !== 0)),
  argmax: reducer(place(most)),
  max: extreme(most, Math.max),
  min: extreme(least, Math.min),
  softmax: (x, dim) => rows(x, dim, softmaxRow),
  matmul,
  mm: matmul,
  bmm: matmul,
  linear,
  to: same,
  view,
  reshape: view,
  flatten(x, start = 0, end = -1) {
    const [from, to] = [axis(start, x.shape.length), axis(end, x.shape.length) + 1];
    return view(x, [...x.shape.slice(0, from), size(x.shape.slice(from, to)), ...x.shape.slice(to)]);
  },
  unflatten(x, dim, sizes) {
    const at = axis(dim, x.shape.length);
    const known = -size(sizes);
    return view(x, x.shape.toSpliced(at, 1, ...sizes.map((n) => (n === -1 ? x.shape[at] / known : n))));
  },
  squeeze(x, dims = [...x.shape.keys()]) {
    const gone = [dims].flat().map((dim) => axis(dim, x.shape.length));
    return tensor(
      x.shape.filter((n, i) => n !== 1 || !gone.includes(i)),
      x.data,
    );
  },
  unsqueeze: (x, dim) => tensor(x.shape.toSpliced(axis(dim, x.shape.length + 1), 0, 1), x.data),
  transpose: swap,
  permute,
  numpy_T: (x) => permute(x, [...x.shape.keys()].reverse()),
  mT: (x) => swap(x, -1, -2),
  expand,
  expand_as: (x, { shape }) => expand(x, shape),
  repeat_interleave: repeatEach,
  slice,
  select,
  split,
  unbind: (x, dim = 0) => Array.from({ length: x.shape[axis(dim, x.shape.length)] }, (_, i) => select(x, dim, i)),
  getitem: (list, at) => list[at],
  cat,
  stack(xs, dim = 0) {
    return cat(
      xs.map((x) => OPERATIONS.unsqueeze(x, dim)),
      axis(dim, xs[0].shape.length + 1),
    );
  },
  arange,
  full,
  zeros: (shape) => full(shape, 0),
  ones: (shape) => full(shape, 1),
  full_like: ({ shape }, value) => full(shape, value),
  zeros_like: ({ shape }) => full(shape, 0),
  ones_like: ({ shape }) => full(shape, 1),
  new_zeros: (_, shape) => full(shape, 0),
  sym_size: ({ shape }, dim) => shape[axis(dim, shape.length)],
  sym_float: same,
};
for (const name in EACH) OPERATIONS[name] = (...xs) => map(EACH[name], ...xs);
