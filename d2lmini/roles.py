"""One colour per role, everywhere: figures, diagrams and the symbols in equations."""

from kernelfree.book import deferred, palette

# role: (on a light page, on a dark page). Each has a contrast of at least 4.5 : 1 with its page.
ROLES = {
    deferred("query"): ("#1f6fd0", "#79b8ff"),
    deferred("key"): ("#996600", "#e3b341"),
    deferred("value"): ("#1b8040", "#56d364"),
    deferred("score"): ("#8353df", "#c297ff"),
    deferred("weight"): ("#d32f2f", "#ff8a80"),
    deferred("output"): ("#0f7b83", "#4fd1dc"),
}
# Weights on a light page: the reds of matplotlib, but for the palest.
REDS = ["#fee5d8", "#fca285", "#f6583e", "#c3161b", "#67000d"]

palette.ROLES.update(ROLES)
palette.RESERVED.update(ROLES)
palette.RAMPS["weight"] = REDS
palette.SUMMED.add("weight")
palette.ALIASES.update(queries="query", q="query", k="key", v="value", f="output")


def symbols_on_dark():
    """The style of a dark page for symbols in equations, which have the colours of a light one.

    A page says the colour as a style or, where its policy forbids styles, as a class of that name.
    """
    symbol = '[data-theme="dark"] .katex :is([style*="color:{0}"], [class~="color:{0}"])'
    return "\n".join(
        f"{symbol.format(light)} {{ color: {dark} !important; }}" for light, dark in ROLES.values()
    )
