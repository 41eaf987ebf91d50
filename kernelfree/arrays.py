"""Numbers of any library as NumPy's, and what figures ask of them.

PyTorch is met where somebody else has imported it.
"""

import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, Protocol, TypeAlias

import numpy as np


class SupportsArray(Protocol):
    """What NumPy can read: its own arrays, PyTorch's tensors, pandas, JAX, ..."""

    def __array__(self) -> np.ndarray: ...


Numbers: TypeAlias = SupportsArray | Sequence[Any] | range
# The largest number of a figure, and the least that the largest of a panel may be, unless it is 0:
# beyond, a scale cannot be written in float64.
LARGEST, LEAST = 1e300, 1e-290
# Whole numbers up to this one are apart in float64, which is all that a page has.
WHOLE = 2**53
# How a text begins that is a date.
ISO_DATE = re.compile(r"\d{4}-\d\d(-\d\d)?\b")
# A text that is a number.
NUMBER = re.compile(r"\s*[+-]?\d+(\.\d*)?(e[+-]?\d+)?\s*", re.IGNORECASE)


def is_tensor(data):
    """Whether it is a tensor of PyTorch's."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(data, torch.Tensor)


def as_array(data):
    """An array from a tensor, an array, nested lists or anything that NumPy can read."""
    if is_tensor(data):
        data = data.detach().cpu()
        # NumPy has no bfloat16.
        data = np.asarray(data.float() if str(data.dtype) == "torch.bfloat16" else data)
    if (marked := masked_array(data)) is not None and np.ma.is_masked(marked):
        # What is masked is no number, and among dates no date.
        if marked.dtype.kind in "biuf":
            return marked.astype(np.float64).filled(np.nan)
        if marked.dtype.kind == "M":
            return marked.filled(np.datetime64("NaT"))
    array = np.asarray(data)
    if array.dtype == object and array.ndim:
        missing = [is_missing(cell) for cell in array.flat]
        cells = [np.nan if no else cell for cell, no in zip(array.flat, missing, strict=True)]
        if not all(missing) and all(isinstance(cell, Real) for cell in cells):
            return np.array(cells).reshape(array.shape)
    return array


def is_missing(cell):
    """Whether a cell is None, or pandas' own for what is missing, which is equal to nothing."""
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def columns_of(frame):
    """The columns of a table of any library, as pairs of a name and its values, or None."""
    if hasattr(frame, "column_names"):  # pyarrow
        return list(zip(frame.column_names, frame.columns, strict=True))
    if hasattr(frame, "get_columns"):  # polars
        return [(column.name, column) for column in frame.get_columns()]
    if hasattr(frame, "columns") and hasattr(frame, "items"):  # pandas
        return list(frame.items())
    return None


def once(columns, what):
    """The same columns; raise if two have one name."""
    names = [name for name, _ in columns]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(
            f"{what}: {names.count(twice[0])} columns are called {twice[0]!r}; give each a name of "
            "its own"
        )
    return columns


def masked_array(data):
    """A masked array of NumPy's, also of a list with such rows; None if it is neither."""
    if isinstance(data, np.ma.MaskedArray):
        return data
    if isinstance(data, list | tuple) and any(isinstance(r, np.ma.MaskedArray) for r in data):
        return np.ma.array(list(map(np.ma.getdata, data)), mask=list(map(np.ma.getmaskarray, data)))
    return None


def masks(data):
    """Where NumPy has masked, or pandas misses, a number: a boolean array, or False for none."""
    if (marked := masked_array(data)) is not None:
        return np.ma.getmaskarray(marked)
    if is_tensor(data) or (array := np.asarray(data)).dtype != object:
        return False
    return np.reshape([is_missing(cell) for cell in array.flat], array.shape)


def numbers(data, what):
    """A float64 array from a tensor, an array or nested lists; `what` names it in errors."""
    for name, column in columns_of(data) or ():
        # Tables turn times into numbers of their own units.
        if (held := as_array(column)).dtype.kind in "mM":
            came = no_numbers(column, held)
            if held.dtype.kind == "M":
                came = f"dates; Curve(x[{name!r}], {{'y': y}}) draws y over them"
            raise TypeError(f"{what}, column {name!r}: expected numbers, got {came}")
    try:
        array = as_array(data)
    except ValueError:
        raise ValueError(f"{what}: its rows differ in length") from None
    except TypeError as error:  # what NumPy cannot read, or another library refuses
        raise TypeError(f"{what}: expected numbers, got {type(data).__name__}: {error}") from None
    # Beyond 64 bits they are objects.
    whole = array.dtype == object and all(isinstance(one, int) for one in array.flat)
    if not whole and array.dtype.kind not in "biuf":
        raise TypeError(f"{what}: expected numbers, got {no_numbers(data, array)}")
    whole = whole or array.dtype.kind in "iu"
    if whole and (large := array[(array > WHOLE) | (array < -WHOLE)]).size:
        raise ValueError(
            f"{what}: whole numbers must be from -2**53 to 2**53, got {large[0]:,}; "
            f"{'x.astype(float)' if hasattr(data, 'astype') else 'np.array(x, float)'} rounds them"
        )
    array = array.astype(np.float64)
    sizes = np.abs(array[np.isfinite(array)])
    if sizes.size and (largest := sizes.max()) > LARGEST:
        raise ValueError(f"{what}: numbers must be at most {LARGEST:g} in size, got {largest:g}")
    return array


def no_numbers(data, array):
    """What came instead of numbers, and what to do with it, in words."""
    name = "None" if data is None else type(data).__name__
    odd = [one for one in array.flat if not isinstance(one, Real)] if array.dtype == object else []
    # A month or a year of pandas is no `date`.
    dates = bool(odd) and (isinstance(odd[0], date) or hasattr(odd[0], "to_timestamp"))
    if dates or array.dtype.kind == "M":
        way = "give days since the first of them, or return a figure of matplotlib"
        if odd and all(hasattr(one, "to_timestamp") for one in (data, odd[0])):  # periods of pandas
            way = "x.to_timestamp() makes dates of them"
        return f"dates ({name}); {way}"
    exact = array.dtype == object and all(isinstance(x, Decimal | Fraction) for x in array.flat)
    if odd and array.ndim == 0 and not exact:
        shown = "; Html(x) shows it" if hasattr(data, "_repr_html_") else ""
        return f"{name}; make a list of it" if isinstance(data, Iterator) else name + shown
    holds = "text" if array.dtype.kind in "US" else str(array.dtype)
    if odd:
        holds = "None" if odd[0] is None else type(odd[0]).__name__
    way = "; Table(...) shows a DataFrame of words" if hasattr(data, "columns") else ""
    texts = [one for one in array.flat if isinstance(one, str)]
    if not way and ((texts and array.ndim == 2) or (odd and isinstance(odd[0], dict))):
        way = "; Table(x) shows it"
    if texts and hasattr(data, "to_frame"):
        way = "; Table(x.to_frame()) shows it"
    if texts and all(map(NUMBER.fullmatch, texts)):
        way = "; np.array(x, float) makes numbers of them"
    if array.dtype.kind == "m":
        way = "; x / np.timedelta64(1, 'D') counts days"
    if exact:
        way = "; np.array(x, float) makes numbers of them"
    if array.dtype.kind == "c":
        way = "; np.abs(x), np.real(x) and np.imag(x) are numbers"
    if texts and all(map(ISO_DATE.match, texts)):
        way = "; np.array(x, 'datetime64[D]') or pandas.to_datetime(x) makes dates of them"
    return f"{name} of {holds}{way}"


def finite(array, what, masked=None, advice=""):
    """Raise if `array` holds NaN or an infinity where `masked` is not set."""
    bad = ~np.isfinite(array)
    if masked is not None:
        bad &= ~masked
        advice = "; Heatmap(matrix, masked=~np.isfinite(matrix)) leaves such cells out" + advice
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f" at {place}" if place else ""
        raise ValueError(f"{what}: {array[place]}{where}; every number must be finite{advice}")


def rising(array, what, written=None):
    """Raise unless an array is a row of two numbers or more, each above the one before.

    What writes days is given for dates.
    """
    if array.ndim != 1 or len(array) < 2:
        raise ValueError(
            f"{what}: expected at least two increasing numbers, got shape {array.shape}"
        )
    finite(array, what)
    if (falls := np.flatnonzero(np.diff(array) <= 0)).size:
        at = falls[0]
        pair = array[at : at + 2]
        before, after = written(pair) if written else (f"{one:g}" for one in pair)
        clocks = ", and give the hour that clocks repeat in UTC" if written else ""
        raise ValueError(
            f"{what}: expected increasing {'dates' if written else 'numbers'}, got {after} after "
            f"{before} at place {at + 2}; sort them{clocks}"
        )


def without_gradients():
    """A context in which PyTorch, if it is there, keeps no graph."""
    torch = sys.modules.get("torch")
    return contextlib.nullcontext() if torch is None else torch.no_grad()
