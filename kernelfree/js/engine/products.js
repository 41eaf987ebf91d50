// Operations that few figures need: products, distances, norms and losses.
import { EACH, matmul, most, OPERATIONS, softmaxRow, sum, swap } from "./operations.js";
import { asTensor, fold, map, rows, size, stridesOf, take, tensor, view } from "./tensor.js";

function* addProduct(x, a, b, { alpha = 1, beta = 1 } = {}) {
  return map((sum, product) => beta * sum + alpha * product, x, yield* matmul(a, b));
}

function* attend(queries, keys, values, mask, _dropout, causal, { scale = queries.shape.at(-1) ** -0.5 } = {}) {
  let scores = map((a) => a * scale, yield* matmul(queries, swap(keys, -1, -2)));
  const [n, m] = scores.shape.slice(-2);
  if (causal) mask = OPERATIONS.tril(tensor([n, m], new Uint8Array(n * m).fill(1)));
  if (mask?.data instanceof Uint8Array) scores = map(EACH.where, mask, scores, -Infinity);
  else if (mask) scores = map((a, b) => a + b, scores, mask);
  // A row without any key is 0.
  const weights = rows(scores, -1, (row) => (most(row) === -Infinity ? row.map(() => 0) : softmaxRow(row)));
  return yield* matmul(weights, values);
}

/** Sums of products over all places of all letters, such as "ij,kj->ik". */
function einsum(rule, given) {
  const [left, right] = rule.replaceAll(" ", "").split("->");
  const parts = left.split(",");
  const letters = [...new Set(left.replaceAll(",", ""))].sort();
  const once = letters.filter((a) => left.split(a).length === 2).join("");
  const inner = letters.filter((a) => !(right ?? once).includes(a));
  const order = [...(right ?? once), ...inner];
  const length = (a) => parts.map((part, i) => given[i].shape[part.indexOf(a)] ?? 1).find((n) => n !== 1) ?? 1;
  const lengths = order.map(length);
  const factors = given.map((x, i) => {
    const strides = stridesOf(x.shape);
    const step = (a) => [...parts[i]].reduce((total, b, d) => total + (a === b && x.shape[d] > 1 ? strides[d] : 0), 0);
    return take(x, lengths, order.map(step));
  });
  const product = factors.reduce((a, b) => map(EACH.mul, a, b));
  return inner.length
    ? fold(
        product,
        inner.map((_, i) => i - inner.length),
        false,
        sum,
      )
    : product;
}

function distances(a, b) {
  const [left, right] = [OPERATIONS.unsqueeze(a, -2), OPERATIONS.unsqueeze(b, -3)];
  return fold(
    map((x, y) => (x - y) ** 2, left, right),
    [-1],
    false,
    (row) => Math.sqrt(sum(row)),
  );
}

/** What a loss gives: all its entries (0), their mean (1) or their sum (2). */
export function reduced(x, reduction = 1) {
  if (reduction === 0) return x;
  const total = sum(x.data);
  return asTensor(reduction === 1 ? total / x.data.length : total);
}

const loss = (f) => (x, y, how) => reduced(map(f, x, y), how);

function layerNorm(x, shape, scale, shift, eps = 1e-5) {
  const width = size(shape);
  const out = tensor(x.shape, Float64Array.from(x.data));
  for (let at = 0; at < out.data.length; at += width) {
    const row = out.data.subarray(at, at + width);
    const mean = sum(row) / width;
    const wide = Math.sqrt(sum(row.map((a) => (a - mean) ** 2)) / width + eps);
    for (let i = 0; i < width; i++) row[i] = ((row[i] - mean) / wide) * (scale?.data[i] ?? 1) + (shift?.data[i] ?? 0);
  }
  return out;
}

/** Products of tensors, and what learning asks for. */
export const PRODUCTS = {
  layer_norm: layerNorm,
  addmm: addProduct,
  baddbmm: addProduct,
  outer: (a, b) => map(EACH.mul, view(a, [-1, 1]), b),
  einsum,
  scaled_dot_product_attention: attend,
  cdist: distances,
  cosine_similarity(x, y, dim = 1, eps = 1e-8) {
    const unit = (a) => map((n, long) => n / Math.max(long, eps), a, OPERATIONS.linalg_vector_norm(a, 2, [dim], true));
    return fold(map(EACH.mul, unit(x), unit(y)), [dim], false, sum);
  },
  mse_loss: loss((a, b) => (a - b) ** 2),
  l1_loss: loss((a, b) => Math.abs(a - b)),
  binary_cross_entropy_with_logits: (x, y, _, __, how) =>
    loss((a, b) => (1 - b) * a + Math.log1p(Math.exp(-Math.abs(a))) + Math.max(-a, 0))(x, y, how),
  mv: matmul,
  dot: matmul,
};
