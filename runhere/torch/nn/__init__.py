"""torch.nn"""

from ..core import lacking
from . import functional, init, utils
from .layers import *
from .module import Module, Parameter
from .multihead import MultiheadAttention

from .parameter import *  # isort: skip


__getattr__ = lacking("torch.nn")
