"""The pictures of the pages in as few bytes as they need."""

from pathlib import Path

from PIL import Image


def finish(app, exception):
    """Give every picture a palette of 256 colours, where that makes its file smaller."""
    if exception is not None or app.builder.name != "html":
        return
    for path in Path(app.outdir, "_images").glob("*.png"):
        picture = Image.open(path)
        if picture.mode == "P":
            continue
        small = picture.convert("RGBA").quantize(256, method=Image.Quantize.FASTOCTREE)
        new = path.with_suffix(".new")
        small.save(new, format="PNG", optimize=True)
        if new.stat().st_size < path.stat().st_size:
            new.replace(path)
        else:
            new.unlink()
