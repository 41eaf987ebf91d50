/**
 * Let figures have the same values for controls of these names: where one moves, the others follow.
 * @param {import("../figure/figure.js").Figure[]} figures
 * @param {string[]} names
 */
export function link(figures, names) {
  for (const { model } of figures) {
    const set = model.set;
    model.set = (key, value) => {
      set(key, value);
      for (const other of figures) {
        const now = other.model.get("value");
        const moves = names.filter((name) => name in now && name in value && `${now[name]}` !== `${value[name]}`);
        if (moves[0]) other.change(Object.fromEntries(moves.map((name) => [name, value[name]])));
      }
    };
  }
}
