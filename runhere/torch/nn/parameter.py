"""torch.nn.parameter"""

from .layers import UninitializedParameter
from .module import Parameter

__all__ = ["Parameter", "UninitializedParameter"]
