// Joins and shrinks scripts: those of figures, kernelfree/js -> kernelfree/static, and those of the book's pages,
// pages/js -> pages/static. It is committed: whoever installs the package or builds the book needs no Node.
//
// Each is made in English and, where it says something, in every language that has a catalog: there it stands
// in a folder of that name, such as kernelfree/static/zh.
//
//   node tools/bundle.mjs [FOLDER LANGUAGE]     (where to write instead, in one language: for a test)
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import * as esbuild from "esbuild";
import { minify } from "terser";
import { languages, spoken } from "./translation/scripts.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [out = root, only] = process.argv.slice(2);

/** What stands in a file, for esbuild: a style sheet as a string, shrunk; a script in the words of a catalog. */
const read = (catalog) => ({
  name: "read",
  setup(build) {
    build.onLoad({ filter: /\.(css|js)$/, namespace: "file" }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      if (file.endsWith(".js")) return { contents: text.includes("say`") ? spoken(text, catalog) : text, loader: "js" };
      const { code } = await esbuild.transform(text, { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
});

// Whatever stands in the folder of panels is in every script that draws figures.
const panels = (await readdir(path.join(root, "kernelfree/js/panels"))).filter((file) => file.endsWith(".js")).sort();
const PANELS = panels.map((file) => `import "./panels/${file}";`).join(" ");
const LIVE = `${PANELS} import "./live/all.js";`;
const UNCOMMON = 'import "./engine/uncommon.js";';
// What each kind of script is made of, the class of the figures that it brings to life, and the name of
// the script that figures of a page of the book share.
const KINDS = {
  static: { needs: PANELS, main: "./figure/widget.js", name: "kernelfree-figure", page: "figures" },
  live: { needs: LIVE, main: "./figure/widget.js", name: "kernelfree-figure", page: "live" },
  trace: { needs: UNCOMMON, main: "./trace/trace.js", name: "kernelfree-trace", page: "traces" },
  sentence: { needs: PANELS, main: "./model/sentence.js", name: "kernelfree-sentence", page: "sentences" },
};

// A classic script keeps its names to itself; a module does so anyway.
const classic = (text) => `(() => {\n${text}})();`;
const module = (text) => text;
// In a worker it begins by itself, in a page it is handed over.
const worker = (text) =>
  classic(`const work = (port) => {\n${text}};\ntypeof document === "undefined" ? work(self) : kernelfreePart(work);`);

/** What is made: its place, where its text stands, the text, and what stands around it. */
async function* entries() {
  const figures = (file, text, wrap) => [`kernelfree/static/${file}`, "kernelfree/js", text, wrap];
  // One text for a figure that stands alone, one for a page of many, one for a widget.
  for (const [kind, { needs, main, name, page }] of Object.entries(KINDS)) {
    const start = (when) =>
      `${needs} import { mount } from "${main}"; import { ${when} } from "./figure/start.js"; ${when}("${name}", mount);`;
    if (kind !== "sentence") yield figures(`${kind}.js`, start("atOnce"), classic);
    yield [`pages/static/${page}.js`, "kernelfree/js", start("whenNear"), classic];
    if (kind !== "static") yield figures(`${kind}.mjs`, `${needs} export { default } from "${main}";`, module);
  }
  for (const part of ["tools", "tex"])
    for (const folder of ["kernelfree", "pages"])
      yield [`${folder}/static/${part}.js`, "kernelfree/js", `import "./${part}/${part}.js";`, classic];
  yield figures("saved.js", 'import "./saved/saved.js";', classic);
  yield figures("work.js", `${UNCOMMON} import { listen } from "./model/work.js"; listen(port);`, worker);
  // What draws QR codes, and the editor, are others' work: their licences stay with them.
  for (const [name, library] of Object.entries({ "line/line": "uqr", "here/editor": "@codemirror/view" })) {
    const licence = await readFile(path.join(root, `node_modules/${library}/LICENSE`), "utf8");
    const licensed = (text) => `/*! Holds ${library} ${licence.trim()}\n*/\n${classic(text)}`;
    yield [`pages/static/${path.basename(name)}.js`, "pages/js", `import "./${name}.js";`, licensed];
  }
  yield ["runhere/static/worker.js", "runhere/js", `import "./worker.js";`, module];
  const pages = "book head alone embed learn/learn learn/again learn/welcome search/search";
  for (const name of `${pages} finger/finger here/here present/present`.split(" "))
    yield [`pages/static/${path.basename(name)}.js`, "pages/js", `import "./${name}.js";`, classic];
}

// esbuild joins, terser shrinks: by itself esbuild leaves 3% more.
const SHRINK = {
  module: true,
  ecma: 2020,
  compress: { passes: 3, unsafe: true, unsafe_arrows: true, pure_getters: true },
  format: { ascii_only: true },
};

/** A script that unpacks another: each output of a notebook holds one, and stands alone. */
const packed = (code) => `(async()=>{const s=document.createElement("script");\
s.textContent=await new Response(new Blob([Uint8Array.from(atob("\
${deflateRawSync(code, { level: 9 }).toString("base64")}\
"),c=>c.charCodeAt())]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();\
document.head.append(s)})()`;

/** One script in the words of a catalog. */
async function made([file, folder, contents, wrap], catalog) {
  const bundle = await esbuild.build({
    stdin: { contents, resolveDir: path.join(root, folder), sourcefile: file },
    bundle: true,
    format: "esm",
    target: "es2023",
    legalComments: "none",
    minifySyntax: true,
    plugins: [read(catalog)],
    write: false,
  });
  return (await minify(wrap(bundle.outputFiles[0].text), SHRINK)).code;
}

async function write(file, code, wrap) {
  const alone = wrap === classic && file.startsWith("kernelfree/static/");
  const name = path.join(out, alone ? file.replace(".js", ".packed.js") : file);
  await mkdir(path.dirname(name), { recursive: true });
  await writeFile(name, `${alone ? packed(code) : code}\n`);
}

const catalogs = Object.entries(await languages()).filter(([language]) => (only ?? language) === language);
for await (const entry of entries()) {
  const [file, , , wrap] = entry;
  const code = await made(entry);
  await write(file, code, wrap);
  for (const [language, catalog] of catalogs) {
    const other = await made(entry, catalog);
    if (other !== code) await write(path.join(path.dirname(file), language, path.basename(file)), other, wrap);
  }
}
