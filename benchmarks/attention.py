"""Speed and memory of the package beside its peer and beside what no implementation can beat."""

import math
import statistics
import subprocess
import sys
from functools import partial

import torch
import torch.nn.functional as F

from d2lmini import AdditiveAttention, DistanceAttention, DotProductAttention, masked_softmax

from . import peer as d2l
from .measure import paired, peak_memory, ratios, table

TOY = (2, 10, 10)  # the size of the chapters' examples: a call costs more than its arithmetic
BIG = (32, 512, 512)


def scores_and_lens(shape, rank, grad=False):
    """Return scores, fresh each time because the peer overwrites them, and random lengths."""
    leaf = torch.randn(shape, requires_grad=grad)
    lens = torch.randint(1, shape[-1] + 1, shape[:rank])
    return leaf.clone() if grad else leaf, lens  # the peer refuses a leaf


def pooling_inputs(shape, size, full, grad=False):
    """Return queries, keys, values and random lengths, or full ones."""
    batch, queries, keys = shape
    tensors = [torch.randn(batch, n, size, requires_grad=grad) for n in (queries, keys, keys)]
    lens = torch.full((batch,), keys) if full else torch.randint(1, keys + 1, (batch,))
    return *tensors, lens


def unmasked_softmax(scores, valid_lens):
    return F.softmax(scores, dim=-1)


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


def compare(title, functions, make, repeats):
    """Print the time of each function as a multiple of the peer's."""
    rows = []
    for way, grad in (("forward", False), ("forward + backward", True)):
        seconds = paired(functions, partial(make, grad=grad), grad, repeats)
        peers = f"{1e3 * statistics.median(seconds['peer']):.2f} ms"
        rows.append([way, *ratios(seconds, "peer").values(), peers])
    table(f"{title}: time / the peer's", ["", *functions, "peer itself"], rows)


def memory(title, functions, make):
    """Print the memory that each function asks torch for."""
    rows = []
    for way, grad in (("forward", False), ("forward + backward", True)):
        inputs = make(grad=grad)
        peaks = [peak_memory(function, inputs, grad) / 2**20 for function in functions.values()]
        rows.append([way, *(f"{peak:.1f}" for peak in peaks), peaks[1] / peaks[0]])
    table(f"{title}: peak above the inputs, MB", ["", *functions, "ours / peer"], rows)


def softmax(peer, quick):
    functions = {
        "peer": peer.masked_softmax,
        "ours": masked_softmax,
        "lower bound: unmasked": unmasked_softmax,
    }
    for rank, kind in ((1, "(batch,)"), (2, "(batch, queries)")):
        for shape, repeats in (((2, 2, 4), 500), ((64, 64, 64), 50), (BIG, 15)):
            title = f"Masked softmax, {shape}, lengths {kind}"
            make = partial(scores_and_lens, shape, rank)
            compare(title, functions, make, max(3, repeats // quick))


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


def pooling(peer, quick):
    for kind, cases in POOLINGS.items():
        for shape, size, repeats in cases:
            functions = kind(peer, size)
            for full in (False, True):
                lengths = "full" if full else "random"
                title = f"{kind.__name__} attention, {shape}, size {size}, lengths {lengths}"
                make = partial(pooling_inputs, shape, size, full)
                compare(title, functions, make, max(3, repeats // quick))
                if shape == cases[-1][0] and size == cases[-1][1]:
                    memory(title, functions, make)


def import_time():
    """Print what the import of our classes adds to that of torch."""
    code = (
        "import time, torch; start = time.perf_counter()\n"
        "from d2lmini import masked_softmax, AdditiveAttention, show_heatmaps, check_shape\n"
        "print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-c", code]
    times = [float(subprocess.check_output(command, text=True)) for _ in range(3)]
    print(f"\nImport beyond that of torch: {statistics.median(times):.3f} s")


def main(quick=1):
    """Print all tables; `quick` divides the number of repeats."""
    torch.manual_seed(0)
    peer = d2l.load()
    print(
        f"torch {torch.__version__}, {torch.get_num_threads()} thread(s), "
        f"{torch.backends.cpu.get_cpu_capability()}. "
        "Times are medians of paired ratios: the peer is 1, less is better."
    )
    softmax(peer, quick)
    pooling(peer, quick)
    import_time()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
