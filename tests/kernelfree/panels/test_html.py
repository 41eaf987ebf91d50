"""HTML of others, made harmless."""

import json
import re
import sys

import pytest
from shown import panel_of

import kernelfree as kf
import kernelfree.book

EVIL = [
    *("<script>x()</script>", "<p onclick='x()'>a</p>", "<svg onload='x()'><script>x()</script></svg>"),
    *(f"<a href='{to}'>a</a>" for to in ("javascript:x()", "https://example.org")),
    *("<img src='https://example.org/a.png'>", "<img src=//example.org/a.png onerror=x()>"),
    *("<blockquote cite='https://example.org'>a</blockquote>", "<iframe src='https://example.org'></iframe>"),
    *("<style>@import 'https://example.org'</style>", "<p style='background:url(https://example.org)'>a</p>"),
]


@pytest.mark.parametrize("evil", EVIL)
def test_html_is_sanitised(evil):
    given = f"<b title='1 < 2'>kept</b>{evil}<i>too</i>"
    found = json.dumps(panel_of(kf.Html(given))["content"])
    assert found.startswith('["div", {}, ["b", {"title": "1 < 2"}, "kept"]')
    assert found.endswith('["i", {}, "too"]]')
    assert not re.search(r"x\(\)|example|javascript|import", found)


def test_a_head_of_nothing_is_a_cell():
    head = '<tr><th scope="col"> </th><th>a</th><th><img src="data:image/png,"></th></tr>'
    found = panel_of(kf.Html(f"<table><thead>{head}</thead></table>"))["content"]
    row = found[2][2][2]
    assert [cell[0] for cell in row[2:]] == ["td", "th", "th"]
    assert row[2] == ["td", {}, " "]
    # A picture may take a part of the room.
    found = panel_of(kf.Html("<img src='data:image/png;base64,AA' width='50%'>"))["content"]
    assert found[2] == ["img", {"src": "data:image/png;base64,AA", "style": "width:50%"}]


@pytest.mark.parametrize(("alt", "told"), [("alt='a bell'", "[a bell]"), ("", "[image]")])
def test_a_still_says_what_a_picture_shows(alt, told):
    content = panel_of(kf.Html(f"<p>x<img src='data:image/svg+xml,<svg/>' {alt}></p>"))["content"]
    assert kf.Html.lines({"content": content}) == [f"x {told}"]


def test_html_without_nh3_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "nh3", None)
    with pytest.raises(ImportError, match="Html needs nh3, which is missing: pip install nh3"):
        panel_of(kf.Html("<b>a</b>"))
