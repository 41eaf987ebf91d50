"""Speed and memory of the package beside its peer and beside what no implementation can beat."""

import math
import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F

from d2lmini import AdditiveAttention, DistanceAttention, DotProductAttention, masked_softmax

from . import peer as d2l
from .measure import exponent, paired, peak_memory, ratios, run, table

BIG = (32, 512, 512)


def scores_and_lens(shape, rank=1, grad=False):
    """Return scores, fresh each time because the peer overwrites them, and random lengths."""
    leaf = torch.randn(shape, requires_grad=grad)
    lens = torch.randint(1, shape[-1] + 1, shape[:rank])
    return leaf.clone() if grad else leaf, lens  # the peer refuses a leaf


def pooling_inputs(shape, size, grad=False, full=False):
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
    """The tanh of every number that additive attention makes, in place, a million at a time."""
    million = torch.zeros(2**20)
    for _ in range(queries.shape[0] * queries.shape[1] * keys.shape[1] * keys.shape[2] // 2**20):
        million.tanh_()


def compare(title, functions, cases, repeats):
    """Print a row for each case: the time of each function as a multiple of the peer's."""
    rows = []
    for name, make, backward in cases:
        seconds = paired(functions, make, backward, repeats)
        shares = ratios(seconds, "peer")
        rows.append([name, *shares.values(), f"{1e3 * statistics.median(seconds['peer']):.2f} ms"])
    table(title, ["", *functions, "peer itself"], rows)


def softmax(peer, quick):
    functions = {
        "peer": peer.masked_softmax,
        "ours": masked_softmax,
        "lower bound: unmasked": unmasked_softmax,
    }
    for rank, kind in ((1, "(batch,)"), (2, "(batch, queries)")):
        for shape, repeats in (((2, 2, 4), 500), ((64, 64, 64), 50), (BIG, 15)):
            cases = [
                ("forward", partial(scores_and_lens, shape, rank), False),
                ("forward + backward", partial(scores_and_lens, shape, rank, True), True),
            ]
            title = f"Masked softmax, {shape}, lengths {kind}: time / the peer's"
            compare(title, functions, cases, max(3, repeats // quick))


def dot_product(peer, quick):
    functions = {
        "peer": peer.DotProductAttention(0.0),
        "ours": DotProductAttention(),
        "ours, no weights": DotProductAttention(need_weights=False),
        "lower bound: bmm, softmax, bmm": unmasked_dot_product,
    }
    for full in (False, True):
        for shape, repeats in (((64, 64, 64), 50), (BIG, 11)):
            cases = [
                ("forward", partial(pooling_inputs, shape, 64, False, full), False),
                ("forward + backward", partial(pooling_inputs, shape, 64, True, full), True),
            ]
            kind = "all of them full" if full else "random"
            title = f"Dot-product attention, {shape}, d 64, lengths {kind}: time / the peer's"
            compare(title, functions, cases, max(3, repeats // quick))


def additive(peer, quick):
    for full in (False, True):
        for shape, size, repeats in (((8, 256, 256), 8, 15), ((8, 256, 256), 64, 9)):
            modules = {"peer": peer.AdditiveAttention(size, 0.0), "ours": AdditiveAttention(size)}
            for module in modules.values():
                module(*pooling_inputs((1, 1, 1), size))
            kind = "all of them full" if full else "random"
            title = f"Additive attention, {shape}, hidden {size}, lengths {kind}: time / the peer's"
            cases = [("forward", partial(pooling_inputs, shape, size, False, full), False)]
            functions = {**modules, "lower bound: tanh alone": tanh_alone}
            compare(title, functions, cases, max(3, repeats // quick))
            cases = [("forward + backward", partial(pooling_inputs, shape, size, True, full), True)]
            compare(title, modules, cases, max(3, repeats // quick))


def toy(peer, quick):
    """What a call costs beside its arithmetic: the sizes of the chapters' examples."""
    shape, size = (2, 10, 10), 4
    kinds = {
        "Dot-product": (peer.DotProductAttention(0.0), DotProductAttention()),
        "Additive": (peer.AdditiveAttention(8, 0.0), AdditiveAttention(8)),
    }
    for kind, (theirs, ours) in kinds.items():
        for module in (theirs, ours):
            module(*pooling_inputs(shape, size))  # sizes are inferred
        cases = [
            ("forward", partial(pooling_inputs, shape, size, False), False),
            ("forward + backward", partial(pooling_inputs, shape, size, True), True),
        ]
        title = f"{kind} attention, {shape}, size {size}, lengths random: time / the peer's"
        compare(title, {"peer": theirs, "ours": ours}, cases, max(3, 2000 // quick))


def memory(peer):
    rows = []
    cases = [
        ("dot-product, d 64", BIG, peer.DotProductAttention(0.0), DotProductAttention()),
        (
            "dot-product, no weights",
            BIG,
            peer.DotProductAttention(0.0),
            DotProductAttention(need_weights=False),
        ),
        (
            "additive, hidden 64",
            (8, 256, 256),
            peer.AdditiveAttention(64, 0.0),
            AdditiveAttention(64),
        ),
    ]
    for name, shape, theirs, ours in cases:
        for full in (False, True):
            for backward in (False, True):
                inputs = pooling_inputs(shape, 64, backward, full)
                run(theirs, inputs)  # sizes are inferred
                run(ours, inputs)
                a, b = (peak_memory(module, inputs, backward) for module in (theirs, ours))
                kind = "full lengths" if full else "random lengths"
                way = "with backward" if backward else "forward"
                row = [
                    f"{name}, {shape}, {kind}, {way}",
                    f"{a / 2**20:.1f}",
                    f"{b / 2**20:.1f}",
                    b / a,
                ]
                rows.append(row)
    table("Peak memory above the inputs, MB", ["", "peer", "ours", "ours / peer"], rows)


def growth(quick):
    """Print how time and memory grow, and plot them into _build."""
    sizes = {
        "batch": [4, 8, 16, 32],
        "queries": [256, 512, 1024, 2048],
        "keys": [256, 512, 1024, 2048],
        "hidden": [32, 64, 128, 256],
    }
    kinds = {
        "dot-product": lambda size: DotProductAttention(),
        "distance": lambda size: DistanceAttention(),
        "additive": lambda size: AdditiveAttention(size, query_size=size, key_size=size),
    }
    rows, curves = [], {}
    for kind, make in kinds.items():
        for axis, values in sizes.items():
            seconds, megabytes = [], []
            for value in values:
                size = {"batch": 4, "queries": 256, "keys": 256, "hidden": 32, axis: value}
                shape = size["batch"], size["queries"], size["keys"]
                inputs = partial(pooling_inputs, shape, size["hidden"], False, True)
                module = make(size["hidden"])
                times = paired({"ours": module}, inputs, False, max(3, 9 // quick))["ours"]
                seconds.append(min(times))
                megabytes.append(peak_memory(module, inputs(), False) / 2**20)
            curves[kind, axis] = values, seconds, megabytes
            exponents = exponent(values, seconds), exponent(values, megabytes)
            rows.append([f"{kind}, {axis} {values[0]} to {values[-1]}", *exponents])
    table(
        "Growth of the forward call from (4, 256, 256), size 32: cost ~ length ** exponent",
        ["", "time", "memory"],
        rows,
    )
    plot(curves)


def plot(curves):
    """Draw the growth of time and memory against each axis, on logarithmic scales."""
    from matplotlib.figure import Figure

    axes_names = list(dict.fromkeys(axis for _, axis in curves))
    figure = Figure(figsize=(12, 6), layout="constrained")
    grid = figure.subplots(2, len(axes_names), sharey="row")
    for (kind, axis), (values, *costs) in curves.items():
        for row, cost in enumerate(costs):
            ax = grid[row, axes_names.index(axis)]
            ax.loglog(values, cost, marker="o", label=kind)
            ax.set_xticks(values, [str(value) for value in values], minor=False)
            ax.minorticks_off()
            ax.set_xlabel(axis)
    grid[0, 0].set_ylabel("seconds")
    grid[1, 0].set_ylabel("peak memory, MB")
    grid[0, 0].legend()
    path = Path(__file__).parents[1] / "_build" / "growth.png"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=100)
    print(f"\nThe plot: {path}")


def import_time():
    """Print what `import d2lmini` adds to `import torch`, and what its first names add."""
    rows = []
    for title, code in (
        ("import d2lmini", "import d2lmini"),
        (
            "... and use its classes",
            "from d2lmini import masked_softmax, AdditiveAttention, show_heatmaps, check_shape",
        ),
    ):
        script = (
            "import torch, time; start = time.perf_counter()\n"
            f"{code}\nprint(time.perf_counter() - start)"
        )
        command = [sys.executable, "-c", script]
        times = [float(subprocess.check_output(command, text=True)) for _ in range(3)]
        rows.append([title, f"{statistics.median(times):.3f}"])
    table("Import, seconds beyond `import torch`", ["", "seconds"], rows)


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
    dot_product(peer, quick)
    additive(peer, quick)
    toy(peer, quick)
    memory(peer)
    growth(quick)
    import_time()
