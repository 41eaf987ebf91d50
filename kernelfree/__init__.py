"""Figures that live without a kernel, from any Python function.

The names stand in `__init__.pyi`. Nothing needs PyTorch but live figures and traces.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
