// What panels of an author's own content have: a node that is filled when the content changes.
import { block } from "../figure/nodes.js";
import { say } from "../say.js";
import { Panel } from "./panel.js";

/** A kind that extends this adds `fill(body)`. */
export class Content extends Panel {
  constructor(given, figure) {
    super(given, figure);
    this.body = block(this.kind);
    this.node = block("panel content", block("name", given.name), this.body);
  }

  paint() {
    if (this.shown !== (this.shown = this.content)) this.fill(this.body);
  }

  news() {
    return say`${this.title}: ${this.body.textContent.slice(0, 300)}. `;
  }
}
