"""The errors that have a name of their own."""


class NotForThePageError(ValueError):
    """What a function does that a page cannot do without Python, and on which line."""
