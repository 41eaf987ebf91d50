// What stays of reading: answers that are remembered, prompts that come back. Nothing leaves this browser.
import { answers } from "./answers.js";
import { progress } from "./progress.js";
import { prompts } from "./prompts.js";
import { quizzes } from "./quiz.js";
import { review } from "./review.js";
import { onTrouble } from "./store.js";

onTrouble((why) => {
  const note = Object.assign(document.createElement("p"), { className: "trouble", textContent: why });
  note.setAttribute("role", "status");
  document.querySelector("main").prepend(note);
});
quizzes();
answers();
prompts();
review();
progress();
