"""Runs a chapter's cells in the page's Python, in order; see in_page.py."""

import json
import time


def main(given):
    from page import book, cells

    book.begin()
    import torch

    found = []
    for chapter in json.loads(given):
        torch.set_default_dtype(torch.float32)
        torch.set_printoptions(profile="default", sci_mode=None)
        space = {"__name__": "__main__"}
        for source in chapter:
            start = time.perf_counter()
            done = cells.run(source, space) if source else {}
            found.append({**done, "seconds": time.perf_counter() - start})
    return json.dumps(found)
