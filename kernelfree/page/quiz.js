// The question that covers a figure.
import { block, button, make } from "./nodes.js";

/** `then` is called at the first answer. */
export function quiz({ question, choices }, group, then) {
  const status = make("p", { role: "status" });
  const buttons = choices.map(([text, reply]) => {
    const node = button(text, () => {
      for (const one of buttons) one.ariaPressed = one === node;
      status.textContent = reply;
      group.classList.remove("covered");
      if (reply) {
        const detail = { choice: text, right: reply.startsWith("Right. ") };
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
