// Sphinx makes a function of the text that says a language's plurals, which a strict policy refuses.
// Here the first form is for one thing, and the last for any other number.
Documentation.addTranslations = ({ messages }) => Object.assign(Documentation.TRANSLATIONS, messages);
Documentation.ngettext = (one, many, n) => {
  const forms = Documentation.TRANSLATIONS[one] ?? [one, many];
  return n === 1 ? forms[0] : forms.at(-1);
};
