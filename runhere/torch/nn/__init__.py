"""torch.nn"""

from . import functional, init, utils
from .layers import *
from .module import Module, Parameter
from .multihead import MultiheadAttention

from .parameter import *  # isort: skip


def __getattr__(name):
    from ..core import Missing

    raise Missing(f"torch.nn.{name}")
