// HTML of an author's own, which Python has sanitised and taken apart.
import { make } from "../figure/nodes.js";
import { Content } from "./content.js";
import { KINDS } from "./registry.js";

/** @param {any} node a text, which alone has a method big, or [tag, properties, ...children] */
const built = (node) => (node.big ? node : make(node[0], node[1], ...node.slice(2).map(built)));

KINDS.html = class extends Content {
  fill(body) {
    body.replaceChildren(built(this.content));
  }
};
