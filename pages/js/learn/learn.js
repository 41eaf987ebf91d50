// What stays of reading: answers that are remembered, prompts that come back. Nothing leaves this browser.
import { answers } from "./answers.js";
import { first, live } from "./dom.js";
import { progress } from "./progress.js";
import { prompts } from "./prompts.js";
import { quizzes } from "./quiz.js";
import { onTrouble } from "./store.js";

onTrouble((why) => first("main", document).prepend(live("p", "trouble", why)));
quizzes();
answers();
prompts();
progress();
