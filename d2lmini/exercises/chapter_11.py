"""The exercises of chapter 11, learning to align."""

import torch

from .checking import Exercise

read_off = Exercise(
    expected="1999-03-07",
    praise="Day and month are read from each other's places: the American way of writing.",
    slips={
        "that is what the text means. The question is what comes out of these weights.": (
            "1999-07-03"
        ),
        "that would be one place for month and day. Look again at the last two rows.": (
            "1999-03-03"
        ),
        "the month comes from where the two rows after the first - have their weight.": (
            "1999-07-07"
        ),
        "that is the text from left to right. The rows say in which order it is read.": (
            "03-07-1999"
        ),
    },
)

score_gradient = Exercise(
    expected=[0.0, -2.0, 2.0],
    praise="The score of the 8 goes up, that of the 0 goes down, and the 4 changes nothing.",
    tolerance=1e-3,
    slips={
        "the weights are missing: a score whose weight is small learns little.": [0.0, -8.0, 8.0],
        "g has the wrong sign: it is the context minus what was wanted.": [0.0, 2.0, -2.0],
        "take the context from each value first: what counts is who helps more than the average.": (
            [-4.0, -4.0, 0.0]
        ),
        "that is the derivative by the values: weight times g. The scores are asked for.": (
            [-1.0, -0.5, -0.5]
        ),
    },
)


stuck = Exercise(
    expected=[1.0, 0.0, 0.0],
    praise="Each score has a factor of 0: its weight, or the value minus the context.",
    tolerance=1e-3,
    slips={
        "the context is 4, and it could learn: the score of the 8 goes up, that of the 0 down.": (
            [0.0, 0.5, 0.5]
        ),
        "no score moves, but the context is 8: there is nothing to learn.": [0.0, 1.0, 0.0],
        "no score moves, but the context is 0, not 4.": [0.0, 0.0, 1.0],
        "the context is 4, and all three weights are large enough to learn.": (
            [1 / 3, 1 / 3, 1 / 3]
        ),
        "weights, not scores, are asked for; they sum to 1.": [0.0, 0.0, 0.0],
    },
)


no_such_day = Exercise(
    expected="1999-06-31",
    praise="It has learned to copy the digits of a day, and no calendar.",
    slips={
        "that is what a calendar says. Nothing in the loss has taught one.": "1999-07-01",
        "that is the nearest day that there is. No text in training asked for a correction.": (
            "1999-06-30"
        ),
        "no text in training was refused, so it has not learned to refuse.": "0000-00-00",
        "the first digit of a day may well be a 3: it was, in 30 and 31.": "1999-06-01",
        "the letters say june, whatever the day is.": "1999-05-31",
    },
)


def weights_of(seed):
    return torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(seed)).softmax(dim=-1)


def one_hot(places, like):
    return torch.zeros_like(like).scatter(-1, places, 1.0)


def hard(weights):
    return one_hot(weights.argmax(dim=-1, keepdim=True), weights)


harden = Exercise(
    cases=lambda: [(weights_of(1),), (weights_of(2),)],
    expected=hard,
    praise="A 1 at the largest weight of each query, 0 elsewhere.",
    slips={
        "these are the places of the largest weights. Weights of the same shape are asked for.": (
            lambda weights: weights.argmax(dim=-1)
        ),
        "the largest weight keeps its size here: the row no longer sums to 1.": (
            lambda weights: weights * hard(weights)
        ),
        "the 1 stands at the largest query of each key. Each query chooses a key.": (
            lambda weights: hard(weights.mT).mT
        ),
        "this rounds: a row whose largest weight is below one half loses all of it.": (
            lambda weights: weights.round()
        ),
    },
)


def spoiled():
    """p(first) and p(second | first): the likeliest first character has no likely second one."""
    return torch.tensor([0.6, 0.4]), torch.tensor([[0.5, 0.5], [0.1, 0.9]])


def plain():
    """The same, where the likeliest first character begins the best pair."""
    return torch.tensor([0.9, 0.1]), torch.tensor([[0.6, 0.4], [0.05, 0.95]])


def tempting():
    """The same, with a sure second character after an unlikely first one."""
    after = torch.tensor([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3], [0.0, 0.0, 1.0]])
    return torch.tensor([0.5, 0.3, 0.2]), after


def pair(first, second):
    joint = first[:, None] * second  # (characters, characters)
    return list(divmod(int(joint.argmax()), second.shape[1]))


def one_after_another(first, second):
    i = int(first.argmax())
    return [i, int(second[i].argmax())]


best_pair = Exercise(
    cases=lambda: [spoiled(), plain(), tempting()],
    expected=pair,
    praise="The best pair may begin with a character that is not the best.",
    slips={
        "that is greedy decoding: the best first character may have no good second one.": (
            one_after_another
        ),
        "the largest p(second | first) forgets how probable the first character is.": (
            lambda first, second: list(divmod(int(second.argmax()), second.shape[1]))
        ),
        "probabilities of one character after another are multiplied, not added.": (
            lambda first, second: list(
                divmod(int((first[:, None] + second).argmax()), second.shape[1])
            )
        ),
        "the second character is the likeliest on the whole, whatever stands before it.": (
            lambda first, second: [pair(first, second)[0], int((first @ second).argmax())]
        ),
    },
)
