"""What a page's Python has been held to; tests hold it to these lists, which tell pages what to offer."""

# Chapters of the book whose cells print there what the book shows.
CHAPTERS = range(1, 11)
# {chapter: places in its notebook} of cells that do not run there; may only shrink.
CANNOT = {8: [41, 44]}  # torch.utils.flop_counter, and what follows from it
