"""A stand-in for PyTorch, made for this page: its names, on the page's own engine."""

from . import autograd, compiler, convert, indexing, jit, linalg, special
from .chance import *
from .core import *
from .core import FUNCTIONS, Tensor, lacking
from .dtypes import *
from .graph import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .joining import *
from .making import *
from .printing import set_printoptions
from .products import *

from . import nn, optim, utils  # isort: skip

globals().update(FUNCTIONS)
__version__ = "A stand-in for PyTorch, made for this page"
inference_mode = no_grad
strided = "torch.strided"
numel, is_floating_point = Tensor.numel, Tensor.is_floating_point


def is_autocast_enabled(device_type=None):
    return False


def set_num_threads(count):
    """A page has one."""


def get_num_threads():
    return 1


def is_autocast_cpu_enabled():
    return False


class SymInt:
    """No length is unknown here."""


__getattr__ = lacking("torch")
