// A picture.
import { make } from "../figure/nodes.js";
import { Content } from "./content.js";
import { KINDS } from "./registry.js";

KINDS.image = class extends Content {
  fill(body) {
    body.replaceChildren(make("img", { alt: this.name || this.figure.title, ...this.content }));
  }

  news() {
    return `${this.body.querySelector("img").alt}. `;
  }
};
