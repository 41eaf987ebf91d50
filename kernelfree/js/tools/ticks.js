// The numbers along a part of an axis.
import { minus } from "../figure/numbers.js";

const ROUND = [1, 2, 5, 10];
// Parts of a day: minutes and hours.
const TIMES = [1, 5, 15, 30, 60, 180, 360, 720].map((minutes) => minutes / 1440);

/**
 * A number as short as tells it from others between two ends.
 * @param {number} number
 * @param {number[]} ends
 */
export function short(number, [low, high]) {
  const size = Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low));
  return minus(+number.toPrecision(Math.max(0, Math.ceil(size)) + 3));
}

/**
 * Multiples of a round number, at most seven of them.
 * @param {number[]} ends
 */
function multiples([low, high], steps = []) {
  const rough = (high - low) / 6;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = steps.find((one) => one >= rough) ?? ROUND.map((n) => n * unit).find((one) => one >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, n) => (first + n) * step);
}

/** A date, or the time of a day in a year. */
function moment(days, step) {
  const text = new Date(Math.round(days * 86400) * 1e3).toISOString();
  return step < 1 ? text.slice(5, 16).replace("T", " ") : text.slice(0, 10);
}

/**
 * Ticks of a part of an axis: [where it stands from 0 to 1, its text].
 * @param {number[]} ends
 * @param {"log" | "dates" | ""} kind a log axis has powers of ten, one of dates days since 1970
 */
export function ticks(ends, kind) {
  const [low, high] = ends;
  const at = (number, text) => [(number - low) / (high - low), text];
  if (kind === "dates") {
    const days = multiples(ends, high - low < 6 ? TIMES : []);
    return days.map((day) => at(day, moment(day, days[1] - days[0])));
  }
  if (kind !== "log") return multiples(ends).map((number) => at(number, minus(+number.toPrecision(12))));
  const powers = multiples(ends).filter(Number.isInteger);
  const between = [10 ** low, 10 ** high];
  const numbers = powers[1] === undefined ? multiples(between) : powers.map((power) => 10 ** power);
  return numbers.filter((number) => number > 0).map((number) => at(Math.log10(number), short(number, between)));
}
