"""Tables."""

from datetime import datetime

import numpy as np
from pandas_like import Frame
from shown import panel_of

import kernelfree as kf
import kernelfree.book


def test_a_table_has_its_header_and_the_names_of_its_rows():
    rows = [["name", "size"], ["a", 1], ["b", 0.123456], ["c", None]]
    found = panel_of(kf.Table(rows))["content"]
    assert found == [["size"], [["a", ["1"]], ["b", ["0.1235"]], ["c", [""]]], "name"]
    of_dicts = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    of_columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
    for given in (kf.Table(rows[1:], rows[0]), kf.Table(of_dicts), kf.Table(of_columns)):
        assert panel_of(given)["content"] == found


def test_a_table_of_pandas_is_read_as_people_write():
    noon = datetime(2024, 1, 1, 12)
    days = [datetime(2024, 1, 1), np.datetime64("2024-01-01", "ns")]
    rows = [(("a", 1), days[0], days[0]), (("b", 2), days[1], noon)]
    assert panel_of(kf.Table(Frame(*rows)))["content"] == [
        ["size", "name"],
        [["a, 1", ["2024-01-01", "2024-01-01 00:00:00"]], ["b, 2", ["2024-01-01", "2024-01-01 12:00:00"]]],
        "year",
    ]
