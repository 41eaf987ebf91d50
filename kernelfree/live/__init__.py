"""Live figures: the page runs the function itself, which PyTorch writes down as steps."""

try:
    import torch as torch
except ImportError as error:
    raise ImportError(
        "live=True needs PyTorch, which is not installed: pip install torch"
    ) from error
