// Numbers as Python's format writes them.

/** With so many decimals; what is exactly between two becomes even. */
function fixed(number, digits) {
  const exact = Math.abs(number).toFixed(Math.min(100, digits + 40));
  const cut = exact.length - Math.min(100 - digits, 40);
  const between = /^50*$/.test(exact.slice(cut));
  const down = exact.slice(0, cut).replace(/\.$/, "");
  if (!between || /[13579]$/.test(down)) return number.toFixed(digits);
  return `${number < 0 ? "-" : ""}${down}`;
}

/** With so many digits that count, and no zeros at the end. */
function general(number, digits) {
  const [head, power] = number.toExponential(digits - 1).split("e");
  const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < digits) return short(fixed(number, Math.max(0, digits - 1 - power)));
  const unit = 10 ** (power - digits + 1);
  const down = Math.floor(Math.abs(number) / unit);
  const between = power > 0 && Math.abs(number) % unit === unit / 2 && down % 2 === 0;
  const even = (Math.sign(number) * down) / 10 ** (digits - 1);
  return `${short(between ? even.toFixed(digits - 1) : head)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

/** A number in a way such as ".2f", ".0%", ".3g", "d" or "". */
export function inWay(number, way) {
  if (!Number.isFinite(number))
    return `${number}`.replace("Infinity", "inf").replace("NaN", "nan") + (way.endsWith("%") ? "%" : "");
  const kind = way.at(-1);
  const digits = way.startsWith(".") ? parseInt(way.slice(1), 10) : 6;
  if (kind === "%") return `${fixed(100 * number, digits)}%`;
  if (kind === "f") return fixed(number, digits);
  if (kind === "g") return general(number, Math.max(1, digits));
  return `${kind === "d" ? Math.trunc(number) : number}`;
}
