// Runs the steps that graph.py has written of a PyTorch function.
import { bytesOf } from "../bytes.js";
import { OPERATIONS } from "./operations.js";
import { pacer } from "./pause.js";
import { tensor } from "./tensor.js";

const ARRAYS = { float64: Float64Array, float32: Float32Array, int64: Float64Array, bool: Uint8Array };

/** Numbers as the array of a type: integers are cut off, and what is not 0 is true. */
export function stored(data, dtype) {
  const Kind = ARRAYS[dtype];
  if (dtype === "int64") return data.every(Number.isInteger) ? new Kind(data) : Kind.from(data, Math.trunc);
  if (data instanceof Kind) return data;
  return dtype === "bool" ? Kind.from(data, (a) => a !== 0) : new Kind(data);
}

/** A tensor from its numbers, or from the base64 of their bytes. */
export function decoded({ shape, dtype, data }) {
  if (typeof data !== "string") return tensor(shape, stored(data, dtype));
  return tensor(shape, new ARRAYS[dtype](bytesOf(data).buffer));
}

/** A graph with its constants as tensors; `given` holds those that are kept elsewhere, by name. */
export function loaded(graph, given = {}) {
  const constants = graph.constants.map((one) => (one.name ? given[one.name] : decoded(one)));
  return { ...graph, constants };
}

/** An argument: "%3" is the third value, "=Infinity" a number that JSON does not have. */
function argument(given, values) {
  if (Array.isArray(given)) return given.map((one) => argument(one, values));
  if (typeof given !== "string" || !"%=".includes(given[0])) return given;
  const number = Number(given.slice(1));
  return given[0] === "%" ? values[number] : number;
}

const settled = (made, dtype) => {
  if (Array.isArray(made)) return made.map((one, i) => settled(one, dtype[i]));
  return made?.shape && dtype ? tensor(made.shape, stored(made.data, dtype)) : made;
};

/** Compute one step; it yields where it takes long. */
function* taken([name, given, dtype, options], values) {
  const operation = OPERATIONS[name];
  const args = argument(given, values);
  if (options) {
    while (args.length < operation.length) args.push(undefined);
    args.push(Object.fromEntries(Object.entries(options).map(([key, one]) => [key, argument(one, values)])));
  }
  const made = operation(...args);
  return settled(typeof made?.next === "function" ? yield* made : made, dtype);
}

/** Compute steps one after the other; `values` holds constants, inputs and what steps made. */
function* walk(graph, values, places) {
  const first = graph.constants.length + graph.inputs.length;
  for (const place of places) {
    values[first + place] = yield* taken(graph.steps[place], values);
    yield;
  }
  return values;
}

const every = (graph) => graph.steps.keys();

/** All values of a graph for these inputs (tensors in its order), at once. */
export function run(graph, inputs, places = every(graph), values = [...graph.constants, ...inputs]) {
  for (const _ of walk(graph, values, places));
  return values;
}

/** The same while the page stays alive: it rests whenever some milliseconds are over. */
export async function runKindly(graph, inputs, signal) {
  const values = [...graph.constants, ...inputs];
  const pause = pacer();
  for (const _ of walk(graph, values, every(graph))) if (await pause()) signal?.throwIfAborted();
  return values;
}
