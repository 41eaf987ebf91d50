"""Runs each cell of a chapter alone, with what it needs from above; see in_page.py."""

import json


def main(given):
    from page import live
    from page.session import Session

    sources, wanted, skipped = json.loads(given)
    found = []
    for at in wanted:
        live.reset()
        found.append(Session(live.reset).run(sources, at, skipped))
    return json.dumps(found)
