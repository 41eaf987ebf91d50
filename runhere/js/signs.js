// The four signs on many numbers, row by row: the engine calls a function for each number, which takes ten times as long.
import { broadcast, size, stridesOf, tensor } from "../../kernelfree/js/engine/tensor.js";

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
};

/** What the engine makes of two operands of one type, to the bit; undefined where it has to do it. */
export function signs(name, a, b, Kind) {
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
