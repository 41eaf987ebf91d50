"""What pandas objects show to NumPy, and of their names."""

import numpy as np


class Index(list):
    name = "year"


class Series:
    """As one of pandas is to NumPy."""

    shape = (3,)

    def __init__(self, index, name=None):
        self.index, self.name = index, name

    def __len__(self):
        return 3

    def __iter__(self):
        return iter(np.array(self))

    def __array__(self, dtype=None, copy=None):
        return np.array([3.0, 1.0, 2.0])


class Frame:
    """As one of pandas is to NumPy, with a column of words."""

    columns = ("size", "name")

    def __init__(self, *rows):
        self.index, self.rows = rows and Index(row[0] for row in rows), rows

    def itertuples(self, name):
        return iter(self.rows)

    def items(self):
        return {"size": [1, 2, 3], "name": [3, 2, 1]}.items()

    def __array__(self, dtype=None, copy=None):
        return np.array([[1, "a"]], object)


class Month:
    def to_timestamp(self):
        return np.datetime64("2023-12-31")


class RangeIndex(list):
    """What pandas gives rows without names."""


def frame(data, index, columns=None):
    """A table or a row with names, as pandas has them."""
    named = np.ma.array(data)
    named.index = index
    if columns:
        named.columns = columns
    return named
