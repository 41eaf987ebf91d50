// Python under node: runs a Python file of the tests beside the stand-in, and prints what its `main` gives back.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import { ask } from "./steps.js";

const [, , folders, source, given] = process.argv;
const python = await loadPyodide({ stdout: () => {}, stderr: (line) => process.stderr.write(`${line}\n`) });
for (const [i, folder] of folders.split(":").entries()) {
  python.FS.mkdirTree(`/room${i}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, `/room${i}`);
}
python.globals.set("rooms", python.toPy(folders.split(":").map((_, i) => `/room${i}`)));
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = rooms; import torch.engine");
python.runPython("torch.engine.PAGE").set("ask", ask);
python.runPython(readFileSync(source, "utf8"));
process.stdout.write(python.globals.get("main")(readFileSync(given || 0, "utf8")));
