"""What a page's Python has been held to; tests hold it to these lists, which tell pages what to offer."""

# Chapters of the book whose cells print there what the book shows.
CHAPTERS = range(1, 11)
# {chapter: places in its notebook} of cells that do not run there; may only shrink.
CANNOT = {
    9: [29, 35, 37, 56],  # NumPy's random numbers, and what follows from them
    14: [33, 73, 75, 81],  # a thread's time, hooks, a function with its own gradient, a compiler
}
# {chapter: {place: seconds}} of cells that take over 2 s there.
SLOW = {}
