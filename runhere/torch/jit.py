"""torch.jit: nothing is traced here."""

from .core import lacking


class TracerWarning(Warning):
    pass


def is_tracing():
    return False


is_scripting = is_tracing


__getattr__ = lacking("torch.jit")
