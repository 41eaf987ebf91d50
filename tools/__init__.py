"""The commands behind `make`, each run as `python -m tools.NAME`."""
