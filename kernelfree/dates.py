"""Dates on an axis: they are drawn as days since 1970, and read as ISO writes them."""

import functools
from datetime import date

import numpy as np

from .arrays import as_array

SECONDS = 86_400
# Units of ticks, by how many of them people count, what is added so that weeks begin on Mondays and
# years are those of the calendar, and the letters of an ISO date that say it.
TICKS = (
    ("s", (1, 2, 5, 10, 15, 30), 0, slice(11, 19)),
    ("m", (1, 2, 5, 10, 15, 30), 0, slice(11, 16)),
    ("h", (1, 2, 3, 6, 12), 0, slice(11, 16)),
    ("D", (1, 2, 3, 7, 14), 3, slice(10)),
    ("M", (1, 2, 3, 6), 0, slice(7)),
    ("Y", (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000), 1970, slice(4)),
)
# Objects that may have a time zone: what tells them, where it stands, and how it is left out.
ZONES = (
    (("iloc", "dt"), "dt.tz", "x.dt.tz_localize(None)"),  # a Series of pandas
    (("tz_localize",), "tz", "x.tz_localize(None)"),  # an index
    (("to_physical",), "dtype.time_zone", "x.dt.replace_time_zone(None)"),  # polars
    (("to_pylist",), "type.tz", "pyarrow.compute.local_timestamp(x)"),
)
# How many ticks an axis has at most.
MOST = 6


def is_date(one):
    return isinstance(one, date | np.datetime64)


def dated(data):
    """Whether there are dates in it."""
    try:
        array = as_array(data)
    except ValueError:  # its rows differ in length
        return False
    return array.dtype.kind == "M" or (array.dtype == object and any(map(is_date, array.flat)))


def days(data, what):
    """Its numbers, with days since 1970 for dates; what has no dates comes back as it is."""
    if not dated(data):
        return data
    check_zone(data, what)
    array = as_array(data)
    if array.dtype != object:
        return day(array, what)
    known = np.array([is_date(one) for one in array.flat]).reshape(array.shape)
    pairs = array.shape[-1:] == (2,) and known[..., 0].all() and not known[..., 1:].any()
    if not known.all() and not pairs:
        raise TypeError(f"{what}: expected dates or numbers, got both")
    found = [day(one, what) if is_date(one) else one for one in array.flat]
    return np.array(found, np.float64).reshape(array.shape)


def check_zone(data, what):
    """Raise if dates of another library are in a time zone, with what takes it away."""
    for has, path, way in ZONES:
        if all(hasattr(data, name) for name in has):
            zone = functools.reduce(lambda x, name: getattr(x, name, None), path.split("."), data)
            if zone is not None:
                refuse_zone(next(iter(data)), what, way)
            return


def refuse_zone(one, what, way):
    """Raise for a date of a time zone: the wall clock's hours are the ones to draw."""
    raise ValueError(
        f"{what}: {one} has a time zone; give dates without one, as the clocks there show them: "
        f"{way}"
    )


def day(given, what):
    """Days since 1970 of a date, or of an array of NumPy's."""
    if getattr(given, "tzinfo", None) is not None:
        refuse_zone(given, what, "[date.replace(tzinfo=None) for date in x]")
    # That of pandas is NaT, too.
    missing = np.ndim(given) == 0 and given != given
    moments = np.asarray("NaT" if missing else given, "datetime64[us]")
    if np.isnat(moments).any():
        raise ValueError(f"{what}: a date is missing (NaT)")
    years = moments.astype("datetime64[Y]").astype(int) + 1970
    if years.min() < 1 or years.max() > 9999:
        raise ValueError(
            f"{what}: dates must be of the years 1 to 9999, got {years.min()} to {years.max()}"
        )
    return moments.astype(np.int64) / (1e6 * SECONDS)


def moments(numbers):
    """NumPy's dates of days since 1970, to the second."""
    return np.rint(np.multiply(numbers, SECONDS)).astype(np.int64).astype("datetime64[s]")


def iso(numbers):
    """Days since 1970 as ISO writes dates; with the time of day unless it is midnight in all."""
    found = moments(numbers)
    whole = (found == found.astype("datetime64[D]")).all()
    return np.datetime_as_string(found, unit="D" if whole else "s").tolist()


def ticks(low, high):
    """Ticks between two days: [day, label], and the date of them all where no label has it."""
    for unit, counts, start, letters in TICKS:
        whole = moments([low, high]).astype(f"datetime64[{unit}]")
        first, last = whole.astype(int) + start
        first += day(whole[0], "") < low  # it began before the axis
        for count in counts:
            if last // count - -(-first // count) < MOST:
                units = np.arange(-(-first // count), last // count + 1) * count - start
                texts = np.datetime_as_string(units.astype(f"datetime64[{unit}]"), unit="s")
                return labelled([t for t in texts if low <= day(t, "") <= high], letters)
    return [], ""


def labelled(texts, letters):
    """Ticks by their ISO dates, and the date of times among which there is no midnight."""
    times = letters.start is not None
    midnight = [text for text in texts if times and text.endswith("T00:00:00")]
    found = [
        [float(day(text, "")), text[:10] if text in midnight else text[letters]] for text in texts
    ]
    return found, texts[0][:10] if times and texts and not midnight else ""
