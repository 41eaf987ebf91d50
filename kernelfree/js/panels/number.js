// A single number, large.
import { make } from "../figure/nodes.js";
import { numberText } from "../figure/numbers.js";
import { Content } from "./content.js";
import { KINDS } from "./registry.js";

KINDS.number = class extends Content {
  paint() {
    this.body.replaceChildren(this.text(), make("p", {}, this.label));
  }

  text() {
    return numberText(this.data.number[0][0], this.digits, this.least) + this.unit;
  }

  table() {
    return [[this.label], [["", [this.text()]]]];
  }
};
