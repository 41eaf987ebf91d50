// Elements of the page.

/** An element with these properties and children. */
export function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

export const button = (text, onclick) => make("button", { onclick }, text);
/** A line that is heard when it changes; where it is a status, Orca does not read it again. */
export const spokenLine = (className = "") => make("p", { className, ariaLive: "polite" });
export const block = (className, ...children) => make("div", { className }, ...children);
