// The engine as a machine that Python drives: one call is one step, and storages are named by numbers.
import { OPERATIONS } from "../../kernelfree/js/engine/operations.js";
import { places, size, stridesOf, take, tensor } from "../../kernelfree/js/engine/tensor.js";
import "../../kernelfree/js/engine/uncommon.js";
import { WIDE, wideProduct } from "../../kernelfree/js/engine/wide.js";
import { RANGES, ROUNDED } from "./narrow.js";
import { signs, sums } from "./signs.js";
import { Twister } from "./twister.js";

const FLOATS = { float64: Float64Array, float32: Float32Array };
const storages = [];
const free = [];
const generators = [];

/** Numbers as a type holds them; integers that it could not hold, or that JavaScript rounds, are refused. */
function held(data, dtype) {
  if (FLOATS[dtype]) return data instanceof FLOATS[dtype] ? data : new FLOATS[dtype](data);
  if (ROUNDED[dtype]) return new Float32Array(data).map(ROUNDED[dtype]);
  const kept = new (dtype === "bool" ? Uint8Array : Float64Array)(data.length);
  const [least, most] = RANGES[dtype];
  for (let i = 0; i < kept.length; i++) {
    kept[i] = dtype === "bool" ? Number(data[i] !== 0) : Math.trunc(data[i]) + 0; // no integer is -0
    if (!(kept[i] >= least && kept[i] <= most)) throw new RangeError(dtype);
  }
  return kept;
}

/** Keep numbers; what comes back names them and says their shape: "17|2,3". */
function keep({ shape, data }, dtype) {
  const number = free.pop() ?? storages.length;
  storages[number] = held(data, dtype);
  return `${number}|${shape}`;
}

/** What Python says of a tensor: a storage, a shape, a start, and strides where it is not in one piece. */
function seen([number, shape, start, strides]) {
  const data = storages[number];
  if (strides) return take({ data }, shape, strides, start);
  const count = size(shape);
  return tensor(shape, count === data.length ? data : data.subarray(start, start + count));
}

/** The same where it lies, in whatever strides. */
const lying = ({ t: [n, shape, start, strides = stridesOf(shape)] }) => ({ data: storages[n], shape, strides, start });

/** An argument: a tensor, or a number that JSON does not have, such as "=Infinity". */
const argument = (one) =>
  Array.isArray(one) ? one.map(argument) : one?.t ? seen(one.t) : one?.[0] === "=" ? Number(one.slice(1)) : one;

function drop(numbers) {
  for (const number of numbers) storages[number] = undefined;
  free.push(...numbers);
}

const own = (made, args) =>
  args.flat().some((one) => one?.data?.buffer === made.data.buffer) ? tensor(made.shape, made.data.slice()) : made;

/** What an operation makes, where it rests now and then. */
function finished(made) {
  if (typeof made?.next !== "function") return made;
  let rest = made.next();
  while (!rest.done) rest = made.next();
  return rest.value;
}

const DOES = {
  /** A step of the engine. */
  step([name, given, dtypes, options]) {
    if (!(name in OPERATIONS)) throw new TypeError(name);
    const Kind = FLOATS[dtypes[0]];
    if (WIDE && name === "matmul")
      return keep(wideProduct(lying(given[0]), lying(given[1]), Kind ?? Float64Array), dtypes[0]);
    const args = given.map(argument);
    const quick = Kind && !options && (name === "sum" ? sums(...args) : signs(name, args[0], args[1], Kind));
    if (quick) return keep(quick, dtypes[0]);
    const more = Array(options ? Math.max(0, OPERATIONS[name].length - args.length) : 0);
    if (options) more.push(Object.fromEntries(Object.entries(options).map(([key, one]) => [key, argument(one)])));
    const made = finished(OPERATIONS[name](...args, ...more));
    return (Array.isArray(made) ? made : [made]).map((one, i) => keep(own(one, args), dtypes[i])).join(";");
  },
  make: ([shape, numbers, dtype]) => keep(tensor(shape, Float64Array.from(numbers, Number)), dtype),
  cast: ([one, dtype]) => keep(own(argument(one), [argument(one)]), dtype),
  /** Write numbers where a tensor's entries stand, or some of them: an operation picks those, such as "index". */
  write([one, values, adds, pick, ...how]) {
    const data = storages[one.t[0]];
    const given = argument(values).data;
    const numbers = given.buffer === data.buffer ? given.slice() : given;
    if (!pick && !adds && !one.t[3]) {
      data.set(numbers, one.t[2]);
      return "";
    }
    const { shape, strides, start } = lying(one);
    const all = tensor(shape, places(shape, strides, start));
    const where = pick ? OPERATIONS[pick](all, ...how.map(argument)).data : all.data;
    for (let i = 0; i < where.length; i++) data[where[i]] = adds ? data[where[i]] + numbers[i] : numbers[i];
    return "";
  },
  read: ([one]) => Array.from(argument(one).data, (n) => (Object.is(n, -0) ? "-0" : n)).join(","),
  /** A step of Adam: p, m and v are written; numbers are rounded after each step, as tensors are. */
  adam([[p, g, m, v], dtype, first, second, root, eps, rate, decay, shrink, begins]) {
    const [P, G, M, V] = [p, g, m, v].map((one) => argument(one).data);
    const fit = dtype === "float64" ? (x) => x : Math.fround;
    const [r, e, f, s, k] = [root, eps, 1 - first, 1 - second, shrink].map(fit);
    for (let i = 0; i < P.length; i++) {
      const at = fit(P[i] * k);
      const slope = decay ? fit(G[i] + decay * P[i]) : G[i];
      M[i] = begins ? slope * f : fit(slope * f) + first * M[i];
      V[i] = begins ? fit(slope * slope) * s : fit(fit(slope * slope) * s) + second * V[i];
      P[i] = at - rate * fit(M[i] / fit(fit(fit(Math.sqrt(V[i])) / r) + e));
    }
    return "";
  },
  seed([which, number]) {
    generators[which] = new Twister(number);
    return "";
  },
  random([which, kind, shape, dtype, ...settings]) {
    generators[which] ??= new Twister(Math.floor(Math.random() * 2 ** 32));
    return keep(tensor(shape, generators[which][kind](size(shape), dtype, ...settings)), dtype);
  },
};

/** Begin anew: nothing has been asked yet. */
export function forget() {
  for (const kept of [storages, free, generators]) kept.length = 0;
}

/** One text in, one text out; "!" before what can't be done. */
export function ask(text) {
  const [what, args, dropped] = JSON.parse(text);
  drop(dropped);
  try {
    return DOES[what](args);
  } catch (error) {
    return `!${error.name}:${error.message}`;
  }
}
