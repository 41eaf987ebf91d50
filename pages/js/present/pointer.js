// A dot that follows a mouse or a finger, for all to see; it catches nothing.
import { make } from "../learn/dom.js";

export class Pointer {
  node = make("div", { className: "lesson-dot", ariaHidden: "true", hidden: true });

  /** @param {AbortSignal} signal */
  constructor(signal) {
    const follow = (event) => {
      const { clientX, clientY } = event.touches?.[0] ?? event;
      this.node.style.translate = `${clientX}px ${clientY}px`;
    };
    for (const type of ["pointermove", "pointerdown", "touchmove"])
      addEventListener(type, follow, { signal, capture: true });
  }

  /** @returns {boolean} whether it is shown now */
  toggle() {
    this.node.hidden = !this.node.hidden;
    return !this.node.hidden;
  }
}
