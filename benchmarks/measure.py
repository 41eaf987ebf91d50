"""Paired timings, memory that torch asks for, and tables."""

import statistics
import time

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def run(function, inputs, upstream=None):
    """Call a function of tensors and, given a gradient of its output, send that back."""
    with torch.set_grad_enabled(upstream is not None):
        output = function(*inputs)
    if upstream is not None:
        output.backward(upstream)


def forget_gradients(function):
    """Set the gradients of a module's parameters to None; a plain function has none."""
    for parameter in getattr(function, "parameters", list)():
        parameter.grad = None


def paired(functions, make, backward, repeats):
    """Time functions in turn, `repeats` times over; return name -> seconds, one for each turn.

    `make()` gives fresh inputs, outside the timing, because the peer overwrites them. The output
    has the shape of the first one.
    """
    seconds = {name: [] for name in functions}
    for turn in range(repeats + 1):
        for name, function in functions.items():
            inputs = make()
            upstream = torch.ones_like(inputs[0]) if backward else None
            forget_gradients(function)
            start = time.perf_counter()
            run(function, inputs, upstream)
            if turn:  # the first turn warms up
                seconds[name].append(time.perf_counter() - start)
    return seconds


def ratios(seconds, base):
    """Return name -> the median, over the turns, of its time divided by the base's."""
    return {
        name: statistics.median(t / b for t, b in zip(times, seconds[base], strict=True))
        for name, times in seconds.items()
    }


class Peak(TorchDispatchMode):
    """Watch every operation and note how many bytes the tensors made inside held at most."""

    def __init__(self):
        super().__init__()
        self.storages = {}
        self.bytes = 0

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        before = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
        given = {x.untyped_storage()._cdata for x in before}
        result = operation(*args, **kwargs or {})
        for tensor in tree_leaves(result):
            if isinstance(tensor, torch.Tensor):
                storage = tensor.untyped_storage()
                if storage._cdata not in given:
                    self.storages[StorageWeakRef(storage)] = storage.nbytes()
        self.storages = {ref: n for ref, n in self.storages.items() if not ref.expired()}
        self.bytes = max(self.bytes, sum(self.storages.values()))
        return result


def peak_memory(function, inputs, backward):
    """Return the bytes that torch holds at its peak above what it held before the call."""
    upstream = torch.ones_like(inputs[0]) if backward else None
    forget_gradients(function)
    with Peak() as peak:
        run(function, inputs, upstream)
    return peak.bytes


def exponent(sizes, costs):
    """Return the slope of log cost against log size: 1 is linear."""
    x, y = torch.tensor(sizes).double().log(), torch.tensor(costs).double().log()
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / (x * x).sum())


def table(title, head, rows):
    """Print a table; the first column is text, the others are numbers or text."""
    rows = [[cell if isinstance(cell, str) else f"{cell:.2f}" for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    print(f"\n{title}")
    for row in [head, ["-" * width for width in widths], *rows]:
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join([row[0].ljust(len(first)), *others]))
