"""What runs a reader's cells in a page, beside the stand-in for PyTorch."""
