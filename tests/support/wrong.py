"""Lengths and masks that every framework refuses, and in which words.

For scores of the shape (2, 3, 4): what is given, the error, and words that it has besides the name
of the argument.
"""

import numpy as np

NAN = float("nan")

LENGTHS = {
    "one number": (3, "ValueError|(2,)|(2, 3)|()"),
    "too few": ([3], "ValueError|(2,)|(2, 3)|(1,)"),
    "too many": ([1, 2, 3], "ValueError|(2,)|(2, 3)|(3,)"),
    "none of them": ([], "ValueError|(2,)|(2, 3)|(0,)"),
    "(queries, batch)": (np.ones((3, 2), int), "ValueError|(2, 3)|(3, 2)"),
    "(batch, keys)": (np.ones((2, 4), int), "ValueError|(2, 4)"),
    "(batch, 1)": ([[1], [2]], "ValueError|(2, 3)|(2, 1)"),
    "three axes": (np.ones((2, 3, 4), int), "ValueError|(2, 3)|(2, 3, 4)"),
    "ragged": ([[1, 2, 3], [1]], "TypeError|integers|[[1, 2, 3], [1]]"),
    "2.5": ([2.5, 3], "ValueError|whole|2.5"),
    "NaN": ([NAN, 2], "ValueError|whole|nan"),
    "infinite": ([2, float("inf")], "ValueError|whole|inf"),
    "half, per query": (np.full((2, 3), 1.5, np.float16), "ValueError|whole|1.5"),
    "complex": (np.array([1j, 2], np.complex64), "TypeError|integers|complex64"),
    "boolean": ([True, False], "TypeError|integers|bool|mask="),
    "a (batch, queries) mask": (np.ones((2, 3)) > 0, "TypeError|integers|bool|mask="),
    "a tokenizer's mask": ([[1, 1, 0, 0], [1, 1, 1, 0]], "ValueError|(2, 4)|mask="),
    "negative": ([-1, 2], "ValueError|0|4|-1"),
    "beyond the keys": ([0, 5], "ValueError|0|4|got 5"),
    "beyond, per query": ([[1, 2, 3], [4, 5, 4]], "ValueError|0|4|5"),
    "a string": ("23", "TypeError|integers|'23'"),
    "strings": (["2", "3"], "TypeError|integers|['2', '3']"),
    "None inside": ([None, 2], "TypeError|integers|[None, 2]"),
    "objects": (np.array([1, None], dtype=object), "TypeError|integers|None"),
    "a dict": ({"a": 1}, "TypeError|integers|{'a': 1}"),
    "True among numbers": ([True, 2], "TypeError|integers|booleans|[True, 2]"),
    "False in a tuple": (([1, 2, 3], (False, 2, 3)), "TypeError|booleans|(False, 2, 3)"),
}
MASKS = {
    "lengths": ([2, 3], "ValueError|0 and 1|2|valid_lens"),
    "lengths in a row": ([[2, 1, 0, 1]], "ValueError|0 and 1|2|valid_lens"),
    "-1 and 0": ([[0, -1, -1, 0]] * 2, "ValueError|0 and 1|-1"),
    "to be added": (np.zeros((2, 4), np.float32), "TypeError|float32|mask == 0|mask == 1"),
    "with -inf": ([[0.0, -float("inf"), 0.0, 0.5]], "TypeError|boolean|mask == 0"),
    "complex": (np.zeros((2, 4), np.complex64), "TypeError|complex64"),
    "a string": ("1100", "TypeError|'1100'"),
    "None inside": ([[None, True]], "TypeError|[[None, True]]"),
    "ragged": ([[True], [True, False]], "TypeError|[[True], [True, False]]"),
    "one number": (True, "ValueError|(2, 3, 4)|()"),
    "per example": ([True, False], "ValueError|(2, 3, 4)|(2,)"),
    "(keys, queries)": (np.ones((4, 3), bool), "ValueError|(2, 3, 4)|(4, 3)"),
    "(queries, batch, keys)": (np.ones((3, 2, 4), bool), "ValueError|(3, 2, 4)"),
    "more axes than scores": (np.ones((2, 1, 3, 4), bool), "ValueError|(2, 1, 3, 4)"),
}
