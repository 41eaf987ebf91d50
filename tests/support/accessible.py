"""What axe finds in a page."""

from axe_playwright_python.sync_playwright import Axe


def problems(page, **context):
    """All that it finds; nodes that pass are not gathered, which takes most of its time."""
    options = {"preload": False, "resultTypes": ["violations"]}
    found = Axe().run(page, context=context or None, options=options).response
    return [(p["id"], [n["html"][:120] for n in p["nodes"]]) for p in found["violations"]]
