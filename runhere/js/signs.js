// The four signs, exp, tanh and sums on many numbers, row by row: the engine calls a function for each number, which
// takes up to ten times as long.
import { axis, broadcast, size, stridesOf, tensor } from "../../kernelfree/js/engine/tensor.js";

const FEWEST = 200;
const ROWS = {
  add(out, to, count, a, i, u, b, j, v) {
    for (let n = 0; n < count; n++) out[to + n] = a[i + n * u] + b[j + n * v];
  },
  sub(out, to, count, a, i, u, b, j, v) {
    for (let n = 0; n < count; n++) out[to + n] = a[i + n * u] - b[j + n * v];
  },
  mul(out, to, count, a, i, u, b, j, v) {
    for (let n = 0; n < count; n++) out[to + n] = a[i + n * u] * b[j + n * v];
  },
  div(out, to, count, a, i, u, b, j, v) {
    for (let n = 0; n < count; n++) out[to + n] = a[i + n * u] / b[j + n * v];
  },
  exp(out, to, count, a, i, u) {
    for (let n = 0; n < count; n++) out[to + n] = Math.exp(a[i + n * u]);
  },
  tanh(out, to, count, a, i, u) {
    for (let n = 0; n < count; n++) out[to + n] = Math.tanh(a[i + n * u]);
  },
};

/** What the engine makes of one operand, or two of one type, to the bit; undefined where it has to do it. */
export function signs(name, a, b = a, Kind) {
  const row = ROWS[name];
  if (!row || (a.data ?? b.data).length + (b.data ?? a.data).length < FEWEST) return undefined;
  const [x, y] = [a, b].map((one) => (typeof one === "number" ? tensor([], Kind.of(one)) : one));
  if (!(x.data instanceof Kind && y.data instanceof Kind)) return undefined;
  const shape = broadcast(x.shape, y.shape);
  const out = tensor(shape, new Kind(size(shape)));
  const same = x.data.length === out.data.length && y.data.length === out.data.length;
  const axes = same ? [out.data.length] : shape;
  const [p, q] = [x, y].map((one) => steps(same ? axes : one.shape, axes));
  const last = axes.length - 1;
  let to = 0;
  const fill = (depth, i, j) => {
    if (depth < last) for (let n = 0; n < axes[depth]; n++) fill(depth + 1, i + n * p[depth], j + n * q[depth]);
    else {
      row(out.data, to, axes[last], x.data, i, p[last], y.data, j, q[last]);
      to += axes[last];
    }
  };
  if (out.data.length) fill(0, 0, 0);
  return out;
}

/** The steps in which the entries of one shape fill another. */
function steps(from, shape) {
  const missing = shape.length - from.length;
  const strides = stridesOf(from);
  return shape.map((n, i) => (i < missing || (from[i - missing] === 1 && n !== 1) ? 0 : strides[i - missing]));
}

/** Sums over some axes (null: all), as the engine makes them of rows that it gathers first. */
export function sums(x, dims = null, keep = false) {
  const { shape, data } = x;
  const list = dims === null || dims.length === 0 ? [...shape.keys()] : [dims].flat();
  const gone = new Set(list.map((dim) => axis(dim, shape.length)));
  const left = shape.map((n, i) => (gone.has(i) ? 1 : n));
  const out = tensor(keep ? left : left.filter((_, i) => !gone.has(i)));
  const steps = stridesOf(left).map((step, i) => (gone.has(i) ? 0 : step));
  const last = shape.length - 1;
  const total = out.data;
  const fill = (depth, from, to) => {
    const count = shape[depth];
    if (depth < last) for (let i = 0; i < count; i++) from = fill(depth + 1, from, to + i * steps[depth]);
    else if (steps[depth]) for (let i = 0; i < count; i++) total[to + i] += data[from + i];
    else {
      let sum = total[to];
      for (let i = 0; i < count; i++) sum += data[from + i];
      total[to] = sum;
    }
    return depth < last ? from : from + count;
  };
  if (last < 0) total[0] = data[0] + 0;
  else if (data.length) fill(0, 0, 0);
  return out;
}
