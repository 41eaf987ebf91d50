// A table of words and numbers.
import { tabulate } from "../figure/tabulate.js";
import { say } from "../say.js";
import { Content } from "./content.js";
import { KINDS } from "./registry.js";

KINDS.table = class extends Content {
  fill(body) {
    // A wide one is scrolled, also by keys.
    Object.assign(body, { tabIndex: 0, role: "group", ariaLabel: this.title });
    body.replaceChildren(tabulate({ title: "", table: () => this.content }));
  }

  news() {
    return say`${this.title}: ${this.content[1].length} rows. `;
  }
};
