// Operations that few figures need: numbers at other places, and new tensors.
import { arange, cat, full, OPERATIONS, slice, split } from "./operations.js";
import { asTensor, axis, broadcast, expand, map, permute, size, stridesOf, take, tensor, view } from "./tensor.js";

export function gather(x, dim, places) {
  const at = axis(dim, x.shape.length);
  const out = tensor(places.shape);
  const [from, to] = [stridesOf(x.shape), stridesOf(places.shape)];
  places.data.forEach((n, i) => {
    const start = to.reduce((total, step, d) => {
      const place = d === at ? n : Math.floor(i / step) % places.shape[d];
      return total + from[d] * place;
    }, 0);
    out.data[i] = x.data[start];
  });
  return out;
}

function repeat(x, counts) {
  const shape = [...counts.slice(x.shape.length).map(() => 1), ...x.shape];
  const apart = view(
    x,
    shape.flatMap((n) => [1, n]),
  );
  return view(
    expand(
      apart,
      shape.flatMap((n, i) => [counts[i], n]),
    ),
    shape.map((n, i) => n * counts[i]),
  );
}

/** Keep the entries whose column minus row a test allows. */
function triangle(x, allows) {
  const [n, m] = x.shape.slice(-2);
  return tensor(
    x.shape,
    x.data.map((a, i) => (allows((i % m) - (Math.floor(i / m) % n)) ? a : 0)),
  );
}

function pad(x, sizes, _, value = 0) {
  for (let i = 0; i < sizes.length; i += 2) {
    const dim = x.shape.length - 1 - i / 2;
    const blank = (n) => full(x.shape.with(dim, n), value ?? 0);
    const [before, after] = [sizes[i], sizes[i + 1]];
    x = slice(x, dim, Math.max(0, -before), x.shape[dim] + Math.min(0, after));
    x = cat([blank(Math.max(0, before)), x, blank(Math.max(0, after))], dim);
  }
  return x;
}

function linspace(start, end, steps) {
  const step = (end - start) / (steps - 1);
  const at = (_, i) => (i < steps / 2 ? start + i * step : end - (steps - 1 - i) * step);
  return tensor([steps], Float64Array.from({ length: steps }, steps > 1 ? at : () => start));
}

/** x[..., index, ...] with tensors of places; null takes a whole axis. */
function index(x, places) {
  const used = [...places.keys()].filter((i) => places[i]);
  const shape = used.map((i) => places[i].shape).reduce(broadcast);
  const whole = [...x.shape.keys()].filter((i) => !places[i]);
  const strides = stridesOf(x.shape);
  const starts = tensor(shape);
  for (const i of used)
    expand(places[i], shape).data.forEach((n, at) => {
      starts.data[at] += strides[i] * (n < 0 ? n + x.shape[i] : n);
    });
  const rest = whole.map((i) => x.shape[i]);
  const parts = [...starts.data].map((start) =>
    take(
      x,
      rest,
      whole.map((i) => strides[i]),
      start,
    ),
  );
  const data = new Float64Array(size(shape) * size(rest));
  parts.forEach((part, i) => data.set(part.data, i * part.data.length));
  const out = tensor([...shape, ...rest], data);
  // Neighbours among the axes stay where they were; else they come first.
  const first = used.every((i, n) => i === used[0] + n) ? used[0] : 0;
  const axes = [...out.shape.keys()];
  const moved = axes.splice(0, shape.length);
  axes.splice(first, 0, ...moved);
  return permute(out, axes);
}

function embedding({ shape: [, width], data: table }, { shape, data: places }) {
  const data = new table.constructor(places.length * width);
  places.forEach((n, i) => data.set(table.subarray(n * width, (n + 1) * width), i * width));
  return tensor([...shape, width], data);
}

/** Where numbers stand, and tensors that are made of nothing. */
export const REARRANGED = {
  embedding,
  chunk(x, count, dim = 0) {
    return split(x, Math.ceil(x.shape[axis(dim, x.shape.length)] / count), dim);
  },
  index,
  view_as: (x, { shape }) => view(x, shape),
  movedim(x, from, to) {
    const [left, right] = [from, to].map((dims) => [dims].flat().map((dim) => axis(dim, x.shape.length)));
    const rest = [...x.shape.keys()].filter((i) => !left.includes(i));
    const order = [...x.shape.keys()].map((i) => left[right.indexOf(i)] ?? rest.shift());
    return permute(x, order);
  },
  narrow: (x, dim, start, length) => slice(x, dim, start, start + length),
  flip(x, dims) {
    const strides = stridesOf(x.shape);
    const turned = dims.map((dim) => axis(dim, x.shape.length));
    const start = turned.reduce((total, i) => total + Math.max(0, x.shape[i] - 1) * strides[i], 0);
    return take(
      x,
      x.shape,
      strides.map((step, i) => (turned.includes(i) ? -step : step)),
      start,
    );
  },
  roll(x, shifts, dims = []) {
    if (!dims.length) return view(OPERATIONS.roll(view(x, [-1]), shifts, [0]), x.shape);
    return dims.reduce((out, dim, i) => {
      const length = out.shape[axis(dim, out.shape.length)] || 1;
      const cut = (((length - shifts[i]) % length) + length) % length;
      return cat([slice(out, dim, cut), slice(out, dim, 0, cut)], dim);
    }, x);
  },
  diagonal(x, offset = 0, first = 0, second = 1) {
    const [a, b] = [first, second].map((dim) => axis(dim, x.shape.length));
    const strides = stridesOf(x.shape);
    const rest = [...x.shape.keys()].filter((i) => i !== a && i !== b);
    const [down, right] = [Math.max(0, -offset), Math.max(0, offset)];
    const length = Math.max(0, Math.min(x.shape[a] - down, x.shape[b] - right));
    const shape = [...rest.map((i) => x.shape[i]), length];
    const steps = [...rest.map((i) => strides[i]), strides[a] + strides[b]];
    return take(x, shape, steps, down * strides[a] + right * strides[b]);
  },
  pad,
  gather,
  index_select: (x, dim, places) => index(x, [...Array(axis(dim, x.shape.length)).fill(null), view(places, [-1])]),
  one_hot: (x, count) => map((a, b) => a === b, OPERATIONS.unsqueeze(x, -1), arange(count)),
  linspace,
  eye: (n, m = n) =>
    tensor(
      [n, m],
      Float64Array.from({ length: n * m }, (_, i) => /** @type {any} */ (i % m === Math.floor(i / m))),
    ),
  new_full: (_, shape, value) => full(shape, value),
  new_ones: (_, shape) => full(shape, 1),
  scalar_tensor: asTensor,
  repeat,
  tril: (x, diagonal = 0) => triangle(x, (far) => far <= diagonal),
  triu: (x, diagonal = 0) => triangle(x, (far) => far >= diagonal),
};
