// Which entries an entry comes from: those that change it when they change.
import { run } from "../engine/engine.js";
import { tensor } from "../engine/tensor.js";

/** The values that a step reads. */
const reads = ([, args, , options]) =>
  [args, Object.values(options ?? {})]
    .flat(Infinity)
    .filter((one) => one?.[0] === "%")
    .map((one) => +one.slice(1));

const firstOf = (graph) => graph.constants.length + graph.inputs.length;

/** The shown values that a value is made of, without others between. */
export function parents(graph, value, shown) {
  const step = graph.steps[value - firstOf(graph)];
  if (!step) return [];
  return reads(step).flatMap((one) => (shown.has(one) ? [one] : parents(graph, one, shown)));
}

/** The steps that lead from one value to another, in their order. */
function between(graph, from, to) {
  const first = firstOf(graph);
  const reached = new Set([from]);
  for (let id = Math.max(first, from + 1); id <= to; id++)
    if (reads(graph.steps[id - first]).some((one) => reached.has(one))) reached.add(id);
  if (!reached.has(to) || from === to) return [];
  const needed = new Set([to]);
  for (let id = to; id >= first; id--)
    if (needed.has(id)) for (const one of reads(graph.steps[id - first])) needed.add(one);
  return [...reached].filter((id) => id >= first && id !== from && needed.has(id)).map((id) => id - first);
}

/** What an entry is changed to: a little on either side, which leaves an infinity as it is. */
const others = (number, data) => {
  if (data instanceof Uint8Array) return [1 - number];
  return Number.isNaN(number) ? [0] : [number + 1, number - 1];
};

/** Value -> its entries that change one entry of another, for all values that are shown. */
export function sources(graph, values, target, entry, shown) {
  const now = values[target].data[entry];
  const found = new Map();
  for (const value of shown) {
    const places = between(graph, value, target);
    const { shape, data } = values[value];
    const moves = (i) =>
      others(data[i], data).some((other) => {
        const tried = values.slice();
        tried[value] = tensor(
          shape,
          data.map((old, j) => (i === j ? other : old)),
        );
        return !Object.is(run(graph, [], places, tried)[target].data[entry], now);
      });
    if (places.length) found.set(value, [...data.keys()].filter(moves));
  }
  return found;
}
