// A saved page in a frame: whoever holds it is told how high it should be, and it is as light or dark as what is
// around it. As `theme`, its address may say which of these instead.
import { isDark, shadeOf } from "../figure/colors.js";
import { whole } from "../figure/start.js";
import { tellHeight } from "./height.js";
import { link } from "./link.js";

const root = document.documentElement;
const theme = new URLSearchParams(location.search).get("theme") ?? "";

/** The frame that holds the page, if both are of one site. */
function frame() {
  try {
    return frameElement;
  } catch {
    return null;
  }
}

/** Follow the letters around the frame: they are light where the page is dark, however its theme is chosen. */
function follow(around) {
  const show = () => {
    root.style.colorScheme = isDark(shadeOf(getComputedStyle(around).color)) ? "light" : "dark";
  };
  const observer = new MutationObserver(show);
  for (let node = around; node; node = node.parentElement) observer.observe(node, { attributes: true });
  // Where a theme fades in, or comes with a file.
  for (const type of ["transitionend", "load"]) around.ownerDocument.addEventListener(type, show, true);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

// Not where another page has taken the script.
if (document.body.matches(".kernelfree")) {
  const around = frame();
  // Elsewhere the browser hands down what the `color-scheme` of the frame is.
  if (["light", "dark"].includes(theme)) root.style.colorScheme = theme;
  else if (around) follow(around);
  else if (parent !== window) root.style.background = "Canvas"; // what is around it may be dark
  const { link: names } = document.querySelector("main").dataset;
  // After the figures themselves, which also wait for the whole page.
  if (names)
    whole(() => {
      const all = /** @type {NodeListOf<any>} */ (document.querySelectorAll("[data-alive]:not([data-failed])"));
      link(
        Array.from(all, ({ figure }) => figure),
        JSON.parse(names),
      );
    });
  if (parent !== window) tellHeight(document.querySelector("[id^=figure-]").id);
}
