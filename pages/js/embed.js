// What the button beside Link opens: a line of HTML that puts a figure, as it stands, into a page
// elsewhere. The page's script loads this one when a reader presses the button.
import { say } from "../../kernelfree/js/say.js";
import css from "./embed.css";
import { dataOf, stateOf } from "./figure.js";
import { live, make, select } from "./learn/dom.js";

const WORDS = {
  line: say`A line for Moodle, Canvas, slides or a blog`,
  listener: say`Once in a page that keeps scripts: its frames become as high as their figures`,
  copied: say`Copied.`,
  shown: say`Copy the line below the figure.`,
};

// What a figure's own page has above and below the figure.
const AROUND = 64;

// For a page that keeps scripts; figures' own pages tell how high they are.
const LISTENER = `<script>addEventListener("message", ({ data, source }) => {
  for (const frame of document.querySelectorAll("iframe"))
    if (data?.figure && frame.contentWindow === source) frame.height = data.height; });</script>`;

/**
 * A text to copy, under its name.
 * @param {string} name
 * @param {string} value
 */
const text = (name, value) =>
  make("label", {}, name, make("textarea", { value, readOnly: true, rows: 4, spellcheck: false }));

/**
 * The line of HTML for a figure as it stands.
 * @param {HTMLElement} figure
 */
function lineOf(figure) {
  const frame = make("iframe", { src: figure.dataset.alone + stateOf(figure), title: dataOf(figure).title });
  frame.loading = "lazy";
  frame.width = "100%";
  frame.height = `${Math.ceil(figure.offsetHeight) + AROUND}`;
  frame.setAttribute("style", "border: 0");
  return frame.outerHTML;
}

/**
 * Show the line below the figure, or hide it.
 * @param {HTMLElement} figure
 * @param {HTMLButtonElement} opener
 */
function toggle(figure, opener) {
  const open = select(":scope > .embed", figure);
  opener.ariaExpanded = String(!open.length);
  if (open.length) return open[0].remove();
  const line = lineOf(figure);
  const status = live("p");
  const panel = make("section", { className: "embed" }, text(WORDS.line, line), status, text(WORDS.listener, LISTENER));
  figure.append(panel);
  const box = panel.querySelector("textarea");
  box?.focus();
  box?.select();
  const tell = (/** @type {string} */ told) => () => (status.textContent = told);
  const copied = navigator.clipboard?.writeText(line) ?? Promise.reject();
  copied.then(tell(WORDS.copied), tell(WORDS.shown));
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
document.addEventListener("embed.js", (event) => {
  if (event.target instanceof HTMLElement && event instanceof CustomEvent) toggle(event.target, event.detail);
});
