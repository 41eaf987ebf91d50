// Words and pieces of words, as BERT's tokenizer cuts a text.

const MARKS = /(\[(?:CLS|SEP|MASK|PAD|UNK)\])/;
// What is no text: control characters and the like, but not the blanks among them.
const NO_TEXT = /\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const SIGN = "[!-/:-@\\[-`{-~\\p{P}]";
const WORD = new RegExp(`${SIGN}|(?:(?!${SIGN})\\P{White_Space})+`, "gu");
// A longer word is not looked at.
const LONGEST = 100;

/** The words of a text in small letters without accents; signs are words of their own. */
function words(text) {
  const apart = text.replace(NO_TEXT, "").replace(CHINESE, " $& ");
  const plain = apart.normalize("NFD").replace(/\p{Mn}/gu, "");
  // Letter by letter: no letter is written otherwise because it is the last of its word.
  return (
    [...plain]
      .map((letter) => letter.toLowerCase())
      .join("")
      .match(WORD) ?? []
  );
}

/** The longest pieces of a word that are known, from its start on. */
function pieces(word, known) {
  const letters = [...word];
  const found = [];
  for (let start = 0; start < letters.length; ) {
    let end = letters.length;
    const piece = () => (start ? "##" : "") + letters.slice(start, end).join("");
    while (end > start && !known.has(piece())) end--;
    if (end === start || letters.length > LONGEST) return ["[UNK]"];
    found.push(piece());
    start = end;
  }
  return found;
}

/** The tokens of a text between the marks for start and end; `known` has the number of each. */
export function cut(text, known) {
  const inside = text
    .split(MARKS)
    .flatMap((part, i) => (i % 2 ? [part] : words(part).flatMap((word) => pieces(word, known))));
  return ["[CLS]", ...inside, "[SEP]"];
}
