"""The language of what is said to readers."""


def say(text, **fields):
    """A text in the reader's language, with its fields filled in."""
    return text.format(**fields) if fields else text


def current() -> str | None:
    """The language that is spoken, such as "zh"; None is English."""
    return None
