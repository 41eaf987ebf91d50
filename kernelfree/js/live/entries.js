// Shapes, places and numbers in words.

import { say } from "../say.js";

const MINUS = "\u2212";
// Axes are named as comments in the source name them, in English.
const single = (word) => (word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/s$/, ""));

/** 2 x 3 x 4, with the names of the axes where the source says them. */
export function shapeWords(shape, axes) {
  if (!shape.length) return say`one number`;
  return shape.map((n, i) => (axes[i] ? `${n} ${axes[i]}` : `${n}`)).join(" \u00d7 ");
}

/** Where an entry stands, counted from 1. */
export function placeOf(index, shape, axes) {
  const places = [];
  let rest = index;
  for (const n of shape.toReversed()) {
    places.unshift((rest % n) + 1);
    rest = Math.floor(rest / n);
  }
  const words = places.map((place, i) => (axes[i] ? `${single(axes[i])} ${place}` : `${place}`));
  return words.length ? words.join(say`, `) : say`its one number`;
}

/** A number as short as its tensor allows; in full where no number of digits is given. */
export function written(number, data, digits) {
  if (data instanceof Uint8Array) return number ? "true" : "false";
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return `${number > 0 ? "" : MINUS}\u221e`;
  const whole = data.every((n) => !Number.isFinite(n) || Number.isInteger(n));
  const large = Math.abs(number) >= 1e4;
  const short = large ? number.toExponential(1) : number.toFixed(digits);
  const text = digits === undefined || (whole && !large) ? `${number}` : short;
  return text.replace("-", MINUS);
}
