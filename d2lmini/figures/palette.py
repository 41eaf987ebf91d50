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

# What has no role: writing, quieter writing, and lines.
INK, QUIET, PALE = "#24292f", "#57606a", "#c9ced6"


def symbols_on_dark():
    """The style of a dark page for symbols in equations, which have the colours of a light one."""
    return "\n".join(
        f'[data-theme="dark"] .katex [style*="color:{light}"] {{ color: {dark} !important; }}'
        for light, dark in ROLES.values()
    )
