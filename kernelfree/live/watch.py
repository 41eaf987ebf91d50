"""Follow an author's function while it is exported: its calls of PyTorch, and its sentence."""

import inspect
import re

import torch
from torch.overrides import TorchFunctionMode

from ..tracing.exporting import TORCH, NotForThePageError, Place

# What a number leaves in a sentence: its place among the numbers, between two private letters.
LEFT = re.compile("\ue000(\\d+)\ue001")
# The formats of a number that the page knows.
FORMATS = re.compile(r"(\.\d+)?[fg%]|d?")


class EnoughError(Exception):
    """As many calls were made as were asked for."""


class Watch(TorchFunctionMode):
    """While it is active, numbers that are written into strings are kept as tensors.

    Attributes
    ----------
    numbers : list of Tensor
        The numbers that were written, in their order.
    formats : list of str
        How each is written, such as ".2f".
    calls : list of Place
        The author's line of each call of PyTorch.
    made : list of Tensor
        What the calls have given back.
    """

    def __init__(self, most=None):
        super().__init__()
        self.most, self.numbers, self.formats, self.calls, self.made = most, [], [], [], []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is torch.Tensor.__format__:
            return self.write(*args)
        made = function(*args, **(kwargs or {}))
        self.calls.append(caller())
        parts = made if isinstance(made, list | tuple) else [made]
        self.made += [part for part in parts if isinstance(part, torch.Tensor)]
        if len(self.calls) == self.most:
            raise EnoughError
        return made

    def write(self, number, style):
        """What stands for a number in a string."""
        if number.dim() or not FORMATS.fullmatch(style):
            what = f"shape {tuple(number.shape)}" if number.dim() else f"{style!r}"
            raise NotForThePageError(
                "a sentence of a live figure writes single numbers as 'd', '.2f', '.2g' or '.0%', "
                f"got {what}"
            )
        self.numbers.append(number)
        self.formats.append(style)
        return f"\ue000{len(self.numbers) - 1}\ue001"

    def sentence(self, text):
        """A sentence as pieces, and between each two a number and its format."""
        pieces = LEFT.split(text)
        pieces[1::2] = [[int(n), self.formats[int(n)]] for n in pieces[1::2]]
        return pieces


def caller():
    """The innermost line outside PyTorch and outside this file."""
    frame = inspect.currentframe()
    while frame.f_code.co_filename.startswith((TORCH, __file__)):
        frame = frame.f_back
    code = inspect.getframeinfo(frame).code_context or [""]
    return Place(
        frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, code[0].strip(), None
    )
