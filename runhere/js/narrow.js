// Types of numbers that the engine does not have: halves, and integers of few bits.

/** The nearest float16, ties to even. */
function half(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const far = Math.abs(x);
  const unit = far < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(far)) - 10);
  const count = far / unit;
  let whole = Math.floor(count);
  if (count - whole > 0.5 || (count - whole === 0.5 && whole % 2)) whole++;
  return Math.sign(x) * (whole * unit > 65504 ? Infinity : whole * unit);
}

const bits = new DataView(new ArrayBuffer(4));
/** The nearest bfloat16: a float32 without its last 16 bits, ties to even. */
function brain(x) {
  if (!Number.isFinite(x)) return x;
  bits.setFloat32(0, x);
  const n = bits.getUint32(0);
  bits.setUint32(0, (n + 0x7fff + ((n >>> 16) & 1)) & 0xffff0000);
  return bits.getFloat32(0);
}

export const ROUNDED = { float16: half, bfloat16: brain };
const signed = (count) => [-(2 ** (count - 1)), 2 ** (count - 1) - 1];
/** The least and the greatest that are exact here. */
export const RANGES = {
  bool: [0, 1],
  uint8: [0, 255],
  int8: signed(8),
  int16: signed(16),
  int32: signed(32),
  int64: [-(2 ** 53) + 1, 2 ** 53 - 1],
};
