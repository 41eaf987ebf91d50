// Numbers as people write them: 1/3, .333, 33%, lists with commas or spaces, a matrix in rows.

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** A number and how far the one that was meant may be from it: what was rounded away. */
function one(text) {
  const [above, below, more] = text.replace(/%$/, "").split("/");
  if (more !== undefined || !NUMBER.test(above) || (below !== undefined && !NUMBER.test(below))) return null;
  const unit = text.endsWith("%") ? 0.01 : 1;
  const value = (Number(above) / Number(below ?? 1)) * unit;
  const [, digits = ""] = above.match(/\.(\d*)/) ?? [];
  const rounded = below === undefined && (digits || unit < 1) && above.replace(/\D|^0+/g, "").length > 1;
  return Number.isFinite(value) ? { value, near: rounded ? 0.501 * unit * 10 ** -digits.length : 0 } : null;
}

/** What was typed as numbers, or the part of it that is none: {numbers} or {wrong}. */
export function numbers(text, single) {
  let tidy = text.trim().replace(/[−–]/g, "-").replace(/(\d)\s*\/\s*(\d)/g, "$1/$2").replace(/\s+%/g, "%");
  if (single) tidy = tidy.replace(/^([-+]?\d+),(\d+%?)$/, "$1.$2"); // a comma for the point
  const parts = tidy.split(/[\s,;[\](){}|]+/).filter(Boolean);
  const read = parts.map(one);
  const at = read.indexOf(null);
  return at < 0 ? { numbers: read } : { wrong: parts[at] };
}

/** Whether numbers that were typed are these, up to the tolerance. */
export const same = (typed, wanted, tolerance) =>
  typed.length === wanted.length &&
  typed.every(({ value, near }, i) => Math.abs(value - wanted[i]) <= Math.max(near, tolerance * (1 + Math.abs(wanted[i]))));
