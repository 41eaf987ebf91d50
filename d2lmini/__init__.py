"""Attention scoring functions, the masks they need, and figures that outlive the kernel.

Nothing is imported before it is used: `import d2lmini` costs no more than a dictionary. The names
stand in `__init__.pyi`, for editors and for this.
"""

from importlib.metadata import PackageNotFoundError, version

import lazy_loader

__getattr__, _, _names = lazy_loader.attach_stub(__name__, __file__)
__all__ = [name for name in _names if name not in ("diagrams", "toy")]  # the chapters' own


def __dir__():
    return sorted(__all__)


try:  # pyproject.toml alone says which it is
    __version__ = version("d2lmini")
except PackageNotFoundError:  # run from a copy of the files
    __version__ = "0+not-installed"
