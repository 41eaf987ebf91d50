"""The four signs, exp, tanh, sums and products on many numbers are the engine's, to the bit."""

from made_scripts import ROOT, node

SCRIPT = """
import { signs, sums } from "%(root)s/runhere/js/signs.js";
import { run } from "%(root)s/kernelfree/js/engine/engine.js";
import { permute, size, stridesOf, tensor } from "%(root)s/kernelfree/js/engine/tensor.js";
import { WIDE, wideProduct } from "%(root)s/kernelfree/js/engine/wide.js";
const PAIRS = [[[20, 30], [20, 30]], [[20, 30], [30]], [[200, 1], [1, 30]], [[600], []]];
const FACTORS = [[[9, 300], [300, 7]], [[2, 9000], [9000, 3]], [[130, 260], [260, 131]], [[5], [5]], [[4, 3], [3]]];
FACTORS.push([[3], [3, 6]], [[2, 1, 4, 5], [3, 5, 6]], [[2, 3, 1, 4], [4, 6]], [[2, 3, 4], [4]], [[2, 0], [0, 3]]);
PAIRS.push([[4, 5, 1], [4, 1, 60]], [[2, 1, 300], [7, 1]], [[600], 2.1], [0.1, [600]]);
const NUMBERS = [0, -0, Infinity, -Infinity, NaN, 0.1, -7, 1e-30];
const number = (_, i) => NUMBERS[i %% 11] ?? Math.sin(i) * 1e3;
const some = (Kind, shape) =>
  typeof shape === "number" ? shape : tensor(shape, Kind.from({ length: size(shape) }, number));
const compare = (step, ours) => {
  const [theirs] = run({ constants: [], inputs: [], steps: [step] }, []);
  const same = theirs.data.every((x, i) => Object.is(x, ours.data[i]));
  console.log(same && `${theirs.shape}` === `${ours.shape}`);
};
for (const Kind of [Float32Array, Float64Array]) {
  const dtype = Kind === Float32Array ? "float32" : "float64";
  for (const name of ["add", "sub", "mul", "div"])
    for (const [s, t] of PAIRS) {
      const [a, b] = [some(Kind, s), some(Kind, t)];
      compare([name, [a, b], dtype], signs(name, a, b, Kind));
    }
  for (const name of ["exp", "tanh"]) {
    const x = some(Kind, [20, 30]);
    compare([name, [x], dtype], signs(name, x, undefined, Kind));
  }
  for (const shapes of FACTORS) {
    const [a, b] = shapes.map((shape) => tensor(shape, Kind.from({ length: size(shape) }, (_, i) => Math.tan(i))));
    const lying = ({ shape, data }) => ({ shape, data, strides: stridesOf(shape), start: 0 });
    const turned = (x) => { // the same numbers, where the last axis comes first in memory
      if (x.shape.length < 2) return lying(x);
      const moved = permute(x, [x.shape.length - 1, ...x.shape.slice(1).keys()]);
      const [first, ...strides] = stridesOf(moved.shape);
      return { shape: x.shape, data: moved.data, strides: [...strides, first], start: 0 };
    };
    compare(["matmul", [a, b], dtype], wideProduct(lying(a), lying(b), Kind));
    compare(["matmul", [a, b], dtype], wideProduct(turned(a), turned(b), Kind));
  }
}
console.log(WIDE);
for (const Kind of [Float32Array, Float64Array])
  for (const shape of [[], [0, 3], [5], [2, 3, 4], [3, 1, 2]])
    for (const dims of [null, [], [0], [-1], shape.length > 1 ? [0, -1] : [0]])
      for (const keep of [true, false]) {
        const x = some(Kind, shape);
        compare(["sum", [x, dims, keep], "float64"], sums(x, dims, keep));
      }
"""


def test_what_is_quick_is_the_engines_to_the_bit():
    said = node("node", "--input-type=module", text=SCRIPT % {"root": ROOT}).split()
    assert said == ["true"] * 209
