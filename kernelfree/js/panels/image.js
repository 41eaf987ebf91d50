// A picture, drawn on a canvas: a strict policy refuses an <img> its data.
import { bytesOf } from "../bytes.js";
import { make } from "../figure/nodes.js";
import { say } from "../say.js";
import { Content } from "./content.js";
import { KINDS } from "./registry.js";

KINDS.image = class extends Content {
  async fill(body) {
    const { content } = this;
    const canvas = make("canvas", { role: "img", ariaLabel: this.name || this.figure.title, ...content });
    if (!body.firstChild) body.append(canvas); // takes its room
    canvas.getContext("2d").drawImage(await createImageBitmap(new Blob([bytesOf(content.png)])), 0, 0);
    // Unless the reader has moved on.
    if (this.content === content) body.replaceChildren(canvas);
  }

  news() {
    return say`${this.content.ariaLabel ?? this.title}. `;
  }
};
