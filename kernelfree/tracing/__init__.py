"""What trace() is made of: a function as steps, its lines, and how they look."""
