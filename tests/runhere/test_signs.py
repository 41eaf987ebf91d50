"""The four signs and sums on many numbers are the engine's, to the bit."""

from made_scripts import ROOT, node

SCRIPT = """
import { signs, sums } from "%(root)s/runhere/js/signs.js";
import { run } from "%(root)s/kernelfree/js/engine/engine.js";
import { size, tensor } from "%(root)s/kernelfree/js/engine/tensor.js";
const PAIRS = [[[20, 30], [20, 30]], [[20, 30], [30]], [[200, 1], [1, 30]], [[600], []]];
PAIRS.push([[4, 5, 1], [4, 1, 60]], [[2, 1, 300], [7, 1]], [[600], 2.1], [0.1, [600]]);
const NUMBERS = [0, -0, Infinity, -Infinity, NaN, 0.1, -7, 1e-30];
const number = (_, i) => NUMBERS[i %% 11] ?? Math.sin(i) * 1e3;
const some = (Kind, shape) =>
  typeof shape === "number" ? shape : tensor(shape, Kind.from({ length: size(shape) }, number));
for (const Kind of [Float32Array, Float64Array])
  for (const name of ["add", "sub", "mul", "div"])
    for (const [s, t] of PAIRS) {
      const [a, b] = [some(Kind, s), some(Kind, t)];
      const dtype = Kind === Float32Array ? "float32" : "float64";
      const [theirs] = run({ constants: [], inputs: [], steps: [[name, [a, b], dtype]] }, []);
      const ours = signs(name, a, b, Kind);
      const same = theirs.data.every((x, i) => Object.is(x, ours.data[i]));
      console.log(same && `${theirs.shape}` === `${ours.shape}`);
    }
for (const Kind of [Float32Array, Float64Array])
  for (const shape of [[], [0, 3], [5], [2, 3, 4], [3, 1, 2]])
    for (const dims of [null, [], [0], [-1], shape.length > 1 ? [0, -1] : [0]])
      for (const keep of [true, false]) {
        const x = some(Kind, shape);
        const step = ["sum", [x, dims, keep], "float64"];
        const [theirs] = run({ constants: [], inputs: [], steps: [step] }, []);
        const ours = sums(x, dims, keep);
        const same = theirs.data.every((x, i) => Object.is(x, ours.data[i]));
        console.log(same && `${theirs.shape}` === `${ours.shape}`);
      }
"""


def test_signs_and_sums_are_the_engines_to_the_bit():
    said = node("node", "--input-type=module", text=SCRIPT % {"root": ROOT}).split()
    assert said == ["true"] * 164
