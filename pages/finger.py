"""Train the model of chapter 11 by its own cells, and write it for the page.

    python -m pages.finger        write pages/js/finger/weights.js

Each row of a matrix is rounded to 8 bits and follows its scale; a bias is a row.
"""

import base64
import json
from collections import Counter

import nbformat
import numpy as np

from tools import run

CHAPTER = run.CHAPTERS / "11_learning_to_align.ipynb"
WEIGHTS = run.CHAPTERS.parent / "pages" / "js" / "finger" / "weights.js"
# The cell that trains the model; before it, figures are left out.
TRAINS = "writer, kept, right = fit("
MOST = 127


def code():
    """The sources of the chapter's cells, without figures, up to the one that trains."""
    for cell in nbformat.read(CHAPTER, 4).cells:
        if cell.cell_type == "code" and "explore(" not in cell.source:
            yield cell.source
        if TRAINS in cell.source:
            return


def trained():
    """What the chapter's names mean once its model is trained."""
    import torch

    names, dtype = {"__name__": CHAPTER.stem}, torch.get_default_dtype()
    try:
        for source in code():
            exec(source, names)
    finally:
        torch.set_default_dtype(dtype)
    return names


def places(pairs):
    """For each character written, where most texts have it; None for a hyphen."""
    found = [Counter() for _ in range(10)]
    for _, parts, _ in pairs:
        for part, rows in {"y": range(4), "d": (8, 9)}.items():
            own = [i for i, p in enumerate(parts) if p == part]
            for row, place in zip(reversed(rows), reversed(own), strict=False):
                found[row][place] += 1
        for row in (5, 6):
            found[row].update(i for i, p in enumerate(parts) if p == "m")
    return [counts.most_common(1)[0][0] if counts else None for counts in found]


def rounded(numbers):
    """A matrix as rows of bytes, each after its scale in float32."""
    scales = (np.abs(numbers).max(axis=1, keepdims=True) / MOST).astype("<f4")
    whole = np.rint(numbers / np.where(scales > 0, scales, 1)).astype(np.int8)
    return np.concatenate([scales.view(np.int8), whole], axis=1).tobytes()


def packed(names):
    """What the page gets."""
    tensors = {key: np.atleast_2d(x) for key, x in names["writer"].state_dict().items()}
    return {
        "alphabet": "".join(names["ALPHABET"]),
        "digits": names["DIGITS"],
        "places": places(names["train"]),
        "shapes": {key: x.shape for key, x in tensors.items()},
        "bytes": base64.b64encode(b"".join(map(rounded, tensors.values()))).decode(),
    }


def main():
    text = json.dumps(packed(trained()), separators=(",", ":"))
    WEIGHTS.write_text(f"kernelfreePart({text})\n", encoding="ascii")
    print(f"{WEIGHTS}: {WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
