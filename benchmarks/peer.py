"""The code that we compare with: the attention classes of Dive into Deep Learning's own package.

Its wheel comes from PyPI when the benchmarks first run, and is kept in `_build`; pip takes it only
if its hash is the one below. Only the definitions that are needed are compiled: importing the whole
module needs torchvision and more.
"""

import ast
import inspect
import math
import subprocess
import sys
import types

import torch
from torch import nn

from . import ROOT

WHEEL = "d2l==1.0.3"
SHA256 = "c625a01e66eb5d793a7e0a6f8582b1e1e35dfad02b5e77f3d2ab299d07177ba6"
FOLDER = ROOT / "_build" / "bench"
NAMES = {"masked_softmax", "DotProductAttention", "AdditiveAttention"}


def load(names=NAMES):
    """Return a module with these names; exit with a sentence when the wheel can't be had."""
    file = FOLDER / "d2l" / "torch.py"
    if not file.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", FOLDER]
        wheel = f"{WHEEL} --hash=sha256:{SHA256}"
        if subprocess.run([*pip, "-r", "/dev/stdin"], input=wheel, text=True).returncode:
            sys.exit(f"The benchmarks compare with {WHEEL} from PyPI, and pip could not fetch it.")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", None) in names]
    peer = types.ModuleType("d2l")
    vars(peer).update(torch=torch, nn=nn, nn_Module=nn.Module, math=math, inspect=inspect, d2l=peer)
    vars(peer).update({name: getattr(torch, name) for name in ("arange", "zeros", "float32")})
    exec(compile(tree, WHEEL, "exec"), vars(peer))
    return peer
