"""Write frameworks/mxnet_outputs.json: what MXNet computes, for those who cannot install it.

`make mxnet-outputs` runs it in .venv-mxnet. It holds the attention weights of both examples of
`d2lmini.toy` for each valid length, an output for two of them, and the weights of the random scores
that *Dive into Deep Learning* prints in its MXNet version, once more with a mask.
"""

import json
from pathlib import Path
from platform import python_version

import mxnet
import numpy
from mxnet import np, npx

from d2lmini import toy
from d2lmini.mxnet import AdditiveAttention, DotProductAttention, masked_softmax

FILE = Path(toy.__file__).with_name("mxnet_outputs.json")


def compute():
    """All numbers by name; float32, and JSON keeps every digit."""
    dot_product, additive = DotProductAttention(), AdditiveAttention(num_hiddens=8)
    additive.initialize()
    additive(*map(np.array, toy.inputs(20)))  # sizes are inferred
    for name, weight in toy.parameters().items():
        getattr(additive, name).weight.set_data(np.array(weight))
    versions = {"mxnet": mxnet.__version__, "numpy": numpy.__version__, "python": python_version()}
    return {
        "made_by": {**versions, "command": "make mxnet-outputs"},
        "dot_product": pooled(dot_product, *map(np.array, toy.inputs(2))),
        "additive": pooled(additive, *map(np.array, toy.inputs(20))),
        "random_scores": random_scores(),
    }


def pooled(attention, queries, keys, values):
    """The weights, (valid length - 1, batch, keys), and an output, (batch, queries, value_size)."""
    weights = []
    for length in range(1, 11):
        attention(queries, keys, values, [length, length])
        weights.append(plain(attention.attention_weights[:, 0]))
    return {"weights": weights, "output": plain(attention(queries, keys, values, [2, 6]))}


def random_scores():
    """The second draw of uniform scores after MXNet's seed 0, its default, and its weights."""
    npx.random.seed(0)
    _, scores = (np.random.uniform(size=(2, 2, 4)) for _ in range(2))
    lens = [[1, 3], [2, 4]]
    mask = [[[1, 0, 1, 0], [0, 1, 1, 1]], [[1, 1, 0, 1], [0, 0, 0, 1]]]
    return {
        "scores": plain(scores),
        "valid_lens": lens,
        "weights": plain(masked_softmax(scores, lens)),
        "mask": mask,
        "masked_weights": plain(masked_softmax(scores, mask=mask)),
    }


def plain(array):
    """Nested lists of numbers, each with the fewest digits that make the same float32."""
    return array.asnumpy().astype(str).astype(float).tolist()


if __name__ == "__main__":
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(part)}" for key, part in compute().items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.1f} kB")
