"""Paired timings, memory that torch asks for, and tables."""

import gzip
import json
import statistics
import tempfile
import time
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile


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

    They are seconds of the processor, so that what else runs on the machine counts less.

    `make()` gives fresh inputs, outside the timing, because the peer overwrites them; in a turn
    they are the same for all. The output has the shape of the first one.
    """
    seconds = {name: [] for name in functions}
    for turn in range(repeats + 1):
        for name, function in functions.items():
            torch.manual_seed(turn)
            inputs = make()
            upstream = torch.ones_like(inputs[0]) if backward else None
            forget_gradients(function)
            start = time.process_time()
            run(function, inputs, upstream)
            if turn:  # the first turn warms up
                seconds[name].append(time.process_time() - start)
    return seconds


def ratios(seconds, base):
    """Return name -> the median, over the turns, of its time divided by the base's."""
    return {
        name: statistics.median(t / b for t, b in zip(times, seconds[base], strict=True))
        for name, times in seconds.items()
    }


def peak_memory(function, inputs, backward):
    """Return the bytes that torch holds at its peak, of those that it asks for during a call."""
    upstream = torch.ones_like(inputs[0]) if backward else None
    forget_gradients(function)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        run(function, inputs, upstream)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "trace.json")
        seen.export_chrome_trace(str(file))
        events = json.loads(file.read_text())["traceEvents"]
    held, peak = {}, 0  # address -> bytes
    for event in sorted(events, key=lambda event: event.get("ts", 0)):
        if event["name"] == "[memory]":
            place, size = event["args"]["Addr"], event["args"]["Bytes"]
            held[place] = max(0, size)  # what is given back has a minus sign
            peak = max(peak, sum(held.values()))
    return peak


def kilobytes(text):
    """Return the kB of a text, and those of it compressed."""
    data = text.encode()
    return [len(part) / 1000 for part in (data, gzip.compress(data, 9))]


def table(title, head, rows):
    """Print a table; the first column is text, the others are numbers or text."""
    rows = [[cell if isinstance(cell, str) else f"{cell:.2f}" for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    print(f"\n{title}")
    for row in [head, ["-" * width for width in widths], *rows]:
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join([row[0].ljust(len(first)), *others]))
