"""The exercises of chapter {N}."""

import torch

from .checking import Exercise

by_hand = Exercise(
    expected=[0.25, 0.75],
    praise="The exponentials 1 and 3 share the whole.",
    slips={
        "these are the exponentials; divide them by their sum.": [1.0, 3.0],
        "the larger score gets the larger weight.": [0.75, 0.25],
        "these are shares of the scores; take exponentials first.": [0.0, 1.0],
    },
)

very_hot = Exercise(
    expected=0.2,
    praise="Equal scores, equal shares.",
    slips={
        "the weights must sum to 1.": 1.0,
        "the weights sum to 1, so they can't all vanish.": 0.0,
        "that is the share among four keys; there are five.": 0.25,
    },
)


weights = Exercise(
    cases=lambda: [(torch.tensor([[0.0, 1.0], [3.0, -1.0]]), 0.5), (torch.eye(3)[:2], 2.0)],
    expected=lambda scores, temperature: torch.softmax(scores / temperature, dim=-1),
    praise="Divide, then share out along the keys.",
    slips={
        "the softmax runs along the queries; each query's weights must sum to 1.": (
            lambda scores, temperature: torch.softmax(scores / temperature, dim=0)
        ),
        "you multiply by the temperature; divide by it.": (
            lambda scores, temperature: torch.softmax(scores * temperature, dim=-1)
        ),
        "you divide the weights; divide the scores, before the softmax.": (
            lambda scores, temperature: torch.softmax(scores, dim=-1) / temperature
        ),
    },
)

which_temperature = Exercise(
    expected=2.0,
    praise="A temperature of 2 takes the square root of every ratio.",
    slips={
        "at 1 the ratio is still 9.": 1.0,
        "that is the ratio that is wanted; the temperature is the root that makes it.": 3.0,
        "a temperature below 1 sharpens; here the ratio shrinks from 9 to 3.": 0.5,
    },
)

shifted = Exercise(
    expected=1.0,
    praise="The same factor stands above and below the fraction line.",
    slips={
        "that is how much the score grows.": 10.0,
        "the exponential grows so much; the sum below it does, too.": 22026.4658,
        "the weight stays as it is: its factor is not 0.": 0.0,
    },
)
