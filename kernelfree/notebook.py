"""Where this runs: in a notebook or not, and whether somebody watches."""


def attended():
    """Whether whoever has a cell run shows widgets: a person's notebook can be asked for input.

    By Jupyter's protocol every request to execute says so; what executes a notebook for a file
    cannot be asked. Outside a kernel there is nothing to keep a state.
    """
    try:
        from IPython import get_ipython

        request = get_ipython().get_parent()
    except (ImportError, AttributeError):
        return True
    return request.get("content", {}).get("allow_stdin", True)


def in_notebook():
    """Whether a Jupyter kernel runs this."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return hasattr(get_ipython(), "kernel")
