"""What a page's Python has been held to; tests hold it to these lists, which tell pages what to offer."""

# Chapters of the book whose cells print there what the book shows. Not here: 12 and 13 read a model from a file, 15
# runs other frameworks; their first cells import what a page does not have.
CHAPTERS = (*range(1, 12), 14, 16, 17, 18)
# {chapter: places in its notebook} of cells that do not run there; may only shrink.
CANNOT = {
    9: [29, 35, 37, 56],  # NumPy's random numbers, and what follows from them
    # recurrent layers, dates of many languages, and the writer of dates that learns from them
    11: [8, 17, 18, 23, 24, 26, 27, 29, 31, 33, 38, 40, 45, 47, 55, 59, 63, 84, 87, 95, 96],
    14: [33, 83, 85, 97],  # a thread's time, hooks, a function with its own gradient, a compiler
    16: [7, 30, 32, 34, 38, 39, 62, 93],  # a QR decomposition; sixty readers trained in one go, by torch.vmap
    17: [32, 49, 55, 58],  # random numbers of Dirichlet's; 53 trainings
}
# {chapter: {place: seconds}} of cells that take over 2 s there, on two quiet cores; those they need from above come on
# top. Of an exercise's cell: with a right answer.
SLOW = {
    6: {32: 25, 33: 29, 117: 4},
    7: {27: 5},
    8: {58: 11, 108: 3},
    9: {98: 165, 99: 165},
    10: {26: 10, 30: 32},
}
