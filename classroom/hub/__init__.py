"""A JupyterHub for a class: its settings, and a trial of it."""
