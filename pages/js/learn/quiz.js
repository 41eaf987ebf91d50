// A quiz that remembers: the first answer that is opened is the reader's.
import { say } from "../../../kernelfree/js/say.js";
import { first, live, make, select, tell } from "./dom.js";
import { change, load, watch } from "./store.js";

/** @param {number} at */
const dateOf = (at) =>
  new Date(at).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" });

/**
 * @template Item
 * @param {Item[]} list
 */
const shuffled = (list) =>
  list
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

/**
 * The answer to a question. One that an earlier edition has kept by its words is kept by its place
 * from now on, which is the same in all languages.
 * @param {string} id
 * @param {string[]} texts the choices, in the order of the page's source
 */
function answerTo(id, texts) {
  const { choice } = load().answers[id] ?? {};
  const place = typeof choice === "string" ? texts.indexOf(choice) : -1;
  if (place >= 0) change(({ answers }) => (answers[id] = { ...answers[id], choice: place }));
  return load().answers[id];
}

/**
 * Keep an answer, unless there is one.
 * @param {string} id
 * @param {number} choice
 * @param {boolean} right
 */
function answerOnce(id, choice, right) {
  if (!load().answers[id]) change(({ answers }) => (answers[id] = { choice, right, at: Date.now() }));
}

/** @type {(text: string | undefined, date: string, right: boolean) => string} */
const verdict = (text, date, right) =>
  right ? say`You answered “${text}”, ${date}: right.` : say`You answered “${text}”, ${date}: not right.`;

/**
 * A question: its choices in an order of their own, and what was answered.
 * @param {HTMLElement} box
 */
function question(box) {
  const id = box.dataset.answer ?? "";
  const choices = select(":scope > details", box);
  const lines = choices.map((choice) => first("summary", choice));
  const texts = lines.map((line) => line.textContent.trim());
  const status = live("p", "answered");
  box.append(...shuffled(choices), status);
  lines.forEach((line, place) =>
    line.addEventListener("click", () => answerOnce(id, place, choices[place].matches(".right"))),
  );
  watch(() => {
    const answer = answerTo(id, texts);
    choices.forEach((choice, place) => choice.classList.toggle("chosen", place === answer?.choice));
    box.classList.toggle("right", answer?.right === true);
    // Where its words have changed since, the reader still sees what was chosen.
    const text = typeof answer?.choice === "number" ? texts[answer.choice] : answer?.choice;
    tell(status, answer && text !== undefined ? verdict(text, dateOf(answer.at), answer.right) : "");
  });
}

/**
 * A question that comes back: its choices in an order of their own, and in other words where it has some.
 * @param {HTMLElement} box
 * @param {number} step
 * @param {(right: boolean) => void} then called with each choice that is opened
 */
export function askAgain(box, step, then) {
  const choices = select(":scope > details", box);
  first(".again", box).before(...shuffled(choices));
  const words = step % 2 === 0 && box.dataset.again;
  if (words) first("p", box).replaceChildren(make("strong", {}, words));
  for (const choice of choices)
    first("summary", choice).addEventListener("click", () => then(choice.matches(".right")));
}

/**
 * The id of a figure's question. In the one file a figure's name begins with its article's.
 * @param {Element} figure
 */
function idOf(figure) {
  const article = figure.closest("[data-page]");
  return `${article instanceof HTMLElement && article.dataset.page}/${figure.id.replace(/^p\d+-/, "")}`;
}

/**
 * Keep an old answer to a figure's question by its place; the figure's own script asks it.
 * @param {HTMLElement} figure
 */
function carryOver(figure) {
  const id = idOf(figure);
  if (typeof load().answers[id]?.choice !== "string") return;
  /** @type {{ predict?: { choices: string[][] } }} */
  const { predict } = JSON.parse(first("script[type='application/json']", figure).textContent);
  const texts = (predict?.choices ?? []).map(([text]) => text);
  answerTo(id, texts);
}

export function quizzes() {
  select(".question:not(.all-prompts *)").forEach(question);
  select(".kernelfree-figure").forEach(carryOver);
  document.addEventListener("kernelfree-answer", (event) => {
    const figure = event.target instanceof Element && event.target.closest(".kernelfree-figure");
    if (figure && event instanceof CustomEvent) answerOnce(idOf(figure), event.detail.choice, event.detail.right);
  });
}
