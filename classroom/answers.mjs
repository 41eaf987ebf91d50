// What the page's own scripts make of lines and of typed answers: JSON in, JSON out.
//
//   {"lines": ["attention=..."], "typed": [[check, text], ...]}
//   -> {"records": [{edition, record} or {error}, ...], "verdicts": [sentence, ...]}
import { text } from "node:stream/consumers";
import { verdict } from "../pages/js/learn/answers.js";
import { recordOf } from "../pages/js/line/codec.js";

const { lines, typed } = JSON.parse(await text(process.stdin));
const records = await Promise.all(lines.map((line) => recordOf(line).catch(({ message }) => ({ error: message }))));
const verdicts = typed.map(([check, answer]) => verdict(check, answer).why);
process.stdout.write(JSON.stringify({ records, verdicts }));
