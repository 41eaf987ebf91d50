"""torch.autograd"""

from .graph import functional, grad

__all__ = ["functional", "grad"]


def __getattr__(name):
    from .core import Missing

    raise Missing(f"torch.autograd.{name}")
