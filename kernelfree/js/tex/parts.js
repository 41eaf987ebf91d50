// A text of a figure with formulas in it.

export const SIGN = "\u2063";
// Parts of an em in which outlines are drawn.
export const UNIT = 200;

/**
 * The parts of a text: each a formula or words.
 * @param {string} text
 * @param {import("../types").Formulas} tex
 */
export const partsOf = (text, tex) =>
  `${text}`.split(SIGN).map((words, i) => ({ words, drawn: i % 2 ? tex[words] : undefined }));
