// Long work in short pieces, so that the page stays alive.

/** A task of its own; a timer would wait 4 ms longer. */
export const pause = () =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(port1.close());
    port2.postMessage(0);
  });

// Milliseconds between two rests. On a slow computer the last step before one is longer than that.
// A worker keeps no page waiting: it rests to hear that nobody waits any more.
const SLICE = globalThis.document ? 8 : 100;

/** Something to wait for that rests only where the page has waited for long, and then says so. */
export function pacer() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return false;
    await pause();
    since = performance.now();
    return true;
  };
}
