// The model's side of a conversation: it gets its weights once, then texts, and answers by number.
import { Encoder } from "./encoder.js";

/** Answer what comes through a port, the first time with the model itself. */
export function listen(port) {
  const jobs = new Map();
  let encoder;
  const made = async (/** @type {any} */ { model, text, changes }, signal) => {
    if (!model) return encoder.encode(text, changes, signal);
    encoder = await Encoder.from(model, model.given);
  };
  port.onmessage = async ({ data: { number, stop, ...asked } }) => {
    if (stop) return jobs.get(number)?.abort();
    const job = new AbortController();
    jobs.set(number, job);
    try {
      port.postMessage({ number, made: await made(asked, job.signal) });
    } catch (error) {
      port.postMessage({ number, error: error.message });
    }
    jobs.delete(number);
  };
  port.postMessage("here");
}
