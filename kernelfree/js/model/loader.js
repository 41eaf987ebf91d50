// A button that says how heavy a model is, and then how much of it is here.

import { block, button, make, spokenLine } from "../figure/nodes.js";
import { say } from "../say.js";
import { Client } from "./client.js";
import { ModelFiles } from "./files.js";

export class Loader {
  bar = make("progress", { max: 1, value: 0, ariaLabel: say`How much of the model is here` });
  here = make("span", {});
  status = spokenLine();
  tries = 0;

  /** @param {{address: string, megabytes: number}} where the model's files */
  constructor({ address, megabytes }, given, ready) {
    Object.assign(this, { address, megabytes, given, ready });
    this.begin = button("", () => this.load());
    this.quit = button(say`Stop`, () => this.stop.abort());
    const promise = make("span", {}, say`Then type any sentence. What you type stays on this page.`);
    this.node = block("load", this.begin, this.bar, this.here, this.quit, promise, this.status);
    this.away();
  }

  /** No model is here. */
  away() {
    this.files = new ModelFiles(this.address);
    this.tell(0);
    this.show(false);
    this.node.hidden = false;
    this.begin.textContent = say`Load the model: ${this.megabytes} MB`;
  }

  show(loading) {
    this.begin.hidden = loading;
    for (const one of [this.bar, this.here, this.quit]) one.hidden = !loading;
  }

  tell(share) {
    this.bar.value = share;
    this.here.textContent = say`${Math.round(share * this.megabytes)} of ${this.megabytes} MB`;
  }

  async load() {
    const { signal } = (this.stop = new AbortController());
    this.show(true);
    this.quit.focus();
    this.status.textContent = say`The model is loading.`;
    try {
      await this.files.load((share) => this.tell(share), signal);
      const stopped = new Promise((_, stop) => signal.addEventListener("abort", () => stop(signal.reason)));
      const encoder = await Promise.race([Client.from(this.files, this.given, signal), stopped]);
      // What is no longer needed is heavy.
      this.files = this.stop = undefined;
      this.node.hidden = true;
      this.status.textContent = "";
      this.ready(encoder);
    } catch (error) {
      // Bytes that went to what computes and did not arrive are loaded again.
      if (this.files.bytes?.length === 0) this.away();
      // What came wrong is not taken from the browser's store again.
      this.files.tries = this.tries += /** @type {any} */ (!signal.aborted);
      this.status.textContent = signal.aborted ? say`Stopped.` : say`That did not work: ${error.message}.`;
      this.begin.textContent = say`Go on loading: ${this.here.textContent} are here`;
      this.show(false);
      this.begin.focus();
    }
  }
}
