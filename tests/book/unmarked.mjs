// Strings of the scripts that look like words and are not marked as said: [[text, where it is used, file, line], ...]
import { readFile } from "node:fs/promises";
import { sources, tree } from "../../tools/translation/scripts.mjs";

const LETTERS = /[A-Za-z]{2}/;
const WORDS = /[A-Z]|\S /;

/** Strings and pieces of templates, with the nodes above each. */
function* strings(node, above = []) {
  if (node.type === "ImportDeclaration") return;
  if (node.type === "TaggedTemplateExpression" && node.tag.name === "say") {
    for (const field of node.quasi.expressions) yield* strings(field, above);
    return;
  }
  const text = node.type === "TemplateElement" ? node.value.cooked : node.type === "Literal" && node.value;
  if (typeof text === "string") yield [text, use(node, above), node.loc.start.line];
  for (const [name, part] of Object.entries(node))
    for (const one of [part].flat()) if (one?.type) yield* strings(one, [...above, [node, name]]);
}

const nameOf = (node) => node.property?.name ?? node.name ?? node.value;

/** What a string is used for: the argument of a call, a property, a variable, a comparison. */
function use(leaf, above) {
  let inner = leaf;
  for (const [node, part] of above.toReversed()) {
    if (node.arguments && part === "arguments") return `${nameOf(node.callee)} ${node.arguments.indexOf(inner)}`;
    if (node.type === "Property") return `${nameOf(node.key)}:`;
    if (node.type === "AssignmentExpression") return `${nameOf(node.left)} =`;
    if (node.type === "VariableDeclarator") return `${nameOf(node.id)} =`;
    if (node.type === "BinaryExpression" && /==/.test(node.operator)) return "==";
    inner = node;
  }
  return "";
}

const found = [];
for (const file of sources()) {
  const source = await readFile(new URL(`../../${file}`, import.meta.url), "utf8");
  for (const [text, used, line] of strings(tree(source)))
    if (LETTERS.test(text) && WORDS.test(text)) found.push([text, used, file, line]);
}
console.log(JSON.stringify(found));
