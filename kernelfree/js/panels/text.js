// A text.
import { Content } from "./content.js";
import { KINDS } from "./registry.js";

KINDS.text = class extends Content {
  fill(body) {
    body.textContent = this.content;
  }
};
