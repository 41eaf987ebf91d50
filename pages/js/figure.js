// What pages ask of a figure that its own script has drawn.
import { first } from "./learn/dom.js";

/**
 * Call `act` with a figure's row of buttons, once there is one.
 * @param {Element} figure
 * @param {(tools: HTMLElement) => void} act
 */
export function whenDrawn(figure, act) {
  const look = () => {
    const tools = figure.querySelector(":scope > div")?.shadowRoot?.querySelector(".tools");
    if (!(tools instanceof HTMLElement)) return;
    drawn.disconnect();
    act(tools);
  };
  const drawn = new MutationObserver(look);
  drawn.observe(figure, { childList: true });
  look();
}

/**
 * What a figure's own script leaves in the page.
 * @param {Element} figure
 * @returns {{ title: string, start: Record<string, string> }}
 */
export const dataOf = (figure) => JSON.parse(first("script[type='application/json']", figure).textContent);

/**
 * A figure's state as an address says it, from its question mark on; nothing at the start, and for a trace.
 * @param {Element & { value?: Record<string, string> }} figure
 */
export function stateOf(figure) {
  if (!figure.value || !figure.matches(".kernelfree-figure")) return "";
  const [now, start] = [figure.value, dataOf(figure).start].map((state) => `?${new URLSearchParams(state)}`);
  return now === start ? "" : now;
}
