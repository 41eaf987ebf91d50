"""A file that is written whole or not at all."""

import os
import shutil


def replace(path, content):
    """Write a whole file or none: whatever happens meanwhile, the old one or the new one stands."""
    path = path.resolve()
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_bytes(content)
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
