"""The exercises of chapter 13, what heads do."""

import torch

from .checking import Exercise

for_people = Exercise(
    expected="5.8",
    example="0.2",
    praise="Try it on pairs that had no part in the choice: it wins again there.",
    slips={
        "that head is for animals; take the largest difference for people.": "5.11",
        "that is the second: its difference is smaller.": "5.2",
        "a large share is not enough: this head gives more to animals and vehicles.": "5.3",
        "that head looks at the token before, whatever it is.": "0.2",
    },
)

broken = Exercise(
    expected="C",
    praise="Nobody would say that a river can be tired. So the head does not go by the sense.",
    slips={
        "by the sense it would be A; but the animal keeps 0.39, the street gets 0.08.": "A",
        "with B the woman gets 0.41, the street 0.12.": "B",
        "with D the animal keeps 0.68, the street gets 0.04.": "D",
    },
)


def some_pairs(seed, pairs):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(pairs, 2, 2, generator=generator),)


def moved(weights):
    share = weights[..., 0] / weights.sum(dim=-1)  # (pairs, sentence), of noun 1
    return (share[:, 0] > share[:, 1]).sum()


pairs_moved = Exercise(
    cases=lambda: [some_pairs(8, 41), some_pairs(13, 52)],
    expected=moved,
    praise="With head 3.1 these are 14 of 21 pairs, by chance 10 or 11: a hint at the most.",
    slips={
        "that is the weight of the first noun. Its share is asked for.": (
            lambda weights: (weights[:, 0, 0] > weights[:, 1, 0]).sum()
        ),
        "that is the difference of the weights, not a share of their sum.": (
            lambda weights: (weights[:, 0].diff(dim=-1) < weights[:, 1].diff(dim=-1)).sum()
        ),
        "in these pairs the share rises.": lambda weights: len(weights) - moved(weights),
        "these are the pairs in which both sentences are right.": (
            lambda weights: (
                (weights[:, 0, 0] > weights[:, 0, 1]) & (weights[:, 1, 0] < weights[:, 1, 1])
            ).sum()
        ),
        "a number of pairs is asked for, not a share of them.": (
            lambda weights: moved(weights) / len(weights)
        ),
    },
)


def loose(seed, S, size, D):
    generator = torch.Generator().manual_seed(seed)
    weights = torch.rand(S, S, generator=generator).softmax(dim=-1)
    values = torch.randn(S, size, generator=generator)
    return weights, values, torch.randn(D, size, generator=generator)


def lengths(weights, values, W_o):
    return weights * (values @ W_o.T).norm(dim=-1)


brought = Exercise(
    cases=lambda: [loose(1, 4, 3, 5), loose(2, 3, 2, 6)],
    expected=lengths,
    praise="A weight times a length, for each pair of tokens.",
    slips={
        "the values have not gone through W_o.": (
            lambda weights, values, W_o: weights * values.norm(dim=-1)
        ),
        "column j of the result belongs to value j: the lengths stand along the last axis.": (
            lambda weights, values, W_o: weights * (values @ W_o.T).norm(dim=-1)[:, None]
        ),
        "that is the length of all pieces together; they may cancel. One for each pair.": (
            lambda weights, values, W_o: (weights @ values @ W_o.T).norm(dim=-1)
        ),
        "these are squares of lengths: the weight counts once.": (
            lambda weights, values, W_o: lengths(weights, values, W_o) ** 2
        ),
        "these are the lengths alone. Where is the weight?": (
            lambda weights, values, W_o: (values @ W_o.T).norm(dim=-1).expand(len(weights), -1)
        ),
        "these are shares of each row; the lengths themselves are asked for.": (
            lambda weights, values, W_o: (
                lengths(weights, values, W_o)
                / lengths(weights, values, W_o).sum(dim=-1, keepdim=True)
            )
        ),
    },
)

whole_layer = Exercise(
    expected=44.0,
    praise="Less than a third of the sum: angles add up only if all heads turn it the same way.",
    tolerance=0.012,
    slips={
        "that is the sum of the twelve heads, one by one. Switch them off together.": 138.9,
        "that is head 5.11 alone.": 33.3,
        "that is an angle in radians.": 0.77,
        "layers are counted from 0: the last one is layer 5.": 11.2,
        "that is 1 - cosine; torch.acos gives the angle.": 0.28,
    },
)
