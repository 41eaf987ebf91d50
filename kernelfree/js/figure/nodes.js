// Elements of the page.

/** An element with these properties and children. */
export function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

export const button = (text, onclick) => make("button", { onclick }, text);
export const block = (className, ...children) => make("div", { className }, ...children);
