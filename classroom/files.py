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
        raise OSError("it is no file")
    if path.stat().st_size > MOST:
        raise OSError(f"it has more than {MOST} bytes")
    data = path.read_bytes()
    return data.decode(json.detect_encoding(data), errors="replace")


def printable(text):
    """A text as one line that any terminal, table or page takes."""
    return "".join(c if c.isprintable() else " " for c in text)


def expecting(what, read):
    """What reads an argument of a command, and says of a bad one what is expected."""

    def reads(given):
        try:
            return read(given)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{given!r} came; expected: {what}") from None

    return reads


def whole(what, least):
    """What reads an argument that is an integer and no less."""

    def reads(given):
        if int(given) < least:
            raise ValueError(given)
        return int(given)

    return expecting(f"{what}, {least} or more", reads)
