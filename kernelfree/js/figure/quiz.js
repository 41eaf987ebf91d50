// The question that covers a figure.
import { button, make } from "./nodes.js";

/** `then` is called when the figure is uncovered, with the reply, which is empty for who skips. */
export function quiz({ question, choices }, group, then) {
  const status = make("p", { role: "status" });
  const buttons = choices.map(([choice, reply]) =>
    button(choice, ({ target }) => {
      for (const one of buttons) one.ariaPressed = one === target;
      status.textContent = reply;
      group.classList.remove("covered");
      if (reply)
        group.dispatchEvent(
          new CustomEvent("kernelfree-answer", {
            bubbles: true,
            composed: true,
            detail: { choice, right: reply.startsWith("Right. ") },
          }),
        );
      then(reply);
      then = () => {};
    }),
  );
  group.classList.add("covered");
  group.prepend(make("div", { className: "quiz", role: "group", ariaLabel: question }, question, ...buttons, status));
}
