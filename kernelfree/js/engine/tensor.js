// Tensors: { shape, data }, always one after the other in memory; what needs broadcasting copies.

export const size = (shape) => shape.reduce((product, n) => product * n, 1);
/** @type {(shape: number[], data?: any) => import("../classes").Tensor} */
export const tensor = (shape, data = new Float64Array(size(shape))) => ({ shape, data });
/** @type {(x: any) => boolean} */
export const isNumber = (x) => typeof x === "number" || typeof x === "boolean";
export const asTensor = (x) => (isNumber(x) ? tensor([], Float64Array.of(x)) : x);

/** An axis counted from the end is counted from the start. */
export const axis = (dim, rank) => (dim < 0 ? dim + Math.max(rank, 1) : dim);

export function stridesOf(shape) {
  const strides = [];
  let stride = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

/** A tensor of another shape that takes its entries from x in steps. */
export function take(x, shape, strides, start = 0) {
  const data = new x.data.constructor(size(shape));
  const last = shape.length - 1;
  let to = 0;
  const fill = (depth, from) => {
    if (depth > last) return (data[to++] = x.data[from]);
    const stride = strides[depth];
    const count = shape[depth];
    if (depth < last) for (let i = 0; i < count; i++) fill(depth + 1, from + i * stride);
    else for (let i = 0; i < count; i++) data[to++] = x.data[from + i * stride];
  };
  if (data.length) fill(0, start);
  return tensor(shape, data);
}

/** Where the entries of a tensor stand that takes them in steps. */
export function places(shape, strides, start) {
  const found = new Float64Array(size(shape));
  let to = 0;
  const fill = (depth, from) => {
    if (depth === shape.length) found[to++] = from;
    else for (let i = 0; i < shape[depth]; i++) fill(depth + 1, from + i * strides[depth]);
  };
  fill(0, start);
  return found;
}

/** The same entries in another shape; one length may be -1. */
export function view(x, shape) {
  const known = -size(shape);
  return tensor(
    shape.map((n) => (n === -1 ? x.data.length / known : n)),
    x.data,
  );
}

export function permute(x, order) {
  const strides = stridesOf(x.shape);
  const axes = order.map((dim) => axis(dim, x.shape.length));
  if (axes.every((from, to) => from === to)) return x;
  return take(
    x,
    axes.map((i) => x.shape[i]),
    axes.map((i) => strides[i]),
  );
}

/** The axes of x without some, then those. */
export function axesLast({ shape }, dims) {
  const last = dims.map((dim) => axis(dim, shape.length));
  return [...shape.keys()].filter((i) => !last.includes(i)).concat(shape.length ? last : []);
}

export function expand(x, shape) {
  const missing = shape.length - x.shape.length;
  const full = shape.map((n, i) => (n === -1 ? x.shape[i - missing] : n));
  if (full.every((n, i) => n === x.shape[i - missing])) return view(x, full);
  const strides = stridesOf(x.shape);
  return take(
    x,
    full,
    full.map((_, i) => ((x.shape[i - missing] ?? 1) === 1 ? 0 : strides[i - missing])),
  );
}

/** The shape that two shapes broadcast to. */
export function broadcast(a, b) {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const [m, n] = [a[i - rank + a.length] ?? 1, b[i - rank + b.length] ?? 1];
    return m === 1 ? n : m;
  });
}

/** A function of numbers for each entry of tensors and numbers. */
export function map(f, ...given) {
  if (given.every(isNumber)) return f(...given);
  // What a number loses beside float32 it loses in PyTorch, too.
  const single = given.some(({ data }) => data instanceof Float32Array);
  const xs = given.map((x) => asTensor(single && isNumber(x) ? Math.fround(x) : x));
  const shape = xs.map((x) => x.shape).reduce(broadcast);
  const [a, b, c] = xs.map((x) => (x.data.length === 1 ? x : expand(x, shape)).data);
  const [i, j, k] = [a, b, c].map((data) => (data?.length === 1 ? 0 : 1));
  const out = tensor(shape);
  const count = out.data.length;
  if (!b) for (let n = 0; n < count; n++) out.data[n] = f(a[n * i]);
  else if (!c) for (let n = 0; n < count; n++) out.data[n] = f(a[n * i], b[n * j]);
  else for (let n = 0; n < count; n++) out.data[n] = f(a[n * i], b[n * j], c[n * k]);
  return out;
}

export const doubles = (data) => (data instanceof Float64Array ? data : new Float64Array(data));

/** A number for each row of entries that some axes (null: all) hold. */
export function fold(x, dims, keep, f) {
  const list = dims === null || dims.length === 0 ? [...x.shape.keys()] : [dims].flat();
  const order = axesLast(x, list);
  const gone = new Set(list.map((dim) => axis(dim, x.shape.length)));
  const data = doubles(permute(x, order).data);
  const shape = x.shape.map((n, i) => (gone.has(i) ? 1 : n));
  const out = tensor(keep ? shape : shape.filter((_, i) => !gone.has(i)));
  const width = size([...gone].map((i) => x.shape[i] ?? 1));
  for (let r = 0; r < out.data.length; r++) out.data[r] = f(data.subarray(r * width, (r + 1) * width));
  return out;
}

/** Each row along an axis gives a row, perhaps of another length. */
export function rows(x, dim, f, length = x.shape[axis(dim, x.shape.length)] ?? 1) {
  const order = axesLast(x, [dim]);
  const moved = permute(x, order);
  const data = doubles(moved.data);
  const width = moved.shape.at(-1) ?? 1;
  const out = tensor(x.shape.length ? [...moved.shape.slice(0, -1), length] : []);
  if (length)
    for (let r = 0; r * length < out.data.length; r++)
      out.data.set(f(data.subarray(r * width, (r + 1) * width)), r * length);
  return permute(
    out,
    [...order.keys()].map((i) => order.indexOf(i)),
  );
}

/** a (batch, n, k) times the transpose of b (batch, m, k), or of one b (m, k) for all. */
export function* products(a, b, batch, n, m, k) {
  const out = new Float64Array(batch * n * m);
  const apart = b.length === m * k ? 0 : m * k;
  const four = new Float64Array(4 * k);
  let work = 0;
  for (let at = 0; at < batch; at++)
    for (let i = 0; i < n; i += 4) {
      const first = at * n + i;
      const last = at * n + n - 1;
      for (let d = 0; d < 4; d++)
        for (let c = 0, from = Math.min(first + d, last) * k; c < k; c++) four[4 * c + d] = a[from + c];
      fourRows(four, b, at * apart, out, first, last, m, k);
      if ((work += 4 * m * k) > 2e6) {
        work = 0;
        yield;
      }
    }
  return out;
}

/** Four rows, that stand entry beside entry, times two columns at a time; what is left over is computed twice. */
function fourRows(four, b, start, out, first, last, m, k) {
  const r0 = first * m;
  const r1 = Math.min(first + 1, last) * m;
  const r2 = Math.min(first + 2, last) * m;
  const r3 = Math.min(first + 3, last) * m;
  for (let j = 0; j < m; j += 2) {
    const next = Math.min(j + 1, m - 1);
    const left = start + j * k;
    const right = start + next * k;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let t0 = 0;
    let t1 = 0;
    let t2 = 0;
    let t3 = 0;
    for (let i = 0, c = 0; i < k; i++, c += 4) {
      const x = b[left + i];
      const y = b[right + i];
      const p = four[c];
      const q = four[c + 1];
      const r = four[c + 2];
      const s = four[c + 3];
      s0 += p * x;
      s1 += q * x;
      s2 += r * x;
      s3 += s * x;
      t0 += p * y;
      t1 += q * y;
      t2 += r * y;
      t3 += s * y;
    }
    out[r0 + j] = s0;
    out[r1 + j] = s1;
    out[r2 + j] = s2;
    out[r3 + j] = s3;
    out[r0 + next] = t0;
    out[r1 + next] = t1;
    out[r2 + next] = t2;
    out[r3 + next] = t3;
  }
}
