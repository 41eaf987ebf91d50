// The engine as a machine that Python drives: one call is one step, and storages are named by numbers.
import { run, stored } from "../../kernelfree/js/engine/engine.js";
import { OPERATIONS } from "../../kernelfree/js/engine/operations.js";
import { size, take, tensor } from "../../kernelfree/js/engine/tensor.js";
import "../../kernelfree/js/engine/uncommon.js";
import { RANGES, ROUNDED } from "./narrow.js";
import { Twister } from "./twister.js";

const KEPT = { float64: "float64", float32: "float32", float16: "float32", bfloat16: "float32", bool: "bool" };
const storages = [];
const free = [];
const generators = [];

/** Numbers as a type holds them; integers that it could not hold, or that JavaScript rounds, are refused. */
function held(data, dtype) {
  const kept = stored(data, KEPT[dtype] ?? "int64");
  const [least, most] = RANGES[dtype] ?? [];
  if (RANGES[dtype])
    for (let i = 0; i < kept.length; i++) {
      if (!(kept[i] >= least && kept[i] <= most)) throw new RangeError(dtype);
      kept[i] += 0; // no integer is -0
    }
  return ROUNDED[dtype] ? kept.map(ROUNDED[dtype]) : kept;
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

const given = (one) => (Array.isArray(one) ? one.map(given) : one?.t ? seen(one.t) : one);

function drop(numbers) {
  for (const number of numbers) storages[number] = undefined;
  free.push(...numbers);
}

/** Where the entries of a tensor stand in its storage. */
function places([number, shape, start, strides]) {
  const all = Float64Array.from(storages[number].keys());
  return strides ? take({ data: all }, shape, strides, start).data : all.subarray(start, start + size(shape));
}

const own = (made, args) =>
  args.flat().some((one) => one?.data?.buffer === made.data.buffer) ? tensor(made.shape, made.data.slice()) : made;

const DOES = {
  /** A step of the engine. */
  step([name, args, dtypes, options]) {
    if (!(name in OPERATIONS)) throw new TypeError(name);
    const tensors = given(args);
    const [made] = run({ constants: [], inputs: [], steps: [[name, tensors, dtypes[1] && [], options]] }, []);
    const list = Array.isArray(made) ? made : [made];
    return list.map((one, i) => keep(own(one, tensors), dtypes[i])).join(";");
  },
  make: ([shape, numbers, dtype]) => keep(tensor(shape, Float64Array.from(numbers, Number)), dtype),
  cast: ([one, dtype]) => keep(own(given(one), [given(one)]), dtype),
  /** Write numbers where a tensor's entries stand, or at other places of its storage. */
  write([one, values, at, adds]) {
    const data = storages[one.t[0]];
    const numbers = given(values).data;
    const where = at ? given(at).data : places(one.t);
    const next = data.slice();
    for (let i = 0; i < where.length; i++) next[where[i]] = adds ? next[where[i]] + numbers[i] : numbers[i];
    storages[one.t[0]] = next;
    return "";
  },
  read: ([one]) => Array.from(given(one).data, (n) => (Object.is(n, -0) ? "-0" : n)).join(","),
  seed([which, number]) {
    generators[which] = new Twister(number);
    return "";
  },
  random([which, kind, shape, dtype, ...settings]) {
    generators[which] ??= new Twister(Math.floor(Math.random() * 2 ** 32));
    return keep(tensor(shape, generators[which][kind](size(shape), dtype, ...settings)), dtype);
  },
};

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
