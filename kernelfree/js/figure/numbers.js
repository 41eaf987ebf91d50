// Numbers from the text that Python stored, and the words for them.

import { say } from "../say.js";

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
  // Where the numbers of a state begin: by the controls that are used.
  const from = (places) => shape.reduce((sum, size, axis) => sum * size + (size > 1 && (places[axis] ?? 0)), 0);
  return { numbers, from };
}

/** A number of a table; those below the gap have digits of their own, as Python's `numerals.pack` says. */
function unpacked(whole, below, decimals) {
  const place = (below - 1) >> 1;
  const own = (below & 1 || -1) * (100 + (place % 900));
  const power = Math.floor(place / 900) + 2;
  return below ? Number(below < 0 ? `${whole}e${-decimals}` : `${own}e${-decimals - power}`) : NaN;
}

/**
 * The rows of a table in any state, with their sums if these are stored; NaN is masked.
 * @param {{sums?: true, columns?: number, decimals: number, data?: string}} table
 * @param {number[]} sizes
 * @returns {import("../classes").Reader}
 */
export function reader({ sums, columns, decimals, data }, sizes) {
  const [gap, ...entries] = /** @type {any} */ (data.split(" "));
  const rows = entries.map((entry) => {
    const { numbers, from } = series(entry, sizes, columns);
    return { from, cells: numbers.map((whole) => unpacked(whole, gap - whole, decimals)) };
  });
  const known = /** @type {any} */ ({});
  return (places) => {
    const starts = rows.map(({ from }) => from(places));
    return (known[/** @type {any} */ (starts)] ??= rows.map(({ cells }, r) => {
      const row = /** @type {import("../classes").Row} */ (cells.slice(starts[r], starts[r] + columns));
      if (sums) row.sum = row.pop();
      return row;
    }));
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

/** A number with a minus sign; a word keeps its hyphens. */
export const minus = (value) => (isNaN(value) ? value : String(value).replaceAll("-", "\u2212"));

/**
 * A number as a figure writes it: with `decimals`, or, where it had fewer than `least` digits so, with its `own`.
 * As Python's `numerals.written`.
 */
export function numberText(number, decimals, least = 2, own = 3) {
  if (isNaN(number)) return say`masked`;
  const digits = +number.toExponential().split("e")[1] + 1 + decimals;
  const small = digits < least;
  if (!number || (decimals >= 0 && !small)) return minus(number.toFixed(Math.max(decimals, 0)));
  const text = number.toPrecision(small ? own : digits);
  return minus(decimals < 0 ? text : +text);
}
