"""The exercises of chapter 1, queries, keys and values."""

import math

from .checking import Exercise

by_hand = Exercise(
    expected=25.0,
    praise="The exponentials are 2, 1 and 1, so the weights are 1/2, 1/4 and 1/4.",
    slips={
        "that weights the values with the scores; make weights of the scores first.": (
            40 * math.log(2)
        ),
        "the exponentials are right, but they are no weights yet: divide by their sum.": 100.0,
        "that is the plain mean; the first note has a higher score than the others.": 20.0,
        "that is the best note alone; the others have a weight too.": 40.0,
        "these are the weights; the answer is the sum of weight times value.": [0.5, 0.25, 0.25],
    },
)


seats = Exercise(
    expected="B",
    praise="From 3.1 to 4.1 seats. What the note of 8 loses, the two others gain.",
    slips={
        "a perfect match has no share by itself: the two other notes gain when the sharpness "
        "falls.": "A",
        "the weights still sum to 1: what one note loses, others gain.": "C",
        "it does rise, but not for this reason: the weights sum to 1, so they can't all grow.": "D",
    },
)


def scores_of(a, b, c):
    return [math.log(b / a), math.log(c / a)]


choose_scores = Exercise(
    expected=scores_of(2 / 9, 11 / 18, 1 / 6),
    praise="The weights are 2/9, 11/18 and 1/6, and differences of scores are logarithms of their "
    "ratios.",
    tolerance=1e-2,
    slips={
        "these are the weights of the notes of 8 and 10; their scores are asked for.": [
            11 / 18,
            1 / 6,
        ],
        "these are all three weights; two scores are asked for.": [2 / 9, 11 / 18, 1 / 6],
        "these are the ratios of the weights; by (1.5) take their logarithms.": [11 / 4, 3 / 4],
        "these are the logarithms of the weights. Shift all three scores so that the note of 7 has "
        "the score 0.": [math.log(11 / 18), math.log(1 / 6)],
        "the right size with the wrong sign: the note of 8 needs more weight than that of 7.": [
            -math.log(11 / 4),
            -math.log(3 / 4),
        ],
        "the right numbers in the wrong order: first the score of the note of 8.": [
            math.log(3 / 4),
            math.log(11 / 4),
        ],
    },
)

E = math.exp(-1)

duplicate = Exercise(
    expected=2 * E / (E**2 + 3 * E),
    praise="A note that stands twice counts twice: its share goes from 0.4223 to 0.5938. "
    "A dictionary would have kept one of the two.",
    tolerance=1e-3,
    slips={
        "that is the weight without the copy. A dictionary keeps one note for each key; here both "
        "are asked.": E / (E**2 + 2 * E),
        "that is twice the old weight. The copy has joined the sum below as well; the shares of "
        "the others go down.": 2 * E / (E**2 + 2 * E),
        "that is the weight of one of the two copies.": E / (E**2 + 3 * E),
        "that leaves out the note of 7 o'clock; it is farther, but it still has a share.": 2 / 3,
        "two of four notes, yes, but they don't share alike: the note of 7 o'clock has a lower "
        "score.": 0.5,
    },
)


without_exp = Exercise(
    expected=80 / 3,
    praise="The weights are 1/3, 0 and 2/3: the perfect match has no say, and the worst has most.",
    tolerance=1e-3,
    slips={
        "that is the softmax; here the exponential is left out.": 40.9346,
        "that is a sum of scores times values; divide by the sum of the scores, -3.": -80.0,
        "without the minus sign: the sum of the scores is -3, not 3.": -80 / 3,
        "that is the note of 8 alone. Its score is 0, so what is 0 / -3?": 50.0,
        "that is the plain mean; the scores are not equal.": 100 / 3,
    },
)

strongest = Exercise(
    expected=math.log(2),
    praise="At ln 2 = 0.69 the note has half of the weight; the pull is 25/4 minutes for each "
    "point.",
    tolerance=1e-2,
    slips={
        "with score 0 the note has one third of the weight; a little more makes it stronger.": 0.0,
        "that is its weight there; the score is asked for.": 0.5,
        "near, but not on the top; try smaller steps around it.": 1.0,
        "that is the pull itself; the score is asked for.": 6.25,
        "there the output has nearly arrived, and little is left to pull.": 3.0,
    },
)

sharp_enough = Exercise(
    cases=lambda: [(3, 1.0, 0.9), (10, 2.0, 0.5), (101, 0.5, 0.99)],
    expected=lambda m, gap, share: math.log((m - 1) * share / (1 - share)) / gap,
    praise="With ten times as many notes, sharpness times gap must grow by only ln 10, about 2.3.",
    slips={
        "there are m - 1 other notes, not m.": lambda m, gap, share: (
            math.log(m * share / (1 - share)) / gap
        ),
        "that holds for one other note; there are m - 1.": lambda m, gap, share: (
            math.log(share / (1 - share)) / gap
        ),
        "the gap divides: the wider it is, the less sharpness is needed.": lambda m, gap, share: (
            math.log((m - 1) * share / (1 - share)) * gap
        ),
        "the logarithm is missing: weights go with the exponential of the scores.": (
            lambda m, gap, share: (m - 1) * share / (1 - share) / gap
        ),
        "the fraction is upside down: this is the same number with a minus sign.": (
            lambda m, gap, share: -math.log((m - 1) * share / (1 - share)) / gap
        ),
    },
)
