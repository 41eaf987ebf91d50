// What every panel has.
import { reader } from "../figure/numbers.js";
import { say } from "../say.js";

/** Which of several things costs least. */
export const least = (things, cost) =>
  things.reduce((best, thing, i) => (cost(thing) < cost(things[best]) ? i : best), 0);

/** Give things what they have now; the names of those that have changed. */
const renewed = (things, names, now) =>
  Object.keys(names)
    .filter((key) => things[key] !== (things[key] = now(key)))
    .join();

/**
 * A panel of a figure. Each kind is a class in a file of its own, and adds
 *   node             what stands on the page
 *   measure(look)    how much room it needs beside its cells: sets left, right and span (in cells),
 *                    and wide (in pixels): narrower than this it gets a line with fewer others
 *   fit(cell, look)  takes its size, with cells of so many pixels; these two are left out by a
 *                    panel that has a line of its own
 *   paint(look)      draws the state and marks `active`, the element that a reader points at
 *   tell(element)    an element in words
 *   best()           the element to tell when a reader points at none, or nothing
 *   table()          all numbers: [heads of the columns, rows of a name and its texts]; left out
 *                    by a panel that has none
 * An element is a {row, column}.
 */
export class Panel {
  data = {};
  rows = 1;
  read = {};

  constructor(given, figure) {
    Object.assign(this, given, { figure });
    this.tables = {};
    for (const key in given.tables) {
      const number = given.tables[key];
      const table = (this.tables[key] = figure.tables[number]);
      this.read[key] = figure.engine?.reader(number) ?? table.read ?? reader(table, figure.sizes);
    }
    this.decimals = this.tables.cells?.decimals;
  }

  get title() {
    return this.name || this.role || this.kind;
  }

  /** The element with the largest number. */
  best(rows = this.data.cells ?? []) {
    let best;
    rows.forEach((numbers, row) =>
      numbers.forEach((number, column) => {
        if (!(number <= best?.number || isNaN(number))) best = { row, column, number };
      }),
    );
    return best;
  }

  /** What to tell when a reader points at nothing: the largest number of the last panel. */
  news(last) {
    const best = last && this.best();
    return best ? say`Largest: ${this.tell(best)}` : "";
  }

  /** What an element stands for: name of an axis -> place on it. */
  things({ row, column }) {
    return { [this.row ?? ""]: row, [this.column ?? ""]: column };
  }

  /** The element that the touched controls stand at. */
  chosen() {
    const places = this.figure.places();
    const [row, column] = this.touch.map((number) => places[number]);
    return { row, column };
  }

  /** The state in which an element is the chosen one. */
  placesOf({ row, column }) {
    return this.figure.places().map((place, i) => [row, column][this.touch.indexOf(i)] ?? place);
  }

  /** Set the controls of an element that is touched. */
  choose(element) {
    this.figure.go(this.placesOf(element));
  }

  /** Take the words of a state; the names of those that have changed. */
  rename(words) {
    if (words.name) this.node.querySelector(".name").textContent = words.name;
    return renewed(this, words, (key) => words[key]);
  }

  /** Let a pointer on a node of the panel aim at its elements. */
  hear(node) {
    node.onpointerdown = node.onpointermove = (event) => this.aim(event);
    node.onpointerleave = ({ pointerType }) => pointerType === "mouse" && this.point();
  }

  /** Point at an element, or at none. */
  point(element) {
    this.figure.point(this, element);
  }

  /** Look the numbers up; the names of tables that have changed. */
  update(places) {
    return renewed(this.data, this.read, (key) => this.read[key](places));
  }
}
