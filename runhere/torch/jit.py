"""torch.jit: nothing is traced here."""


class TracerWarning(Warning):
    pass


def is_tracing():
    return False


is_scripting = is_tracing


def __getattr__(name):
    from .core import Missing

    raise Missing(f"torch.jit.{name}")
