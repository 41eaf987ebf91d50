"""The code that we compare with: the attention classes of Dive into Deep Learning's own package.

Its wheel is fetched from PyPI when the benchmarks run and kept in the temporary folder. Only the
definitions that are needed are compiled: importing the whole module needs torchvision and more.
"""

import ast
import math
import subprocess
import sys
import tempfile
import types
import zipfile
from pathlib import Path

import torch
from torch import nn

WHEEL = "d2l==1.0.3"
NAMES = {"masked_softmax", "DotProductAttention", "AdditiveAttention"}


def load():
    """Return a namespace with `NAMES` in it; exit with a sentence when the wheel can't be had."""
    folder = Path(tempfile.gettempdir()) / "d2lmini-benchmarks"
    if not list(folder.glob("d2l-*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder]
        done = subprocess.run([*pip, WHEEL], capture_output=True, text=True)
        if done.returncode:
            sys.exit(
                f"The benchmarks compare with {WHEEL} from PyPI, and pip could not fetch it:\n"
                f"{done.stderr.strip()}\nWith a network, or with the wheel in {folder}, try again."
            )
    with zipfile.ZipFile(next(folder.glob("d2l-*.whl"))) as wheel:
        tree = ast.parse(wheel.read("d2l/torch.py"))
    tree.body = [node for node in tree.body if getattr(node, "name", None) in NAMES]
    peer = {"torch": torch, "nn": nn, "math": math}
    exec(compile(tree, WHEEL, "exec"), peer)
    return types.SimpleNamespace(**{name: peer[name] for name in NAMES})
