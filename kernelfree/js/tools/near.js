// What a reader points at in a curve or a plot: every line's point there is marked, and its numbers stand beside it.
import { writeNames } from "../panels/marks.js";
import { least } from "../panels/panel.js";

/** Curves and plots, which stand over two axes of numbers. */
export const plotsOf = ({ views }) => views.filter(({ kind }) => ["curve", "plot", "plane"].includes(kind));

/** Whether a place can be seen; what is a gap stands nowhere. */
export const inside = ({ left, top, width, height }, { x, y }) =>
  x >= left - 1 && x <= left + width + 1 && y >= top - 1 && y <= top + height + 1;

/** The points of all lines of a plot, also gaps: their number is the same in every state. */
function corners(view) {
  return view.marks.flatMap(({ type, key, name }, m) => {
    const [xs, ys] = ["x", "y"].map((axis) => view.data[key + axis]);
    if (type !== "paths" || !xs || !ys) return [];
    const text = (axis, number) => view.written(axis, number, view.tables[key + axis].decimals);
    return ys.flatMap((row, r) =>
      Array.from(row, (y, c) => {
        const x = xs[r % xs.length][c];
        // No thing of another panel: its number is none of theirs.
        return {
          m,
          r,
          i: -1,
          x: view.across(x),
          y: view.up(y),
          get line() {
            return [name, text("x", x), text("y", y), ""];
          },
        };
      }),
    );
  });
}

/** The places of a reader's element with what stands beside each. */
function spots(view, { column }, look) {
  const { marks, data, tables, rowNames, kind } = view;
  if (kind === "curve") {
    const { colors } = marks.find(({ key }) => key === "l");
    const x = view.left + view.at[column] * view.width;
    return Array.from(data.ly, (row, r) => ({
      x,
      y: view.up(row[column]),
      name: `${data.ly[1] ? `${rowNames[r]} ` : ""}${view.written("y", row[column], tables.ly.decimals)}`,
      color: colors[r % colors.length][look.dark],
      far: 8,
      dot: true,
    }));
  }
  const { m, r = 0, i, x, y, line } = view.elements[column];
  const { key, type, colors } = marks[m];
  const number = (axis) => view.written(axis, data[key + axis][0][i], tables[key + axis].decimals);
  const [across, up] = line?.slice(1) ?? [number("x"), number("y")];
  const color = type === "paths" ? colors[r % colors.length][look.dark] : look.text;
  return [{ x, y, name: `${across}, ${up}`, color, far: 12, dot: type === "paths" }];
}

function note(view, look) {
  const { ink, taken, active } = view;
  const seen = spots(view, active, look).filter((spot) => inside(view, spot));
  for (const { x, y, color, dot } of seen) {
    taken.push([x - 5, y - 5, 10, 10]);
    if (!dot) continue; // a point has its own dot
    ink.beginPath();
    ink.arc(x, y, 4.5, 0, 7);
    ink.fillStyle = color;
    ink.strokeStyle = look.page;
    ink.lineWidth = 1.5;
    ink.fill();
    ink.stroke();
  }
  writeNames(view, seen, look);
}

/** Where an arrow key leads in a plot: up and down to another mark or line, left and right past gaps. */
function step(view, { row, column }) {
  const { elements, active } = view;
  const from = active && elements[active.column];
  if (!from) return { row: 0, column };
  const line = ({ m, r }) => `${m}:${r}`;
  const lines = [...new Set(elements.map(line))];
  if (row) {
    const other = lines[lines.indexOf(line(from)) + row] ?? line(from);
    const far = (one) => (line(one) === other && inside(view, one) ? Math.abs(one.x - from.x) : Infinity);
    const there = least(elements, far);
    return { row: 0, column: far(elements[there]) < Infinity ? there : active.column };
  }
  const by = Math.sign(column - active.column);
  while (by && elements[column] && isNaN(elements[column].y)) column += by;
  return { row: 0, column: elements[column] ? column : active.column };
}

/** Let a plot be read along its lines, too. */
function readLines(view) {
  const { go, things } = view;
  const points = () => Reflect.get(Object.getPrototypeOf(view), "elements", view);
  Object.defineProperty(view, "elements", { get: () => [...points(), ...corners(view)] });
  view.pick = ({ offsetX, offsetY }) => {
    const points = view.elements;
    const far = (one) => (one.i < 0 && !inside(view, one) ? Infinity : Math.hypot(one.x - offsetX, one.y - offsetY));
    const column = least(points, far);
    if (points.length && far(points[column]) < 24) return { row: 0, column };
  };
  view.things = (element) => (view.elements[element.column].i < 0 ? {} : things.call(view, element));
  view.go = (element, choosing) =>
    go.call(view, element && choosing === true ? step(view, element) : element, choosing);
}

/**
 * Give the curves and plots of a figure the numbers of what a reader points at.
 * @param {any} figure
 */
export function near(figure) {
  for (const view of plotsOf(figure)) {
    if (view.kind !== "curve") readLines(view);
    const { paint } = view;
    view.paint = (look) => {
      paint.call(view, look);
      if (view.active && !view.veiled) note(view, look);
    };
  }
}
