// A model that computes beside the page, which stays free: it is asked by messages.
import { say } from "../say.js";
import { part } from "./files.js";

// Milliseconds in which what computes must have said that it is here.
const PATIENCE = 10_000;

/** Something that can be asked, once it has said that it is here: a script that came empty never does. */
const begun = (port) =>
  new Promise((done, failed) => {
    port.onmessage = () => done(port);
    port.onerror = failed;
    setTimeout(failed, PATIENCE);
  }).catch(() => {
    end(port);
    throw new Error(say`what computes did not begin`);
  });

const end = (port) => (port.terminate ?? port.close).call(port);

/** A worker by its address; from a disk by its text; and where none may be, the page itself. */
async function beside(address) {
  try {
    return await begun(new Worker(address));
  } catch {
    const work = await part(address);
    const text = new Blob([`(${work})(self)`], { type: "text/javascript" });
    const source = URL.createObjectURL(text);
    try {
      return await begun(new Worker(source));
    } catch {
      const { port1, port2 } = new MessageChannel();
      work(port2);
      return await begun(port1);
    } finally {
      URL.revokeObjectURL(source);
    }
  }
}

export class Client {
  asked = new Map();
  last = 0;

  /** From parts that are all here. */
  static async from({ index, bytes, work }, given, signal) {
    const client = new Client();
    client.port = await beside(work);
    client.port.onmessage = ({ data }) => client.hear(data);
    client.port.onerror = ({ message }) => {
      for (const number of client.asked.keys()) client.hear({ number, error: message ?? say`what computes has ended` });
    };
    try {
      signal.throwIfAborted();
      await client.ask({ model: { index, bytes, given } }, [bytes.buffer]);
      signal.throwIfAborted();
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** @param {{number: number, made?: any, error?: string}} answer */
  hear({ number, made, error }) {
    const [done, failed] = this.asked.get(number) ?? [];
    this.asked.delete(number);
    if (error !== undefined) failed?.(new Error(error));
    else done?.(made);
  }

  ask(message, moved) {
    const number = ++this.last;
    this.port.postMessage({ number, ...message }, moved);
    return new Promise((...ends) => this.asked.set(number, ends));
  }

  /** As an Encoder's. */
  encode(text, changes, signal) {
    const answer = this.ask({ text, changes });
    const number = this.last;
    signal.addEventListener("abort", () => this.port.postMessage({ number, stop: true }));
    return answer;
  }

  close() {
    end(this.port);
  }
}
