// Files beside the page, in parts: classic scripts that hand over what they hold, which load from
// a disk, too, and under a strict policy.

import { pause } from "../engine/pause.js";
import { make } from "../figure/nodes.js";
import { say } from "../say.js";

const AT_ONCE = 4;

/** What a part holds: its script calls kernelfreePart with it. */
export function part(src) {
  globalThis.kernelfreePart = (content) => /** @type {any} */ (document.currentScript).take(content);
  return new Promise((take, failed) => {
    const script = make("script", { src, async: true, take });
    // When it has loaded it has called, or it is not what it should be.
    script.onload = script.onerror = () => {
      script.remove();
      script.take = undefined;
      failed(new Error(say`a part could not be fetched`));
    };
    document.head.append(script);
  });
}

/** Adler-32; the sums are cut often enough to stay small integers. */
function checksum(bytes) {
  let [low, high] = [1, 0];
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(at + 3800, bytes.length); at < end; at++) high += low += bytes[at];
    low %= 65521;
    high %= 65521;
  }
  return high * 65536 + low;
}

export function decodedBytes(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** All parts that an index names. What has come stays, so that a load can be taken up again. */
export class ModelFiles {
  coming = {};
  tries = 0;

  /** @param {string} address the index's, beside which the parts are */
  constructor(address) {
    this.address = address;
  }

  /** The address of a file beside the index, or of the index itself. */
  at(name, check) {
    const address = new URL(this.address, document.baseURI);
    if (check !== undefined) {
      address.pathname = address.pathname.replace(/[^/]*$/, name);
      address.search = `v=${check}`;
    }
    // What came damaged is not taken from the browser's store again.
    if (this.tries) address.searchParams.set("again", /** @type {any} */ (this.tries));
    return address.href;
  }

  /** The script that computes. */
  get work() {
    return this.at("work.js", this.index.work);
  }

  /** A file, unless it is on its way already. */
  fetch(name, check) {
    this.coming[name] ??= part(this.at(name, check)).finally(() => delete this.coming[name]);
    return this.coming[name];
  }

  async take(number) {
    const name = `part-${String(number).padStart(2, "0")}.js`;
    const check = this.index.sums[number];
    const text = await this.fetch(name, check);
    await pause();
    const bytes = decodedBytes(text);
    if (checksum(bytes) !== check) throw new Error(say`a part came damaged`);
    this.bytes.set(bytes, number * this.index.part);
    this.missing.delete(number);
  }

  /** Load what is missing; `tell` hears of the share that is here. Raises when it is stopped. */
  async load(tell, signal) {
    const failed = new AbortController();
    const end = AbortSignal.any([signal, failed.signal]);
    const stopped = new Promise((_, stop) => end.addEventListener("abort", () => stop(end.reason)));
    try {
      this.index ??= await Promise.race([this.fetch("index.js"), stopped]);
      this.bytes ??= new Uint8Array(this.index.size);
      this.missing ??= new Set(this.index.sums.keys());
      const next = this.missing.values();
      const some = async () => {
        for (const number of next) {
          await Promise.race([this.take(number), stopped]);
          tell(1 - this.missing.size / this.index.sums.length);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, some));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  }
}
