// What scripts say to readers: templates with the tag `say`, and their words in another language.
//
//   node tools/translation/scripts.mjs     prints all of them: [[message, file, line], ...]
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const FIELD = /\{(\d+)\}/;

/** All nodes of a syntax tree that are marked, each before those inside it. */
function* marked(node) {
  if (node.type === "TaggedTemplateExpression" && node.tag.name === "say") yield node;
  for (const part of Object.values(node).flat()) if (part?.type) yield* marked(part);
}

export const tree = (source) => parse(source, { ecmaVersion: "latest", sourceType: "module", locations: true });

/** A template as the message of a catalog. */
const messageOf = ({ quasi: { quasis } }) =>
  quasis.map(({ value }, i) => (i ? `{${i - 1}}` : "") + value.cooked).join("");

/** A script without the marks, in the words of a catalog where it has some. */
export function spoken(source, catalog = new Map()) {
  const all = [...marked(tree(source))];
  const written = (start, end) => {
    let text = "";
    for (const node of all) {
      if (node.start < start || node.end > end) continue;
      text += source.slice(start, node.start) + template(node);
      start = node.end;
    }
    return text + source.slice(start, end);
  };
  const template = (node) => {
    const { expressions } = node.quasi;
    const message = messageOf(node);
    const parts = (catalog.get(message) ?? message).split(FIELD).map((part, i) => {
      if (i % 2 === 0) return part.replace(/[\\`]|\$\{/g, "\\$&");
      if (!expressions[part]) throw new Error(`${JSON.stringify(message)}: its translation has a field {${part}}`);
      // What is marked inside a field has its turn there.
      return `\${${written(expressions[part].start, expressions[part].end)}}`;
    });
    return `\`${parts.join("")}\``;
  };
  return written(0, source.length);
}

/** The messages of a catalog that are translated and up to date. */
export function catalogOf(text) {
  const found = new Map();
  for (const entry of text.split(/\n\s*\n/)) {
    if (/^#(~|,.*\bfuzzy\b)/m.test(entry)) continue;
    const parts = {};
    for (const [, name, strings] of entry.matchAll(/^(\w+) ((?:".*"\s*)+)/gm))
      parts[name] = strings.match(/".*"/g).map(JSON.parse).join("");
    if (parts.msgid && parts.msgstr && parts.msgctxt === undefined) found.set(parts.msgid, parts.msgstr);
  }
  return found;
}

/** The languages that have a catalog for scripts: {name: its messages}. */
export async function languages() {
  const found = {};
  for (const file of globSync("locale/*/page.po", { cwd: root }).sort())
    found[path.basename(path.dirname(file))] = catalogOf(await readFile(path.join(root, file), "utf8"));
  return found;
}

/** Where the sources of scripts are. */
export const sources = () => globSync("{kernelfree,pages}/js/**/*.js", { cwd: root }).sort();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = [];
  for (const file of sources())
    for (const node of marked(tree(await readFile(path.join(root, file), "utf8"))))
      found.push([messageOf(node), file, node.loc.start.line]);
  console.log(JSON.stringify(found));
}
