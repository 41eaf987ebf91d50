// What a reader has typed into the box of an exercise, as code: in a notebook it stands in place of the cell's dots.
import { first } from "../learn/dom.js";
import { readings } from "../learn/numbers.js";
import { load } from "../learn/store.js";

/** @typedef {import("../learn/answers.js").Value} Value */

/** Numbers as Python's, in the shape of others. @param {Value} like @param {number[]} numbers @returns {string} */
const shaped = (like, numbers) =>
  Array.isArray(like) ? `[${like.map((one) => shaped(one, numbers)).join(", ")}]` : `${numbers.shift()}`;

/** An answer as Python's; nothing where it is none. @param {Value} expected @param {string} text */
function literal(expected, text) {
  if (typeof expected === "string") return JSON.stringify(text.trim());
  const found = readings(text);
  const count = [expected].flat(Infinity).length;
  const read = found.find(({ length }) => length === count) ?? found[0];
  const numbers = read?.map(({ value }) => Number(value.toPrecision(12)));
  return numbers && shaped(numbers.length === count ? expected : numbers, [...numbers]);
}

/** The cell of an exercise with the answer in its box, if there is one. @param {import("./cell.js").Cell} cell */
export function fromBox({ node, exercise, book }) {
  const output = node.querySelector(".d2lmini-answer");
  const choice = exercise && load().answers[exercise.getAttribute("data-answer")]?.choice;
  if (!output || typeof choice !== "string") return undefined;
  const answer = literal(JSON.parse(first("script", output).textContent).expected, choice);
  return answer && book.replace("= ...", () => `= ${answer}`);
}
