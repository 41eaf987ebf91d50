"""torch.autograd"""

from .core import lacking
from .graph import functional, grad

__all__ = ["functional", "grad"]


__getattr__ = lacking("torch.autograd")
