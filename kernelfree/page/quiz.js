// The question that covers a figure.
import { block, button, make } from "./nodes.js";

/**
 * Cover the group until the question is answered. A choice without a reply skips it.
 * @param {{ question: string, choices: [text: string, reply: string][], answer: number }} predict
 *   `answer`: the place of the right choice
 * @param {HTMLElement} group
 * @param {() => void} then called at the first answer
 */
export function quiz({ question, choices, answer }, group, then) {
  const status = make("p", { role: "status" });
  const buttons = choices.map(([text, reply], choice) => {
    const node = button(text, () => {
      for (const one of buttons) one.ariaPressed = one === node;
      status.textContent = reply;
      group.classList.remove("covered");
      if (reply) {
        const detail = { choice, right: choice === answer };
        group.dispatchEvent(new CustomEvent("d2lmini-answer", { bubbles: true, composed: true, detail }));
        then();
      }
      then = () => {};
    });
    return node;
  });
  group.classList.add("covered");
  const asked = block("quiz", question, ...buttons, status);
  group.prepend(Object.assign(asked, { role: "group", ariaLabel: question }));
}
