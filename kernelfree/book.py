"""What packages that are built on kernelfree may take from its inside: the words of readers, the
colours, still pictures, scripts, and the graph of a function.

The names stand in `book.pyi`; nothing is imported before it is used. What is in neither this module
nor the package itself may change with any version.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__package__, __file__)
