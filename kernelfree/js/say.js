// What readers see or hear is marked: say`${count} answers`. tools/bundle.mjs takes the mark away, and puts the
// words of another language in; this is for tests, which run the sources themselves.
export const say = (texts, ...fields) => String.raw({ raw: texts }, ...fields);
