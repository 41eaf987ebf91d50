// The figure of explore(): it looks up numbers that Python has computed, and draws them.

import { KINDS } from "../panels/registry.js";
import { say } from "../say.js";
import { lookOf } from "./colors.js";
import { field } from "./controls.js";
import { arrange } from "./layout.js";
import { asked, follow, glide, reveal } from "./move.js";
import { block, button, make, spokenLine } from "./nodes.js";
import { minus, namer, speaker } from "./numbers.js";
import { quiz } from "./quiz.js";
import { tabulate } from "./tabulate.js";

/** What the shades of a figure mean; `bars` takes the bar of each role. */
function legendOf({ views, scales, bars }) {
  const legend = block("legend");
  for (const { bar: role } of views) {
    if (!role || bars[role]) continue;
    const ticks = scales[role].ticks.map(([, text]) => make("span", {}, minus(text)));
    bars[role] = block("bar");
    legend.append(block("scale", scales[role].label, bars[role], block("ticks", ...ticks)));
  }
  if (views.some((view) => view.masked)) legend.append(make("span", {}, say`\u25a8 masked`));
  return legend;
}

/** A figure on the page. */
export class Figure {
  bars = {};
  things = {};
  #opener = make("button", { ariaExpanded: false, onclick: () => this.toggle() }, say`Numbers`);
  #reply;
  #wanted;
  #status = spokenLine("unseen");
  #saying = make("p", {});
  #foot = block("foot", this.#saying, this.#status);
  #numbers = make("div", { className: "numbers", tabIndex: 0, role: "group", ariaLabel: say`Numbers`, hidden: true });

  constructor(given) {
    Object.assign(this, given);
    // While its question is open: what would tell the answer. No hint says yet what can be moved.
    this.hides = this.moved = this.predict?.hide;
    this.fields = this.controls.map((control, i) =>
      field(
        control,
        `c${i}`,
        (option) => this.change({ [control.name]: option }),
        this.play === control.name && this.tell,
      ),
    );
    const sizes = (this.sizes = this.controls.map(({ options }) => options?.length ?? 1));
    this.engine = this.live && new KINDS.live(this);
    this.say = this.says && (this.engine?.say ?? speaker(this.says, sizes));
    this.views = this.panels.map((panel) => {
      const wording = namer(panel.texts ?? {}, sizes);
      return new KINDS[panel.kind]({ ...panel, ...wording(this.places()), wording }, this);
    });
  }

  /**
   * Where each control stands: the place of its option, or its value where it has no stops.
   * @returns {import("../classes").Places}
   */
  places(value = this.model.get("value")) {
    return this.controls.map(({ name, options }) =>
      options ? Math.max(0, options.indexOf(value[name])) : value[name],
    );
  }

  change(moves) {
    clearTimeout(this.soon);
    if (this.hides) {
      this.#reply.textContent = say`Answer first; then the picture moves there.`;
      return (this.#wanted = moves);
    }
    // Of a figure that is higher than the window, what changes may be out of sight: there it is told.
    if (this.say && this.host.clientHeight > innerHeight) this.#foot.className = "foot told";
    const value = { ...this.model.get("value") };
    for (const { name, options } of this.controls)
      if (options ? options.includes(moves[name]) : name in moves) value[name] = moves[name];
    this.model.set("value", value);
    this.model.save_changes();
  }

  /** Go to places, or to the nearest that there are. */
  show(places) {
    const near = this.controls.map(({ name, options }, c) => [
      name,
      options ? options[Math.round(places[c])] : this.fields[c].tidy(places[c]),
    ]);
    this.change(Object.fromEntries(near));
  }

  /** Go where the reader's hand says. */
  go(places) {
    if (this.hides) return;
    this.moved = true;
    if (`${places}` !== `${this.places()}`) this.show(places);
  }

  point(view, active) {
    const before = view.active;
    if (before?.row === active?.row && before?.column === active?.column) return;
    for (const other of this.views) other.active = other === view ? active : undefined;
    this.shine(active ? view.things(active) : {});
    if (this.light) dispatchEvent(new CustomEvent("kernelfree-light", { detail: this }));
    if (active) return this.speak();
    // Whoever leaves hears first of where they go.
    this.tell("");
    this.#rest();
  }

  /** Light up what a reader points at, wherever it stands. */
  shine(things) {
    this.things = things;
    if (this.look) for (const view of this.views) view.paint(this.look);
  }

  /** Speak once it rests: what plays goes on after 600. */
  #rest() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.speak(), 700);
  }

  /** Say what is new: a screen reader would say again what is written again. */
  speak() {
    clearTimeout(this.waiting);
    const view = this.views.find(({ active }) => active);
    const text = view ? view.tell(view.active) : this.hides ? "" : this.#changed();
    if (text !== this.#status.textContent) this.tell(text, Boolean(view));
  }

  /** What changed, once: a control that has the focus says its own value. */
  #changed() {
    const told = this.fields.map((field, i) => {
      const { node, place, spoken, text = minus } = field;
      field.spoken = place;
      if ((spoken ?? place) === place || node.querySelector(":focus:not(button)")) return "";
      // What is touched has a name.
      const names = this.views.map(
        ({ touch, rowNames, columnNames }) => [rowNames, columnNames][touch?.indexOf(i)]?.[place],
      );
      const { label, name } = this.controls[i];
      return say`${label} = ${names.find(Boolean) ?? text(this.model.get("value")[name])}. `;
    });
    const { textContent } = this.#saying;
    const sentence = textContent || this.views.map((view) => view.news(view === this.views.at(-1))).join("");
    // What stands below from the beginning is read there.
    const before = this.heard ?? textContent;
    this.heard = sentence;
    return told.join("") + (sentence === before ? "" : sentence);
  }

  /** Tell screen readers; what a reader has just touched is shown, too. */
  tell = (text, shown) => {
    this.#status.textContent = text;
    this.#status.className = shown ? "" : "unseen";
    this.#saying.hidden = shown;
  };

  toggle() {
    const hidden = this.#numbers.toggleAttribute("hidden");
    this.#opener.ariaExpanded = !hidden;
    this.draw();
    clearTimeout(this.waiting);
    this.tell(hidden ? say`Numbers hidden.` : say`Numbers shown.`);
  }

  draw = () => {
    const places = this.places();
    this.engine?.go(places);
    this.fields.forEach((one, i) => one.place !== places[i] && one.show((one.place = places[i])));
    if (this.say) this.#saying.textContent = this.say(places);
    const renamed = this.views.map((view) => view.rename(view.wording(places)));
    const changed = this.views.filter((view, i) => view.update(places) || view.touch || renamed[i]);
    // Other axes and ticks take another room; other names, and words that flow, do not.
    if (/[xy]/.test(/** @type {any} */ (renamed))) this.refresh(0, this.look);
    else if (this.look) for (const view of changed) view.paint(this.look);
    if (!this.#numbers.hidden)
      this.#numbers.replaceChildren(...this.views.filter((view) => view.table && !view.veiled).map(tabulate));
    this.#rest();
  };

  /** Lay all panels out and paint them, in the page's present colours unless they are given. */
  refresh(print, known) {
    const { host, scales, views, bars } = this;
    views.forEach((view, i) => {
      view.veiled = this.hides?.[i];
      /** @type {any} */ (view.node.lastChild).inert = view.veiled;
    });
    this.#saying.inert = views.some(({ veiled }) => veiled);
    if (!host.clientWidth) return;
    const look = (this.look = known ?? lookOf(host, scales, print || matchMedia("print").matches));
    host.style.colorScheme = look.theme;
    arrange(
      views.filter(({ fit }) => fit),
      host.clientWidth,
      look,
    );
    for (const role in bars) bars[role].style.background = `linear-gradient(90deg, ${scales[role][look.theme]})`;
    for (const view of views) view.paint(look);
  }

  notice(event) {
    const { type, detail } = event;
    if (type === "click") follow(this, event);
    else if (type === "kernelfree-light") {
      if (detail !== this && detail.light === this.light) this.shine(detail.things);
    } else if (type === "hashchange" || type === "load") this.visit();
    else this.refresh(type === "beforeprint");
  }

  /** Go where the address of the page says. */
  visit() {
    const moves = this.page && asked(this, location.href);
    if (moves) {
      this.change(moves);
      reveal(this);
    }
  }

  node() {
    const link = button(say`Link`, () => {
      history.replaceState(
        null,
        "",
        `#${this.el.id}?${new URLSearchParams(/** @type {any} */ (this.model.get("value")))}`,
      );
      navigator.clipboard?.writeText(location.href).catch(() => {});
      this.tell(say`The address shows this.`, true);
    });
    // The text of an iframe's `srcdoc` has no address.
    link.hidden = !this.page || location.protocol === "about:";
    const tools = block(
      "tools",
      this.#opener,
      link,
      button(say`Reset`, () => this.change(this.start)),
    );
    const controls = block("controls", ...this.fields.map(({ node }) => node));
    const group = make(
      "div",
      { role: "group", ariaLabel: this.title },
      block("head", block("title", this.title), tools),
      controls,
      block("panels", ...this.views.map(({ node }) => node)),
      legendOf(this),
      this.#foot,
      this.#numbers,
    );
    if (this.predict) {
      controls.inert = true;
      this.#reply = quiz(this.predict, group, (reply) => {
        controls.inert = this.moved = this.hides = false;
        this.refresh();
        this.draw();
        // Unless the reader moves it first; where a link has asked for a state, there.
        const moves = this.#wanted ?? (reply && this.predict.then);
        if (moves) this.soon = setTimeout(() => glide(this, moves), 900);
        return this.#wanted ? say`The picture goes where the link leads.` : "";
      });
    }
    return group;
  }
}
