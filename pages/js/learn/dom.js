// Elements of the page.

/**
 * A new element with properties and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/**
 * A button that is no part of a form.
 * @param {string} text
 * @param {() => void} onclick
 */
export const button = (text, onclick) => make("button", { type: "button", onclick }, text);

/**
 * An element that is heard when it changes; where it is a status, Orca does not read it again.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text]
 */
export const live = (tag, className = "", text = "") =>
  make(tag, { className, ariaLive: "polite", ariaAtomic: "true" }, text);

/**
 * Write what is new: a screen reader would say again what is written again.
 * @param {HTMLElement} node
 * @param {string} text
 */
export function tell(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * All elements that a selector finds, in the page or in a part of it.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const select = (selector, root = document) => Array.from(root.querySelectorAll(selector));

/**
 * The first element that a selector finds in a part of the page where there is always one.
 * @param {string} selector
 * @param {ParentNode} root
 */
export const first = (selector, root) => select(selector, root)[0];

/**
 * Let the browser save a text.
 * @param {string} text
 * @param {string} type
 * @param {string} download the file's name
 */
export function save(text, type, download) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
