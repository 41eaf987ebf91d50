"""The code that we compare with: the attention classes of Dive into Deep Learning's own package.

Its wheel is fetched from PyPI when the benchmarks run and kept in `_build`; it is used only if its
hash is the one below. Only the definitions that are needed are compiled: importing the whole module
needs torchvision and more.
"""

import ast
import hashlib
import math
import subprocess
import sys
import types
import zipfile

import torch
from torch import nn

from . import ROOT

WHEEL = "d2l==1.0.3"
SHA256 = "c625a01e66eb5d793a7e0a6f8582b1e1e35dfad02b5e77f3d2ab299d07177ba6"
FOLDER = ROOT / "_build" / "bench"
NAMES = {"masked_softmax", "DotProductAttention", "AdditiveAttention"}


def load():
    """Return a namespace with `NAMES` in it; exit with a sentence when the wheel can't be had."""
    file = FOLDER / "d2l-1.0.3-py3-none-any.whl"
    if not file.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", FOLDER]
        done = subprocess.run([*pip, WHEEL], capture_output=True, text=True)
        if done.returncode:
            sys.exit(
                f"The benchmarks compare with {WHEEL} from PyPI, and pip could not fetch it:\n"
                f"{done.stderr.strip()}\nWith a network, or with the wheel in {FOLDER}, try again."
            )
    if hashlib.sha256(file.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{file} is not the published {WHEEL}; remove it")
    with zipfile.ZipFile(file) as wheel:
        tree = ast.parse(wheel.read("d2l/torch.py"))
    tree.body = [node for node in tree.body if getattr(node, "name", None) in NAMES]
    peer = {"torch": torch, "nn": nn, "math": math}
    exec(compile(tree, WHEEL, "exec"), peer)
    return types.SimpleNamespace(**{name: peer[name] for name in NAMES})
