"""Libraries that a page does without: their names keep what they are given and draw nothing."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from torch.core import Missing


class Drawn:
    """A picture, or a part of one, that Python does not draw here."""

    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs

    def __repr__(self):
        return f"<{type(self).__name__}, not drawn here>"


class DrawnModule(ModuleType):
    """A module whose every name is something drawn."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (Drawn,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class NoNumPy(ModuleType):
    """NumPy's types, which code asks for; nothing is ever one of them."""

    def __init__(self, name):
        super().__init__(name)
        for kind in ("ndarray", "generic", "integer", "floating", "bool_"):
            setattr(self, kind, type(kind, (), {"__module__": "numpy"}))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Missing(f"numpy.{name}")


class Finder:
    """Finds modules that are drawn, by name or below one."""

    def __init__(self, drawn):
        self.drawn = drawn

    def find_spec(self, name, path=None, target=None):
        if name == "numpy" or any(name == one or name.startswith(f"{one}.") for one in self.drawn):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return (NoNumPy if spec.name == "numpy" else DrawnModule)(spec.name)

    def exec_module(self, module):
        pass


def do_without(drawn):
    """From now on, modules of these names, or below them, are drawn; NumPy has its types alone."""
    sys.meta_path.insert(0, Finder(tuple(drawn)))
