// The marks of a plot: points with tails or without, lines open or closed, and fields of shades.
import { css, kept, shadeOf, stamp, tint } from "../figure/colors.js";
import { least } from "./panel.js";

/** How large a dot is. */
export const radiusOf = (size, top) => (size === undefined ? 4.5 : Math.max(2, 13 * Math.sqrt(size / top)));

/**
 * Points, arrows and segments; what they cover is taken, so that no name stands there.
 * @param {import("./plot.js").Plot} plot
 * @param {import("../classes").AnyMark} mark
 * @param {import("../classes").Look} look
 */
function links(plot, { key, head, colors, role, top }, look) {
  const { ink, taken } = plot;
  const [x, y, u, v, size, shades] = ["x", "y", "u", "v", "size", "shade"].map((name) => plot.data[key + name]?.[0]);
  const color = shades && tint(look, role);
  x.forEach((_, i) => {
    const [right, down] = [plot.across(x[i]), plot.up(y[i])];
    ink.fillStyle = shades ? css(color(shades[i])) : colors[i % colors.length][look.dark];
    ink.beginPath();
    if (head === "dot") {
      const radius = radiusOf(size?.[i], top);
      taken.push([right - radius, down - radius, 2 * radius, 2 * radius]);
      ink.arc(right, down, radius, 0, 7);
      ink.fill();
      ink.lineWidth = 0.6;
      ink.strokeStyle = look.text;
      return shades && ink.stroke(); // pale dots keep an edge
    }
    const [a, b] = [right - plot.across(u[i]), down - plot.up(v[i])];
    const long = Math.hypot(a, b);
    const wide = size ? Math.max(0.5, (9 * size[i]) / top) : 2;
    const tip = head ? Math.min(long, 6 + 3 * wide) : 0;
    for (const part of [0, 0.25, 0.5, 0.75]) taken.push([right - part * a - 4, down - part * b - 4, 8, 8]);
    ink.save();
    ink.translate(right, down);
    ink.rotate(Math.atan2(b, a));
    ink.fillRect(-long, -wide / 2, long - tip / 2, wide);
    ink.lineTo(0, 0);
    ink.lineTo(-tip, tip * 0.4);
    ink.lineTo(-tip, tip * -0.4);
    ink.fill();
    ink.restore();
  });
}

/**
 * A line of a mark. One without x or y goes across the whole plot.
 * @param {import("./plot.js").Plot} plot
 * @param {import("../classes").AnyMark} mark
 */
export function outline(plot, { key, fill }, i = 0) {
  const [x, y, a, c] = ["x", "y", "a", "c"].map((name) => plot.data[key + name]?.at(i) ?? plot.data[key + name]?.[0]);
  const path = new Path2D();
  let pen = "rect";
  const go = (right, down, after) => {
    // Where there is no number there is a gap, and between two gaps a dot.
    path[pen](right, down, 0.01, 0.01);
    if (pen === "rect" && isNaN(after)) path.arc(right, down, 1.5, 0, 7);
    pen = isNaN(down) ? "rect" : "lineTo";
  };
  if (a) {
    const far = 3 * Math.max(...[...plot.xaxis, ...plot.yaxis].map(Math.abs));
    for (const t of [-far, far]) go(plot.across(c[0] * a[0] - t * a[1]), plot.up(c[0] * a[1] + t * a[0]), 0);
  }
  const given = y ?? x ?? [];
  given.forEach((_, j) => {
    const end = j % 3 && 1;
    const right = x ? plot.across(x[j]) : plot.left + end * plot.width;
    go(right, y ? plot.up(y[j]) : plot.top + (1 - end) * plot.height, given[j + 1]);
  });
  if (fill) path.closePath();
  return path;
}

/**
 * Lines, open or closed.
 * @param {import("./plot.js").Plot} plot
 * @param {import("../classes").AnyMark} mark
 * @param {import("../classes").Look} look
 */
function paths(plot, mark, { dark }) {
  const { ink, data } = plot;
  const { key, fill, colors, dashes = [[]] } = mark;
  const count = Math.max(...["x", "y", "a"].map((name) => data[key + name]?.length ?? 0));
  ink.lineJoin = "round";
  ink.lineWidth = fill ? 1 : 2;
  for (let i = 0; i < count; i++) {
    if (plot.veiled?.includes(`${key}:${i}`)) continue;
    const path = outline(plot, mark, i);
    ink.strokeStyle = ink.fillStyle = colors[i % colors.length][dark];
    ink.setLineDash(dashes[i % dashes.length]);
    ink.stroke(path);
    ink.globalAlpha = 0.22;
    if (fill) ink.fill(path);
    ink.globalAlpha = 1;
  }
}

/**
 * A field of shades.
 * @param {import("./plot.js").Plot} plot
 * @param {import("../classes").AnyMark} mark
 * @param {import("../classes").Look} look
 */
function terrain(plot, mark, look) {
  const { key, ends, colors, role } = mark;
  const [strengths, winners] = ["s", "w"].map((part) => plot.data[key + part]);
  const groups = colors.map((pair) => shadeOf(pair[look.dark]) & 0xffffff);
  const tone = (strength, r, c) => groups[winners[r][c]] | (Math.round(30 + 150 * strength) << 24);
  const [left, right] = ends.x.map((x) => plot.across(x));
  const [down, up] = ends.y.map((y) => plot.up(y));
  const sheet = kept(mark, [look, strengths, winners], () => stamp(strengths, winners ? tone : tint(look, role)));
  plot.ink.drawImage(sheet, left, up, right - left, down - up);
}

const PAINT = { links, paths, field: terrain };

/**
 * Draw all marks; lines end at the plot's edges, points may lie across them.
 * @param {import("./plot.js").Plot} plot
 * @param {import("../classes").Look} look
 */
export function paintMarks(plot, look) {
  const { ink, left, top, width, height } = plot;
  plot.taken = [];
  for (const mark of plot.marks) {
    if (plot.veiled?.includes(mark.key)) continue;
    ink.save();
    ink.beginPath();
    ink.rect(left, top, width, height);
    if (mark.type !== "links") ink.clip();
    PAINT[mark.type](plot, mark, look);
    ink.restore();
  }
}

const common = (a, b, c, d) => Math.max(0, Math.min(a + b, c + d) - Math.max(a, c));

/** How far a point is from a box. */
const gap = ([left, top, wide, high], { x, y }) =>
  Math.hypot(Math.max(left - x, 0, x - left - wide), Math.max(top - y, 0, y - top - high));

/** Write the names of points beside them, nearest to their own point, where they cover least. */
export function writeNames({ ink, left, top, width, height, taken }, points, look) {
  look.font(ink, 12);
  ink.lineWidth = 3;
  for (const point of points) {
    const { x, y, name, color, far } = point;
    if (!name) continue;
    const others = points.filter((other) => Math.hypot(other.x - x, other.y - y) > 4);
    const wide = ink.measureText(name).width;
    const share = (box, [a, b, w, h]) => common(box[0], wide, a, w) * common(box[1], 13, b, h);
    const wrong = (box) => 9e4 * others.some((other) => gap(box, other) <= gap(box, point));
    const cost = (box) =>
      taken.reduce((sum, other) => sum + share(box, other), wrong(box) - 9 * share(box, [left, top, width, height]));
    const boxes = [far, -far - wide, -wide / 2].flatMap((right) =>
      [-16, 3, -far - 13, far].map((down) => [x + right, y + down, wide, 13]),
    );
    const best = boxes[least(boxes, cost)];
    taken.push(best);
    // The page shows around the letters, so that no line strikes them through.
    ink.strokeStyle = look.page;
    ink.strokeText(name, best[0], best[1]);
    ink.fillStyle = color;
    ink.fillText(name, best[0], best[1]);
  }
}
