// Python in a worker: the page stays alive, and what never ends is stopped by ending the worker.
import { start } from "./start.js";

const KEPT = "attention-python"; // the snapshot, in the browser's own storage
const here = new URL("./", import.meta.url).href;
const { caches } = globalThis; // readers' code finds none

/** Where a policy forbids WebAssembly, Pyodide would wait for ever: the smallest program tells. */
const allowed = () =>
  WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(
    () => true,
    () => false,
  );

const fetched = async (name) => {
  const answer = await fetch(here + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
};

/** The snapshot of an earlier visit, if this browser has kept it. */
const kept = async () => {
  const found = await (await caches.open(KEPT)).match(`${here}snapshot`);
  return found && new Uint8Array(await found.arrayBuffer());
};

/** Keep a snapshot in the place of those of other editions. @param {Uint8Array<ArrayBuffer>} made */
const keep = async (made) => {
  await caches.delete(KEPT);
  await (await caches.open(KEPT)).put(`${here}snapshot`, new Response(made));
};

// What could reach another address or another page: code that came from a file may run here.
const WAYS =
  `fetch XMLHttpRequest WebSocket EventSource WebTransport Worker BroadcastChannel indexedDB caches importScripts
  eval navigator`.split(/\s+/);

/** From now on nothing leaves this worker but what it answers, and no text becomes a program. */
function close() {
  for (const name of WAYS) Object.defineProperty(globalThis, name, { value: undefined });
  for (const kind of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    const shape = Object.getPrototypeOf(kind);
    const refuse = () => {
      throw new TypeError("closed");
    };
    Object.defineProperty(shape, "constructor", { value: Object.assign(refuse, { prototype: shape }) });
  }
  Object.assign(globalThis, { Function: (() => {}).constructor });
}

const send = postMessage.bind(globalThis);
let python;

/**
 * Pyodide's program is compiled while the rest is read: Pyodide, which asks for it later, gets this one.
 * @param {WebAssembly.Module} [made] by an earlier worker
 */
function compiled(made) {
  const program = made ? Promise.resolve(made) : WebAssembly.compileStreaming(fetched("pyodide.asm.wasm"));
  const { fetch } = globalThis;
  globalThis.fetch = async (address, ...how) => (`${address}`.endsWith(".wasm") ? undefined : fetch(address, ...how));
  WebAssembly.instantiateStreaming = async (_, given) => {
    const module = await program;
    return { module, instance: await WebAssembly.instantiate(module, given) };
  };
  return program;
}

async function begin({ language, made }) {
  if (!(await allowed())) return { refused: true };
  const words = language === "en" ? [] : [`${language}.json`];
  const program = compiled(made);
  program.catch(({ message }) => send({ failed: message })); // Pyodide would wait for ever
  const [{ loadPyodide }, snapshot, ...rooms] = await Promise.all([
    import(`${here}pyodide.js`),
    kept().catch(() => undefined),
    ...["modules.json", ...words].map(async (name) => (await fetched(name)).json()),
  ]);
  const tell = (text) => send({ told: text });
  python = await start(loadPyodide, here, rooms, snapshot, { language, tell });
  close();
  if (!snapshot) keep(python.made).catch(() => {}); // no room: the next start takes as long
  return { made: await program };
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.run) send({ done: python.run(data.run) });
    else send(data.draw ? { done: python.draw(data.draw) } : await begin(data));
  } catch (error) {
    send({ failed: String(error.message ?? error).slice(0, 500) });
  }
});
