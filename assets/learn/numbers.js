// Numbers as people write them: 1/3, .333, 33%, ln(11/4), 2^-8, lists and matrices in the usual ways.

const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)|(ln|log|exp|sqrt|pi|e)|(.))/giy;
const DECIMAL = /^[-+]?(\d*\.?(\d*))(?:e([-+]?\d+))?\s*(%?)$/i;
const CONSTANTS = { e: Math.E, pi: Math.PI };
const FUNCTIONS = { ln: Math.log, log: Math.log, exp: Math.exp, sqrt: Math.sqrt };
const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";
const SIGNS = { "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "⁄": "/", "√": "sqrt", π: "pi", "**": "^" };

const starts = (part) => part === "(" || part in CONSTANTS || part in FUNCTIONS;

/** A number, or raise: what is no number makes no expression that is one (NaN ** 0 is 1). */
function sure(number) {
  if (!Number.isFinite(number)) throw new RangeError("no number");
  return number;
}

/** The value of an expression, by recursive descent; raises if it is none. */
function value(text) {
  const parts = [...text.trim().toLowerCase().matchAll(TOKEN)].map(([, digits, name, sign]) =>
    digits ? Number(digits) : (name ?? sign),
  );
  let at = 0;
  const take = (...signs) => signs.includes(parts[at]) && parts[at++];
  const sum = () => {
    let total = product();
    for (let sign; (sign = take("+", "-")); ) total += sign === "+" ? product() : -product();
    return total;
  };
  const product = () => {
    let total = factor();
    for (;;)
      if (take("*")) total *= factor();
      else if (take("/")) total = sure(total / factor());
      else if (starts(parts[at]))
        total *= power(); // 2 ln 3
      else return sure(total);
  };
  const factor = () => (take("-") ? -factor() : take("+") ? factor() : power());
  const power = () => {
    let base = atom();
    if (take("%")) base /= 100;
    return take("^") ? sure(base ** factor()) : base;
  };
  const atom = () => {
    const part = parts[at++];
    if (typeof part === "number") return sure(part);
    if (part in CONSTANTS) return CONSTANTS[part];
    if (part in FUNCTIONS) return sure(FUNCTIONS[part](parts[at] === "(" ? atom() : factor()));
    const inside = part === "(" ? sum() : NaN;
    if (!take(")")) throw new SyntaxError("no number");
    return inside;
  };
  const total = sum();
  if (at < parts.length) throw new SyntaxError("more than a number");
  return total;
}

/**
 * A number and how far the one that was meant may be from it: `near` is what was rounded away where
 * two digits or more say so, `rough` where one does; null if it is none.
 */
export function one(text) {
  try {
    const number = value(text);
    const [, digits, places, power = 0, percent] = text.trim().match(DECIMAL) ?? [];
    if (!places && !percent && !(power < 0)) return { value: number, near: 0, rough: 0 };
    const rough = (0.501 * 10 ** (power - places.length)) / (percent ? 100 : 1);
    return { value: number, near: digits.replace(/\D|^[0.]+/g, "").length > 1 ? rough : 0, rough };
  } catch {
    return null; // also where brackets are nested too deep
  }
}

/** The pieces of a text between signs, but not of what stands in round brackets; a tuple is opened. */
function pieces(text, between) {
  const found = [""];
  let depth = 0;
  for (const part of text.split(new RegExp(`([()]|${between})`))) {
    depth += (part === "(") - (part === ")");
    if (!depth && part && RegExp(`^(?:${between})$`).test(part)) found.push("");
    else found[found.length - 1] += part;
  }
  const whole = found.map((piece) => piece.trim()).filter(Boolean);
  return whole.flatMap((piece) => {
    const inside = piece.match(/^\(([^()]*)\)$/)?.[1];
    return inside !== undefined && RegExp(between).test(inside.trim()) ? pieces(inside, between) : piece;
  });
}

/** One sign for each thing: 3² is 3^(2), and wide digits and signs are the usual ones. */
export function tidy(text) {
  const powers = text.replace(RegExp(`[${POWERS}]+`, "g"), (run) => {
    const digits = [...run].map((sign) => "0123456789-+"[POWERS.indexOf(sign)]);
    return `^(${digits.join("")})`;
  });
  const plain = powers.normalize("NFKC").replace(/\*\*|[−–×·⋅÷⁄√π]/g, (sign) => SIGNS[sign]);
  return plain.replace(/[[\]{}|\n]/g, ";").replace(/^\s*[=≈~]/, "");
}

// A comma is a point in 0,5 and stands between numbers elsewhere; blanks may stand between them, too.
const POINT = [/(\d),(?=\d)/g, "$1."];
const WAYS = [[";|,"], [";|,", POINT], [";|,|\\s+"], [";|,|\\s+", POINT]];

/** Every way to read a text as numbers. */
export function readings(text) {
  const plain = tidy(text);
  const ways = WAYS.map(([between, comma]) => pieces(comma ? plain.replace(...comma) : plain, between).map(one));
  return ways.filter((numbers) => numbers.length && !numbers.includes(null));
}

/** The first part of a text that is no number. */
export const unread = (text) => pieces(tidy(text), WAYS[2][0]).find((piece) => !one(piece)) ?? text.trim();

/** Whether numbers that were typed are these, up to the tolerance; `slack`: what may be rounded away. */
export function same(typed, wanted, { tolerance, any_order }, slack = "near") {
  if (any_order) {
    typed = typed.toSorted((a, b) => a.value - b.value);
    wanted = wanted.toSorted((a, b) => a - b);
  }
  const close = (one, i) =>
    Math.abs(one.value - wanted[i]) <= Math.max(one[slack], tolerance * (1 + Math.abs(wanted[i])));
  return typed.length === wanted.length && typed.every(close);
}
