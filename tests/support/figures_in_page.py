"""Draws the figures of a chapter's cells in the page's Python; see in_page.py."""

import json


def main(given):
    from page import book

    book.begin()
    from page import live

    sources, wanted = json.loads(given)
    found = {}
    for at, figure in wanted:
        done = json.loads(live.draw(json.dumps({"sources": sources, "at": at, "figure": figure})))
        found[figure] = json.loads(done["state"]) if "state" in done else done
    return json.dumps(found)
