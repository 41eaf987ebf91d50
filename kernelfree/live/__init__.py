"""Live figures: the page runs the author's function itself, for any value of a control."""
