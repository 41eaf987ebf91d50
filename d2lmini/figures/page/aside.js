// A model that computes beside the page, which stays free: it is asked by messages.
import { part } from "./parts.js";

/** Something that can be asked, once it has said that it is here. */
const begun = (port) =>
  new Promise((done, failed) => {
    port.onmessage = () => done(port);
    port.onerror = failed;
  });

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
      return begun(port1);
    } finally {
      URL.revokeObjectURL(source);
    }
  }
}

export class Aside {
  asked = new Map();
  last = 0;

  /** From parts that are all here. */
  static async from({ index, bytes, work }, given) {
    const aside = new Aside();
    aside.port = await beside(work);
    aside.port.onmessage = ({ data }) => aside.hear(data);
    aside.port.onerror = ({ message }) => {
      for (const number of aside.asked.keys()) aside.hear({ number, error: message });
    };
    await aside.ask({ model: { index, bytes, given } }, [bytes.buffer]);
    return aside;
  }

  hear({ number, made, error }) {
    const [done, failed] = this.asked.get(number) ?? [];
    this.asked.delete(number);
    if (error) failed?.(new Error(error));
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
    (this.port.terminate ?? this.port.close).call(this.port);
  }
}
