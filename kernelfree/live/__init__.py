"""Live figures: the page runs the function itself, which PyTorch writes down as steps."""

try:
    import torch as torch
except ImportError as error:
    raise ImportError("live figures need PyTorch, which is missing: pip install torch") from error
