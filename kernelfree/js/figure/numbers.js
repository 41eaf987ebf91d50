// Numbers from the text that Python stored, and the words for them.

import { say } from "../say.js";

/** Which of all combinations of the used controls a state is. */
const placed = (shape, places) => shape.reduce((sum, size, axis) => sum * size + (size > 1 && places[axis]), 0);

/** Whole numbers of any state, from "bits of controls:bits of axes along which these are differences:numbers". */
function series(entry, sizes, columns = 1) {
  const [used, ...rest] = /** @type {any} */ (entry.split(":"));
  // "a~3" is "a,a,a".
  const runs = rest.pop().split(",");
  const numbers = runs.flatMap((run) => Array(+run.split("~")[1] || 1).fill(parseInt(run, 36) || 0));
  const shape = [...sizes.map((size, axis) => ((used >> axis) & 1 ? size : 1)), columns];
  let stride = 1;
  for (let axis = sizes.length; axis >= 0; axis--) {
    for (let i = stride; (rest >> axis) & 1 && i < numbers.length; i++)
      if (Math.floor(i / stride) % shape[axis]) numbers[i] += numbers[i - stride];
    stride *= shape[axis];
  }
  return { numbers, from: (places) => placed(shape, [...places, 0]) };
}

/**
 * The rows of a table in any state; if they have sums, each ends with its sum; NaN is masked.
 * @param {{columns?: number, decimals: number, data?: string}} table
 * @param {number[]} sizes
 * @returns {import("../classes").Reader}
 */
export function reader({ columns, decimals, data }, sizes) {
  const gap = parseInt(data, 10);
  const rows = data
    .split(" ")
    .slice(1)
    .map((entry) => {
      const { numbers, from } = series(entry, sizes, columns);
      // What is almost 0 is not 0.
      const odd = [NaN, Number.MIN_VALUE, -Number.MIN_VALUE];
      return { from, cells: numbers.map((number) => odd[gap - number] ?? number / 10 ** decimals) };
    });
  const known = /** @type {any} */ ({});
  return (places) => {
    const starts = rows.map(({ from }) => from(places));
    return (known[/** @type {any} */ (starts)] ??= rows.map(({ cells }, r) =>
      cells.slice(starts[r], starts[r] + columns),
    ));
  };
}

/** The one of several things that stands in any state. */
function chooser([entry, things], sizes) {
  const { numbers, from } = series(entry, sizes);
  return (places) => things[numbers[from(places)]];
}

/**
 * What changes its name, in any state: key -> name.
 * @param {Record<string, any>} texts
 * @param {number[]} sizes
 */
export function namer(texts, sizes) {
  const choosers = Object.entries(texts).map(([key, choice]) => /** @type {const} */ ([key, chooser(choice, sizes)]));
  return (places) => Object.fromEntries(choosers.map(([key, choose]) => [key, choose(places)]));
}

/** The sentence of any state: pieces, and the number after each. */
export function speaker(choices, sizes) {
  const [pieces, ...numbers] = choices.map((choice) => chooser(choice, sizes));
  return (places) =>
    pieces(places)
      .map((piece, i) => piece + (numbers[i]?.(places) ?? ""))
      .join("");
}

export const minus = (value) => String(value).replace("-", "\u2212");

/** A number in words: exactly 0 has no decimals. */
export const numberText = (number, decimals) =>
  isNaN(number) ? say`masked` : minus(number?.toFixed(Math.max(decimals, 0)));
