// The finger in a reader's hand: the trained model of chapter 11, in the page.

import { part } from "../../../kernelfree/js/model/files.js";
import { say } from "../../../kernelfree/js/say.js";
import { button, live, make, select, tell } from "../learn/dom.js";
import css from "./finger.css";
import { Writer } from "./writer.js";

const MOST = 40;
const EXAMPLE = "12. juni 1999";
const NO_HAND = -1;
const HINT = say`A row: a character written. A column: one that is read. Drag along a row: all its weight goes there.`;

/** A row of weights that is 1 at one place. */
const only = (place, length) => Array.from({ length }, (_, i) => Number(i === place));

/** What may be made of a row of weights: the words of each choice, and what it does. */
const CHANGES = [
  [say`its own weights`, (_, own) => own],
  [
    say`push: each weight one character to the left`,
    (_, own) => own.map((weight, i) => (i ? 0 : weight) + (own[i + 1] ?? 0)),
  ],
  [say`mean: all weights equal`, (_, own) => own.map(() => 1 / own.length)],
  [
    say`place: the same places in every text`,
    (place, own) => (place === null ? own : only(Math.min(place, own.length - 1), own.length)),
  ],
];
const OWN = 0;

/** The parts of a date: the name of each, and where it begins and ends. */
const PARTS = [
  [say`the year`, 0, 4],
  [say`the month`, 5, 7],
  [say`the day`, 8, 10],
];
const [YEAR, MONTH, DAY, HYPHEN] = [say`year`, say`month`, say`day`, say`hyphen`];
const PART_OF = [YEAR, YEAR, YEAR, YEAR, HYPHEN, MONTH, MONTH, HYPHEN, DAY, DAY];

/** Names in a row: a, b and c. */
const listed = ([...names]) => {
  const last = names.pop();
  return names.length ? say`${names.join(say`, `)} and ${last}` : last;
};
const quoted = (character) => (character === " " ? say`a blank` : say`\u201c${character}\u201d`);

/** What has become of a date, in words. */
export function compared(own, written) {
  if (own === written) return say`It writes ${written}, as with its own weights.`;
  const other = PARTS.filter(([, start, end]) => own.slice(start, end) !== written.slice(start, end));
  const which = other.length ? listed(other.map(([name]) => name)) : say`a hyphen`;
  return say`It writes ${written}; with its own weights, ${own}. Other than before: ${which}.`;
}

/** Why a text cannot be read; nothing if it can. */
export function problem(text, writer) {
  if (!text.trim()) return say`Type a date.`;
  if ([...text].length > MOST) return say`That is more than ${MOST} characters. The last date stays below.`;
  const unknown = writer.unknown(text).map(quoted);
  if (unknown.length)
    return say`The model has never seen ${listed(unknown)}. It knows small letters of eight languages, digits and , . /`;
}

class Finger {
  hands = Array(10).fill(NO_HAND);

  /** @param {() => void} close */
  constructor(writer, close) {
    this.writer = writer;
    this.field = make("input", { type: "text", value: EXAMPLE, autocomplete: "off", spellcheck: false });
    this.field.autocapitalize = "off";
    this.field.oninput = () => this.read();
    this.change = make("select", { onchange: () => this.free() }, ...CHANGES.map(([name]) => make("option", {}, name)));
    this.together = make("input", { type: "checkbox" });
    this.head = make("div", { className: "track", ariaHidden: "true" });
    this.rows = this.hands.map((_, row) => this.row(row));
    this.said = live("p", "said");
    this.under = make("p", { className: "under" });
    this.back = button(say`Put all rows back`, () => {
      this.change.selectedIndex = OWN;
      this.free();
    });
    this.table = make(
      "div",
      { className: "rows" },
      make("div", { className: "row", ariaHidden: "true" }, make("b"), this.head),
      ...this.rows.map(({ name, track }) => make("div", { className: "row" }, name, track)),
    );
    this.node = make(
      "div",
      {},
      make("label", {}, say`A date, ${MOST} characters at most`, this.field),
      make("label", {}, say`Weights of all rows: `, this.change),
      make("label", {}, this.together, say`All rows move together`),
      this.table,
      this.under,
      this.said,
      this.back,
      " ",
      button(say`Put the model away`, close),
    );
    this.read();
  }

  /** The weights of one written character: cells, and the browser's own slider over them. */
  row(row) {
    const slider = make("input", { type: "range", min: "0" });
    slider.oninput = slider.onclick = () => this.move(row, Number(slider.value));
    slider.onfocus = () => this.look(row);
    slider.onpointermove = ({ offsetX }) =>
      this.look(row, Math.floor((offsetX / slider.offsetWidth) * this.text.length));
    return { slider, name: make("b", { ariaHidden: "true" }), track: make("div", { className: "track" }, slider) };
  }

  /** Another text is read; hands that held its predecessor let go. */
  read() {
    const text = this.field.value.normalize("NFC");
    const wrong = problem(text, this.writer);
    this.field.ariaInvalid = String(Boolean(wrong));
    if (wrong) return tell(this.said, wrong);
    this.text = [...text];
    this.seen = this.writer.read(text);
    this.own = this.writer.write(this.seen);
    this.table.style.setProperty("--n", String(this.text.length));
    this.head.replaceChildren(...this.text.map((character) => make("span", {}, character)));
    for (const { slider, track } of this.rows) {
      slider.max = String(this.text.length - 1);
      track.replaceChildren(...this.text.map(() => make("i")), slider);
    }
    this.free();
  }

  /** All rows as the menu says. */
  free() {
    this.hands.fill(NO_HAND);
    this.write();
  }

  /** All of a row's weight goes to one character. */
  move(row, place) {
    if (this.together.checked) this.hands.fill(place);
    else this.hands[row] = place;
    this.write();
    this.look(row, place);
  }

  write() {
    const [, change] = CHANGES[this.change.selectedIndex];
    const made = this.writer.write(this.seen, (row, own) =>
      this.hands[row] === NO_HAND ? change(this.writer.places[row], own) : only(this.hands[row], own.length),
    );
    this.weights = made.rows;
    this.rows.forEach(({ slider, name, track }, row) => this.paint(row, made.written, { slider, name, track }));
    const changed = this.change.selectedIndex !== OWN || this.hands.some((hand) => hand !== NO_HAND);
    tell(this.said, changed ? compared(this.own.written, made.written) : say`It writes ${made.written}.`);
    this.back.hidden = !changed;
    tell(this.under, HINT);
  }

  paint(row, written, { slider, name, track }) {
    const weights = this.weights[row];
    name.textContent = written[row];
    name.className = written[row] === this.own.written[row] ? "" : "other";
    weights.forEach((weight, i) => {
      const cell = track.children[i];
      cell.style.background = `color-mix(in srgb, var(--accent) ${Math.round(100 * weight)}%, var(--ground))`;
      cell.className = i === this.hands[row] ? "held" : "";
    });
    const most = weights.indexOf(Math.max(...weights));
    slider.value = String(most);
    slider.ariaLabel = say`Character ${row + 1}, ${PART_OF[row]}, written ${written[row]}`;
    slider.ariaValueText = this.told(row, most);
  }

  told(row, place) {
    const weight = this.weights[row][place].toFixed(2);
    return say`weight ${weight} on ${quoted(this.text[place])}, character ${place + 1} of ${this.text.length}`;
  }

  /** Say a weight in words: the largest of a row, or the one that is pointed at. */
  look(row, place = Number(this.rows[row].slider.value)) {
    const inside = Math.max(0, Math.min(place, this.text.length - 1));
    tell(this.under, say`Row ${row + 1}, ${PART_OF[row]}: ${this.told(row, inside)}.`);
  }
}

/** A button that says how heavy the model is; when it is put away, nothing of it is kept. */
function mount(el) {
  const { weights, kilobytes } = el.dataset;
  const status = live("p");
  const begin = button("", async () => {
    if (el.ariaBusy === "true") return;
    el.ariaBusy = "true";
    try {
      const finger = new Finger(new Writer(await part(new URL(weights, document.baseURI).href)), away);
      el.replaceChildren(finger.node);
      finger.field.focus();
    } catch (error) {
      tell(status, say`That did not work: ${error.message}. Press again to try again.`);
    }
    el.ariaBusy = "false";
  });
  begin.textContent = say`Load the trained model: ${kilobytes} kB`;
  const away = () => {
    tell(status, "");
    el.replaceChildren(begin, status);
    begin.focus();
  };
  el.replaceChildren(begin, status);
  el.dataset.alive = "";
}

const places = select(".finger[data-weights]");
if (places.length) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  places.forEach(mount);
}
