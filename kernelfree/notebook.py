"""What runs a cell: a Jupyter kernel or not, and whether a person watches it."""


def _shell():
    """The IPython shell that runs this, or None."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def in_notebook():
    """Whether a Jupyter kernel runs this."""
    return hasattr(_shell(), "kernel")


def attended():
    """Whether whoever has a cell run shows widgets: a person's notebook can be asked for input.

    By Jupyter's protocol every request to execute says so; what executes a notebook for a file
    cannot be asked. Outside a kernel there is nothing to keep a state.
    """
    shell = _shell()
    if not hasattr(shell, "get_parent"):
        return True
    return shell.get_parent().get("content", {}).get("allow_stdin", True)
