"""What of the book's own modules a page has no use for: they draw."""

DRAWN = ["kernelfree", "matplotlib", *[f"d2lmini.{name}" for name in ("figures", "roles", "diagrams", "heatmaps")]]
# Below these names, but needed: they say words.
KEPT = ["kernelfree", "kernelfree.book", "kernelfree.language", "kernelfree.notebook"]
