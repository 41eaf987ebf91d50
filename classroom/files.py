"""What others have written into files, whatever it holds, and what is typed behind a command."""

import argparse
import json
from pathlib import Path

MOST = 2**28  # bytes of a file


def text(path):
    """The text of a file, with signs in place of what is none; raises for what is no file, such as
    a pipe, which would never end."""
    path = Path(path)
    if not path.is_file():
        raise OSError("it is no file" if path.exists() else "there is no such file")
    if path.stat().st_size > MOST:
        raise OSError(f"it has more than {MOST} bytes")
    data = path.read_bytes()
    return data.decode(json.detect_encoding(data), errors="replace")


def printable(text):
    """A text as one line that any terminal, table or page takes."""
    return "".join(c if c.isprintable() else " " for c in text)


def reason(error):
    """What an error says, where that is a sentence."""
    return str(error) if isinstance(error, OSError | RuntimeError | ValueError) else repr(error)


def counted(number, thing):
    """A number of things, as 1 point, 2 points."""
    return f"{number:g} {thing}{'s' if number != 1 else ''}"


def command(doc):
    """What reads the arguments of a command: the second paragraph of its docstring is its usage,
    and alone stands above an error."""
    first, usage, *rest = doc.split("\n\n")
    return argparse.ArgumentParser(
        usage=usage.strip().replace("%", "%%"),
        description="\n\n".join([first, *rest]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def expecting(what, read):
    """What reads an argument of a command, and says of a bad one what is expected."""

    def reads(given):
        try:
            return read(given)
        except ValueError as error:
            why = "".join(f": {why}" for why in error.args[1:])  # where it is known
            raise argparse.ArgumentTypeError(f"{given!r} came{why}; expected: {what}") from None

    return reads


def whole(what, least):
    """What reads an argument that is an integer and no less."""

    def reads(given):
        if int(given) < least:
            raise ValueError(given)
        return int(given)

    return expecting(f"{what}, {least} or more", reads)
