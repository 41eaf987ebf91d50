"""Speed and memory of the package beside its peer and beside what no implementation can beat.

python -m benchmarks.attention [--quick]
"""

import argparse
import math
import subprocess
import sys
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from d2lmini import AdditiveAttention, DistanceAttention, DotProductAttention, masked_softmax

from . import peer as d2l
from . import table
from .measure import paired, peak_memory

TOY = (2, 10, 10)  # the size of the chapters' examples: a call costs more than its arithmetic
BIG = (32, 512, 512)
WAYS = {"forward": False, "forward + backward": True}


def scores_and_lens(shape, rank, grad):
    """Return scores, fresh each time because the peer overwrites them, and random lengths."""
    scores = torch.randn(shape, requires_grad=grad).clone()  # the peer refuses a leaf
    return scores, torch.randint(1, shape[-1] + 1, shape[:rank])


def pooling_inputs(shape, size, full, grad):
    """Return queries, keys, values and random lengths, or full ones."""
    batch, queries, keys = shape
    tensors = [torch.randn(batch, n, size, requires_grad=grad) for n in (queries, keys, keys)]
    return *tensors, torch.randint(keys if full else 1, keys + 1, (batch,))


def unmasked_dot_product(queries, keys, values, valid_lens):
    scores = torch.bmm(queries / math.sqrt(queries.shape[-1]), keys.transpose(1, 2))
    return torch.bmm(F.softmax(scores, dim=-1), values)


def tanh_alone(queries, keys, values, valid_lens):
    """The tanh of every number that additive attention needs, in place, a million at a time."""
    numbers = int(valid_lens.sum()) * queries.shape[1] * keys.shape[2]
    some = torch.zeros(min(numbers, 2**20))
    for _ in range(max(1, numbers // 2**20)):
        some.tanh_()
    return queries  # something that can go backward


def softmax(peer):
    return {
        "peer": peer.masked_softmax,
        "ours": masked_softmax,
        "lower bound: unmasked": lambda scores, lens: F.softmax(scores, dim=-1),
    }


def dot_product(peer, size):
    return {
        "peer": peer.DotProductAttention(0.0),
        "ours": DotProductAttention(),
        "ours, no weights": DotProductAttention(need_weights=False),
        "distance": DistanceAttention(),
        "lower bound: bmm, softmax, bmm": unmasked_dot_product,
    }


def additive(peer, size):
    return {
        "peer": peer.AdditiveAttention(size, 0.0),
        "ours": AdditiveAttention(size),
        "lower bound: tanh alone": tanh_alone,
    }


# Shape, size and repeats; memory is measured at the last.
POOLINGS = {
    dot_product: [(TOY, 8, 2000), ((64, 64, 64), 64, 50), (BIG, 64, 11)],
    additive: [(TOY, 8, 2000), ((8, 256, 256), 8, 15), ((8, 256, 256), 64, 9)],
}


def cases(peer):
    """Yield a title, functions, what makes their inputs, repeats, and whether to measure memory."""
    for rank, lengths in ((1, "(batch,)"), (2, "(batch, queries)")):
        for shape, repeats in (((2, 2, 4), 500), ((64, 64, 64), 50), (BIG, 15)):
            title = f"Masked softmax, {shape}, lengths {lengths}"
            yield title, softmax(peer), partial(scores_and_lens, shape, rank), repeats, False
    for kind, sizes in POOLINGS.items():
        for shape, size, repeats in sizes:
            functions = kind(peer, size)
            for full, lengths in ((False, "random"), (True, "full")):
                title = f"{kind.__name__} attention, {shape}, size {size}, lengths {lengths}"
                make = partial(pooling_inputs, shape, size, full)
                yield title, functions, make, repeats, (shape, size, repeats) == sizes[-1]


def compare(title, functions, make, repeats):
    """Print the time of each function as a multiple of the peer's."""
    rows = []
    for way, grad in WAYS.items():
        seconds = paired([*functions.values()], partial(make, grad=grad), repeats)
        peers = seconds[:, :1]
        ratios = np.median(seconds / peers, axis=0)
        rows.append([way, *ratios, f"{1e3 * np.median(peers):.2f} ms"])
    table(f"{title}: time / the peer's", ["", *functions, "peer itself"], rows)


def memory(title, functions, make):
    """Print the memory that each function asks torch for."""
    rows = []
    for way, grad in WAYS.items():
        inputs = make(grad=grad)
        peaks = [peak_memory(function, inputs) / 2**20 for function in functions.values()]
        rows.append([way, *(f"{peak:.1f}" for peak in peaks), peaks[1] / peaks[0]])
    table(f"{title}: peak above the inputs, MB", ["", *functions, "ours / peer"], rows)


def import_time():
    """Print what the import of our classes adds to that of torch."""
    names = "masked_softmax, AdditiveAttention, show_heatmaps, check_shape"
    timed = f"timeit.timeit('from d2lmini import {names}', 'import torch', number=1)"
    command = [sys.executable, "-c", f"import timeit; print({timed})"]
    times = [float(subprocess.check_output(command)) for _ in range(3)]
    print(f"\nImport beyond that of torch: {np.median(times):.3f} s")


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Speed and memory beside the peer's.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the repeats")
    quick = parser.parse_args(arguments).quick
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(
        f"torch {torch.__version__}, {torch.get_num_threads()} thread(s), "
        f"{torch.backends.cpu.get_cpu_capability()}. "
        "Times are medians of paired ratios: the peer is 1, less is better."
    )
    for title, functions, make, repeats, heavy in cases(d2l.load()):
        compare(title, functions, make, max(3, repeats // 5) if quick else repeats)
        if heavy:
            memory(title, functions, make)
    import_time()


if __name__ == "__main__":
    main()
