"""One colour per role, everywhere: figures, diagrams and the symbols in equations."""

# role: (on a light page, on a dark page). Each has a contrast of at least 4.5 : 1 with its page.
ROLES = {
    "query": ("#1f6fd0", "#79b8ff"),
    "key": ("#996600", "#e3b341"),
    "value": ("#1b8040", "#56d364"),
    "score": ("#8353df", "#c297ff"),
    "weight": ("#d32f2f", "#ff8a80"),
    "output": ("#0f7b83", "#4fd1dc"),
}
# The book's pages. Other places' dark pages are about as dark.
PAGES = ("#ffffff", "#14161a")

# What has no role, in stills: writing and lines. A still has no ground of its own and this grey
# reads on a light page (4.5 : 1) and on a dark one (4 : 1); fainter lines are the same, thinned.
INK = "#707783"
FAINT = f"{INK}66"

# What has no role on the page, and groups that are none of the roles: territories, huts.
GREYS = (("#57606a", "#a5afba"), ("#24292f", "#e8ecf1"))
GREY = GREYS[0]
GROUPS = (
    ("#b8478f", "#f29bd0"),
    ("#6f7d12", "#c3cf6b"),
    ("#4a5fb0", "#a9b8f0"),
    ("#c2560c", "#ffab70"),
    ("#5b6673", "#a9b8c6"),
    ("#8a4b3a", "#dfa893"),
)


def symbols_on_dark():
    """The style of a dark page for symbols in equations, which have the colours of a light one.

    A page says the colour as a style or, where its policy forbids styles, as a class of that name.
    """
    symbol = '[data-theme="dark"] .katex :is([style*="color:{0}"], [class~="color:{0}"])'
    return "\n".join(
        f"{symbol.format(light)} {{ color: {dark} !important; }}" for light, dark in ROLES.values()
    )
