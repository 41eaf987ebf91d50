// What a figure may need, by the name that Python gives it, such as a kind of panel: each file
// adds its own, and its style sheet.
export const KINDS = {};
export const STYLES = [];
