// The page's Python does one thing at a time: whose turn it is, and what was asked for meanwhile.
import { say } from "../../../kernelfree/js/say.js";
import { make } from "../learn/dom.js";
import { stop } from "./python.js";

export const STOPPED = say`Stopped. What you wrote is still here.`;

/** @type {object | undefined} */
let owner;
/** @type {(() => void) | undefined} */
let next;
/** @type {Set<() => void>} */
const watching = new Set();

/** Whose turn it is. */
export const turns = {
  get owner() {
    return owner;
  },
  /** @param {() => void} then called whenever that changes */
  watch: (then) => watching.add(then),
  /** @param {() => void} then */
  forget: (then) => watching.delete(then),
};

/**
 * Work that needs Python, once it is free; false where it waits. `seconds` counts while it lasts, for eyes alone.
 * @param {object} who
 * @param {HTMLElement} seconds
 * @param {() => Promise<void>} work
 */
export async function turn(who, seconds, work) {
  if (owner) {
    next = () => turn(who, seconds, work);
    return false;
  }
  owner = who;
  for (const then of watching) then();
  const from = Date.now();
  const clock = setInterval(() => {
    const passed = Math.floor((Date.now() - from) / 1000);
    if (passed > 1) seconds.textContent = say`${passed} s`;
  }, 1000);
  try {
    await work();
  } finally {
    clearInterval(clock);
    seconds.textContent = "";
    owner = undefined;
    for (const then of watching) then();
    const then = next;
    next = undefined;
    then?.();
  }
  return true;
}

/** End what runs, and forget what waits. */
export function halt() {
  next = undefined;
  stop(new Error(STOPPED));
}

/** Where seconds are counted. */
export const counter = () => make("span", { className: "seconds", ariaHidden: "true" });
