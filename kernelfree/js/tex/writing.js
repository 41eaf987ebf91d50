// A canvas that writes formulas among letters.
import { partsOf, SIGN, UNIT } from "./parts.js";

const known = new WeakSet();

/** How far the line that letters stand on is below the one that a text hangs on. */
function lift(ink, measure) {
  const hanging = measure("x").fontBoundingBoxAscent;
  ink.textBaseline = "alphabetic";
  return measure("x").fontBoundingBoxAscent - hanging;
}

/**
 * Let a drawing context write formulas.
 * @param {any} ink
 * @param {import("../types").Formulas} tex
 */
export function writing(ink, tex) {
  if (known.has(ink)) return ink;
  known.add(ink);
  const measure = ink.measureText.bind(ink);
  const scale = () => parseFloat(ink.font.match(/([\d.]+)px/)[1]) / UNIT;
  const parts = (text) =>
    partsOf(text, tex).map((part) => ({
      ...part,
      wide: part.drawn ? part.drawn[1] * scale() : measure(part.words).width,
    }));
  const total = (all) => all.reduce((sum, { wide }) => sum + wide, 0);
  /** Write letters and outlines, each its own way. */
  const write = (letters, outline) => (text, x, y, most) => {
    if (!`${text}`.includes(SIGN)) return letters(text, x, y, most);
    const all = parts(text);
    const wide = total(all);
    const size = scale();
    const side = { center: -wide / 2, right: -wide }[ink.textAlign] ?? 0;
    const hung = ink.textBaseline;
    ink.save();
    const base = lift(ink, measure);
    const far = (n) => Math.max(0, ...all.map(({ drawn }) => (drawn ? Number(drawn[n]) * size : 0)));
    // What is higher than letters stays inside the edge that they hang on.
    const down = { top: Math.max(base, far(2)), bottom: Math.min(base, -far(3)) }[hung] ?? base;
    ink.textAlign = "left";
    ink.translate(x, y);
    const narrow = Math.min(1, most / wide || 1);
    ink.scale(narrow, narrow);
    let across = side;
    for (const { words, drawn, wide } of all) {
      if (drawn) {
        ink.save();
        ink.translate(across, down);
        ink.scale(size, size);
        ink.lineWidth /= size;
        outline(new Path2D(drawn[4]));
        ink.restore();
      } else if (words) letters(words, across, down);
      across += wide;
    }
    ink.restore();
  };
  const fillText = write(ink.fillText.bind(ink), (path) => ink.fill(path));
  const strokeText = write(ink.strokeText.bind(ink), (path) => ink.stroke(path));
  const measureText = (text, ...more) =>
    `${text}`.includes(SIGN) ? { width: total(parts(text)) } : measure(text, ...more);
  return Object.assign(ink, { fillText, strokeText, measureText });
}
