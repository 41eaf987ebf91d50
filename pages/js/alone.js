// A page that holds one figure, mostly in a frame of a page elsewhere. Its address names the figure's
// state and, as `theme`, light or dark; whoever holds the frame is told how high it should be.
import { tellHeight } from "../../kernelfree/js/saved/height.js";
import { keepPlace } from "./edition.js";
import { stateOf, whenDrawn } from "./figure.js";
import { first } from "./learn/dom.js";

const root = document.documentElement;
const given = new URLSearchParams(location.search);
const theme = given.get("theme") ?? "";
given.delete("theme");

// ---- light or dark: as the address says, else as the page around it, else as the system ----------

const dark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => {
  root.dataset.theme = ["light", "dark"].includes(theme) ? theme : dark.matches ? "dark" : "light";
};

// ---- the figure ----------------------------------------------------------------------------------

function start() {
  const figure = first("[id^=figure-]", document);
  // The figure follows the part behind the #, as it does in its chapter.
  if (given.size && !location.hash) location.replace(`#${encodeURI(figure.id)}?${given}`);
  // Now: in a frame that nobody sees yet it would never be near, and the frame would shrink.
  dispatchEvent(new Event(figure.classList[0]));
  const link = document.links[0];
  const home = link.href;
  const keep = () => (link.href = home + stateOf(figure));
  for (const type of ["pointerover", "focus"]) link.addEventListener(type, keep);
  keepPlace(() => `#${encodeURI(figure.id)}${stateOf(figure)}`);
  if (parent === window) return;
  // Nobody sees the address of a frame.
  if (figure.matches(".kernelfree-figure"))
    whenDrawn(figure, (tools) => tools.children[1].toggleAttribute("hidden", true));
  tellHeight(figure.id);
}

showTheme();
dark.addEventListener("change", showTheme);
addEventListener("DOMContentLoaded", start);
