"""torch.utils"""

from ..core import lacking

__getattr__ = lacking("torch.utils")
