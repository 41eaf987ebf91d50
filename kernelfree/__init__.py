"""Figures that live without a kernel, from any Python function.

The names stand in `__init__.pyi`. Nothing needs PyTorch but live figures and traces.
"""

from importlib.util import find_spec

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
if find_spec("torch") is None:  # so that `from kernelfree import *` works
    __all__.remove("trace")
