// Colours and fonts of the page that the figure stands in.

export const STEPS = 1024;

const parts = (shade) => [shade, shade >> 8, shade >> 16].map((part) => part & 255);
export const css = (shade) => `rgb(${parts(shade)})`;

/** Whether white reads better than black on it. */
export function isDark(shade) {
  const [red, green, blue] = parts(shade).map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}

/** What is drawn with, beside the page. */
export const sheet = (wide, high) => new OffscreenCanvas(wide, high).getContext("2d");

export function ramp(stops) {
  const ink = sheet(STEPS, 1);
  ink.fillStyle = ink.createLinearGradient(0.5, 0, STEPS - 0.5, 0);
  stops.forEach((stop, i) => /** @type {CanvasGradient} */ (ink.fillStyle).addColorStop(i / (stops.length - 1), stop));
  ink.fillRect(0, 0, STEPS, 1);
  return new Uint32Array(ink.getImageData(0, 0, STEPS, 1).data.buffer);
}

/** A colour of a page as a shade. */
export const shadeOf = (color) => ramp([color, color])[0];

/** The shade of a number on the scale of its role. */
export function tint({ scales, ramps }, role) {
  const { low, high } = scales[role];
  const ramp = ramps[role];
  const step = (STEPS - 1) / (high - low);
  return (number) => ramp[Math.round((number - low) * step)];
}

/** A picture of rows of numbers as shades, each of them a pixel. */
export function stamp(rows, shade) {
  const pixels = Uint32Array.from(rows.flatMap((row, r) => Array.from(row, (number, c) => shade(number, r, c))));
  const ink = sheet(rows[0].length, rows.length);
  ink.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), rows[0].length), 0, 0);
  return ink.canvas;
}

/** A picture that is made anew only where what it shows has changed. */
export function kept(owner, shown, paint) {
  if (!shown.every((one, i) => one === owner.shown?.[i])) {
    owner.shown = shown;
    owner.sheet = paint();
  }
  return owner.sheet;
}

/** @returns {import("../classes").Look} */
export function lookOf(host, scales, print) {
  const { color, fontFamily } = getComputedStyle(host);
  const text = print ? "#000" : color;
  const px = Math.max(devicePixelRatio, print ? 3 : 1);
  const dark = /** @type {0 | 1} */ (+!isDark(shadeOf(text)));
  const theme = /** @type {const} */ (["light", "dark"])[dark];
  const ramps = {};
  for (const role in scales) ramps[role] = ramp(scales[role][theme]);
  const font = (ink, points, textAlign = "left", textBaseline = "top") =>
    Object.assign(ink, { font: `${points}px ${fontFamily}`, textAlign, textBaseline });
  // Edges of cells fall on device pixels.
  const snap = (length) => Math.max(1, Math.floor(length * px)) / px;
  const page = dark ? "#14161a" : "#fff";
  return { px, dark, theme, text, page, font, snap, ramps, scales };
}
