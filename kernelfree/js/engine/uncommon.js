// Operations that few figures need; a page has them where one of its figures does.

import { gather, REARRANGED } from "./moves.js";
import { exponentials, least, most, OPERATIONS, place, reducer, same, slice, sum } from "./operations.js";
import { PRODUCTS, reduced } from "./products.js";
import { asTensor, fold, map, rows, view } from "./tensor.js";

const spread = (row, correction = 1) => {
  const mean = sum(row) / row.length;
  return sum(row.map((a) => (a - mean) ** 2)) / Math.max(0, row.length - correction);
};
function logSum(row) {
  const top = most(row);
  return Math.abs(top) === Infinity ? top : top + Math.log(sum(exponentials(row)));
}

/** Minus the number at each target's class, over axis 1, or 0 where there is but one axis. */
function chosen(x, target, reduction = 1, ignored = -100) {
  const at = x.shape.length > 1 ? 1 : 0;
  const safe = map((n) => (n === ignored ? 0 : n), target);
  const found = gather(x, at, view(safe, target.shape.toSpliced(at, 0, 1)));
  const lost = map((a, n) => (n === ignored ? 0 : -a), view(found, target.shape), target);
  if (reduction !== 1) return reduced(lost, reduction);
  return asTensor(sum(lost.data) / target.data.filter((n) => n !== ignored).length);
}

function crossEntropy(x, target, _, reduction = 1, ignored = -100) {
  const at = x.shape.length > 1 ? 1 : 0;
  const logs = rows(x, at, logSoftmaxRow);
  if (target.shape.length < x.shape.length) return chosen(logs, target, reduction, ignored);
  const each = fold(
    map((p, log) => (p ? -p * log : 0 * log), target, logs),
    [at],
    false,
    sum,
  );
  return reduction === 1 ? asTensor(sum(each.data) / each.data.length) : reduced(each, reduction);
}

/** var and std, in the three ways in which PyTorch writes their arguments. */
const scatter =
  (f) =>
  (x, dim, unbiased, keep, { correction = 1, keepdim = keep } = {}) => {
    const all = typeof dim === "boolean";
    const less = (all ? dim : unbiased) === false ? 0 : correction;
    return fold(x, all ? null : (dim ?? null), keepdim, (row) => f(spread(row, less)));
  };

const sorted = (x, dim = -1, descending = false) => {
  const sign = descending ? -1 : 1;
  const after = (a, b) => /** @type {any} */ (a !== a) - /** @type {any} */ (b !== b) || a - b || 0; // NaN comes last
  const order = (row) => [...row.keys()].sort((i, j) => sign * after(row[i], row[j]) || i - j);
  return [rows(x, dim, (row) => order(row).map((i) => row[i])), rows(x, dim, order)];
};

const topk = (x, k, dim = -1, largest = true) => sorted(x, dim, largest).map((part) => slice(part, dim, 0, k));

const running = (f) => (x, dim) => {
  let total;
  return rows(x, dim, (row) => row.map((a, i) => (total = i ? f(total, a) : a)));
};
const LENGTHS = {
  "-Infinity": (row) => least(row.map(Math.abs)),
  0: (row) => row.filter((a) => a !== 0).length,
  1: (row) => sum(row.map(Math.abs)),
  2: (row) => Math.sqrt(sum(row.map((a) => a * a))),
  Infinity: (row) => most(row.map(Math.abs)),
};

function logSoftmaxRow(row) {
  const top = most(row);
  const total = Math.log(sum(exponentials(row)));
  return row.map((a) => a - top - total);
}

/** The Taylor polynomial of erf around x, from its highest power down. */
function erfAround(x) {
  let slope = (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x);
  // erf is its slope times x + 2x^3/3 + 4x^5/15 + ..., whose terms all have one sign.
  let term = x;
  let sum = x;
  for (let n = 1; term > 1e-17 * sum; n++) sum += term *= (2 * x * x) / (2 * n + 1);
  const powers = [slope * sum];
  // Slopes of slopes, each from two before, for exp(-x^2)' = -2x exp(-x^2).
  let before = 0;
  for (let n = 1; n < 9; n++) {
    powers.unshift(slope / n);
    [before, slope] = [slope, (-2 * (x * slope + before)) / n];
  }
  return powers;
}

const ERFS = [];
/** By the polynomial around the nearest 32nd, of which each is made once. */
function erf(x) {
  const far = Math.abs(x);
  if (!(far < 6)) return x !== x ? x : Math.sign(x);
  const near = Math.round(32 * far);
  const powers = (ERFS[near] ??= erfAround(near / 32));
  let sum = 0;
  for (let i = 0; i < 9; i++) sum = sum * (far - near / 32) + powers[i];
  return Math.sign(x) * sum;
}

const UNCOMMON_EACH = {
  erf,
  round: (a) => (Math.abs(a % 1) === 0.5 ? 2 * Math.round(a / 2) : Math.round(a)),
  atan2: Math.atan2,
  fmod: (a, b) => a % b,
  logical_xor: (a, b) => (a !== 0) !== (b !== 0),
  bitwise_xor: (a, b) => Number(BigInt(a) ^ BigInt(b)),
  expm1: Math.expm1,
  log2: Math.log2,
  rsqrt: (a) => 1 / Math.sqrt(a),
  trunc: Math.trunc,
  sin: Math.sin,
  cos: Math.cos,
  log1p: Math.log1p,
  silu: (a) => a / (1 + Math.exp(-a)),
  isinf: (a) => Math.abs(a) === Infinity,
  isfinite: Number.isFinite,
  sign: (a) => /** @type {any} */ (a > 0) - /** @type {any} */ (a < 0),
  reciprocal: (a) => 1 / a,
};

Object.assign(OPERATIONS, REARRANGED, PRODUCTS, {
  gelu(x, /** @type {{approximate?: string}} */ { approximate } = {}) {
    const bell = (a) => Math.tanh(Math.sqrt(2 / Math.PI) * (a + 0.044715 * a ** 3));
    return map((a) => 0.5 * a * (1 + (approximate === "tanh" ? bell(a) : erf(a * Math.SQRT1_2))), x);
  },
  linalg_vector_norm(x, order = 2, dims = null, keep = false) {
    const length = LENGTHS[order] ?? ((row) => sum(row.map((a) => Math.abs(a) ** order)) ** (1 / order));
    return fold(x, dims, keep, length);
  },
  log_softmax: (x, dim) => rows(x, dim, logSoftmaxRow),
  softplus: (x, beta = 1, top = 20) => map((a) => (a * beta > top ? a : Math.log1p(Math.exp(a * beta)) / beta), x),
  leaky_relu: (x, slope = 0.01) => map((a) => (a > 0 ? a : a * slope), x),
  elu: (x, alpha = 1) => map((a) => (a > 0 ? a : alpha * Math.expm1(a)), x),
  prod: reducer((row) => row.reduce((a, b) => a * b, 1)),
  argmin: reducer(place(least)),
  cumsum: running((a, b) => a + b),
  cumprod: running((a, b) => a * b),
  sort: sorted,
  argsort: (x, dim, descending) => sorted(x, dim, descending)[1],
  topk,
  var: scatter(same),
  std: scatter(Math.sqrt),
  logsumexp: reducer(logSum),
  nll_loss_nd: (x, target, _, how, ignored) => chosen(x, target, how, ignored),
  cross_entropy_loss: crossEntropy,
});
for (const name in UNCOMMON_EACH) OPERATIONS[name] = (...xs) => map(UNCOMMON_EACH[name], ...xs);
