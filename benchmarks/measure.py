"""Paired timings, and the memory that torch asks for."""

import json
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from torch.profiler import ProfilerActivity, profile


def ready(function, inputs):
    """A call and, where the inputs ask for gradients, its way back, which adds to no earlier one.

    The output has the shape of the first input.
    """
    backward = inputs[0].requires_grad
    upstream = torch.ones_like(inputs[0])
    if isinstance(function, torch.nn.Module):
        function.zero_grad()

    def call():
        with torch.set_grad_enabled(backward):
            output = function(*inputs)
        if backward:
            output.backward(upstream)

    return call


def paired(functions, make, repeats):
    """Time functions in turn, `repeats` times over; return seconds, (repeats, functions).

    They are seconds of the processor, so that what else runs on the machine counts less.

    `make()` gives fresh inputs, outside the timing, because the peer overwrites them; in a turn
    they are the same for all.
    """
    seconds = np.empty((repeats + 1, len(functions)))
    for turn, place in np.ndindex(seconds.shape):
        torch.manual_seed(turn)
        call = ready(functions[place], make())
        start = time.process_time()
        call()
        seconds[turn, place] = time.process_time() - start
    return seconds[1:]  # the first turn warms up


def peak_memory(function, inputs):
    """Return the bytes that torch holds at its peak, of those that it asks for during a call."""
    call = ready(function, inputs)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        call()
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
