// Python under node: runs a Python file beside the stand-in, and prints what its `main` makes of a file.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import { ask } from "./steps.js";

const [rooms, source, given] = process.argv.slice(2);
const python = await loadPyodide({ stdout: () => {}, stderr: (line) => process.stderr.write(`${line}\n`) });
for (const [name, root] of Object.entries(JSON.parse(rooms))) {
  python.FS.mkdirTree(`/room/${name}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, `/room/${name}`);
}
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '/room'); import torch.engine");
python.runPython("torch.engine.PAGE").set("ask", ask);
python.runPython(readFileSync(source, "utf8"));
try {
  process.stdout.write(python.globals.get("main")(readFileSync(given, "utf8")));
} catch (error) {
  process.stderr.write(`${error.message}\n`); // and not a megabyte of what has thrown it
  process.exitCode = 1;
}
