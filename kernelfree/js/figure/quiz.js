// The question that a figure waits for.
import { button, make, spokenLine } from "./nodes.js";

/**
 * Let a figure wait until its question is answered. A choice without a reply skips the question.
 * @param {{ question: string, choices: [text: string, reply: string][], answer: number }} predict
 *   `answer`: the place of the right choice
 * @param {HTMLElement} group
 * @param {(reply: string) => string} then called then, with the reply; what else there is to say
 * @returns {HTMLElement} where the reply stands
 */
export function quiz({ question, choices, answer }, group, then) {
  const status = spokenLine();
  const buttons = choices.map(([text, reply], choice) =>
    button(text, ({ target }) => {
      for (const one of buttons) one.ariaPressed = one === target;
      group.className = "";
      if (reply)
        group.dispatchEvent(
          new CustomEvent("kernelfree-answer", {
            bubbles: true,
            composed: true,
            detail: { choice, right: choice === answer },
          }),
        );
      status.textContent = `${reply} ${then(reply)}`;
      then = () => "";
    }),
  );
  group.className = "covered";
  group.prepend(make("div", { className: "quiz", role: "group", ariaLabel: question }, question, ...buttons, status));
  return status;
}
