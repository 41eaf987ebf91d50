// Numbers as people write them: 1/3, .333, 33%, ln(11/4), 2^-8, lists and matrices in the usual ways.

/**
 * A number and how far the one that was meant may be from it: `near` is what was rounded away where
 * two digits or more say so, `rough` where one does.
 * @typedef {{ value: number, near: number, rough: number }} Typed
 */

const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)|(ln|log|exp|sqrt|pi|e)|(.))/giy;
const DECIMAL = /^[-+]?(\d*\.?(\d*))(?:e([-+]?\d+))?\s*(%?)$/i;
/** @type {Record<string, number>} */
const CONSTANTS = { e: Math.E, pi: Math.PI };
/** @type {Record<string, (argument: number) => number>} */
const FUNCTIONS = { ln: Math.log, log: Math.log, exp: Math.exp, sqrt: Math.sqrt };
const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";
/** @type {Record<string, string>} */
const SIGNS = { "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "⁄": "/", "√": "sqrt", π: "pi", "**": "^" };

/**
 * A number, or raise: what is no number makes no expression that is one (NaN ** 0 is 1).
 * @param {number} number
 */
function finite(number) {
  if (!Number.isFinite(number)) throw new RangeError("no number");
  return number;
}

/**
 * The value of an expression, by recursive descent; raises if it is none.
 * @param {string} text
 */
function evaluate(text) {
  /** @type {(number | string)[]} */
  const parts = [...text.trim().toLowerCase().matchAll(TOKEN)].map(([, digits, name, sign]) =>
    digits ? Number(digits) : (name ?? sign),
  );
  let at = 0;
  /** @param {...string} signs */
  const take = (...signs) => signs.find((sign) => sign === parts[at]) && parts[at++];
  const sum = () => {
    let total = product();
    for (let sign; (sign = take("+", "-")); ) total += sign === "+" ? product() : -product();
    return total;
  };
  const product = () => {
    let total = factor();
    for (;;)
      if (take("*")) total *= factor();
      else if (take("/")) total = finite(total / factor());
      else if (parts[at] === "(" || parts[at] in CONSTANTS || parts[at] in FUNCTIONS)
        total *= power(); // 2 ln 3
      else return finite(total);
  };
  /** @type {() => number} */
  const factor = () => (take("-") ? -factor() : take("+") ? factor() : power());
  const power = () => {
    let base = atom();
    if (take("%")) base /= 100;
    return take("^") ? finite(base ** factor()) : base;
  };
  /** @type {() => number} */
  const atom = () => {
    const part = parts[at++];
    if (typeof part === "number") return finite(part);
    if (part in CONSTANTS) return CONSTANTS[part];
    if (part in FUNCTIONS) return finite(FUNCTIONS[part](parts[at] === "(" ? atom() : factor()));
    const inside = part === "(" ? sum() : NaN;
    if (!take(")")) throw new SyntaxError("no number");
    return inside;
  };
  const total = sum();
  if (at < parts.length) throw new SyntaxError("more than a number");
  return total;
}

/**
 * A text as a number; null if it is none.
 * @param {string} text
 * @returns {Typed | null}
 */
export function number(text) {
  try {
    const value = evaluate(text);
    const [, digits, places, power, percent] = text.trim().match(DECIMAL) ?? [];
    const exponent = Number(power ?? 0);
    if (!places && !percent && !(exponent < 0)) return { value, near: 0, rough: 0 };
    const rough = (0.501 * 10 ** (exponent - places.length)) / (percent ? 100 : 1);
    return { value, near: digits.replace(/\D|^[0.]+/g, "").length > 1 ? rough : 0, rough };
  } catch {
    return null; // also where brackets are nested too deep
  }
}

/**
 * The pieces of a text between signs, but not of what stands in round brackets; a tuple is opened.
 * @param {string} text
 * @param {string} between
 * @returns {string[]}
 */
function split(text, between) {
  const found = [""];
  let depth = 0;
  for (const part of text.split(new RegExp(`([()]|${between})`))) {
    depth += Number(part === "(") - Number(part === ")");
    if (!depth && part && RegExp(`^(?:${between})$`).test(part)) found.push("");
    else found[found.length - 1] += part;
  }
  const whole = found.map((piece) => piece.trim()).filter(Boolean);
  return whole.flatMap((piece) => {
    const inside = piece.match(/^\(([^()]*)\)$/)?.[1];
    return inside !== undefined && RegExp(between).test(inside.trim()) ? split(inside, between) : piece;
  });
}

/**
 * One sign for each thing: 3² is 3^(2), and wide digits and signs are the usual ones.
 * @param {string} text
 */
export function normalised(text) {
  const powers = text.replace(RegExp(`[${POWERS}]+`, "g"), (run) => {
    const digits = [...run].map((sign) => "0123456789-+"[POWERS.indexOf(sign)]);
    return `^(${digits.join("")})`;
  });
  const plain = powers.normalize("NFKC").replace(/\*\*|[−–×·⋅÷⁄√π]/g, (sign) => SIGNS[sign]);
  return plain.replace(/[[\]{}|\n、]/g, ";").replace(/^\s*[=≈~]/, "");
}

// A comma is a point in 0,5 and stands between numbers elsewhere; blanks may stand between them, too.
const DECIMAL_COMMA = /(\d),(?=\d)/g;
const NOTATIONS = [
  { between: ";|,", decimalComma: false },
  { between: ";|,", decimalComma: true },
  { between: ";|,|\\s+", decimalComma: false },
  { between: ";|,|\\s+", decimalComma: true },
];

/**
 * Every way to read a text as numbers.
 * @param {string} text
 */
export function readings(text) {
  const plain = normalised(text);
  return NOTATIONS.flatMap(({ between, decimalComma }) => {
    const pieces = split(decimalComma ? plain.replace(DECIMAL_COMMA, "$1.") : plain, between);
    const numbers = pieces.map(number).filter((typed) => typed !== null);
    return pieces.length && numbers.length === pieces.length ? [numbers] : [];
  });
}

/**
 * The first part of a text that is no number.
 * @param {string} text
 */
export const unread = (text) => split(normalised(text), ";|,|\\s+").find((piece) => !number(piece)) ?? text.trim();

/**
 * Whether numbers that were typed are these, up to the tolerance.
 * @param {Typed[]} typed
 * @param {number[]} wanted
 * @param {{ tolerance: number, any_order?: boolean }} check
 * @param {"near" | "rough"} [rounding] what may be rounded away
 */
export function matches(typed, wanted, { tolerance, any_order }, rounding = "near") {
  if (any_order) {
    typed = typed.toSorted((a, b) => a.value - b.value);
    wanted = wanted.toSorted((a, b) => a - b);
  }
  /** @type {(one: Typed, i: number) => boolean} */
  const close = (one, i) =>
    Math.abs(one.value - wanted[i]) <= Math.max(one[rounding], tolerance * (1 + Math.abs(wanted[i])));
  return typed.length === wanted.length && typed.every(close);
}
