// What a figure may need, by the name that Python gives it, such as a kind of panel: each file
// adds its own.
export const KINDS = {};
