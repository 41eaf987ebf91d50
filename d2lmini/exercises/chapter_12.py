"""The exercises of chapter 12, rebuild a real model."""

import math

import torch

from .checking import Exercise
from .step import Step

normalised = Exercise(
    expected=[-1.0, -1.0, 1.0, 1.0],
    praise="A positive factor or a shift of the column changes nothing: mean 0, mean square 1.",
    tolerance=1e-3,
    slips={
        "the factor of 100 is in the root, too, and goes away by the division.": [
            -100.0,
            -100.0,
            100.0,
            100.0,
        ],
        "the mean is taken off, so the 5 goes with it.": [4.0, 4.0, 6.0, 6.0],
        "divide by the root of the mean square, not by the mean square.": [
            -0.005,
            -0.005,
            0.005,
            0.005,
        ],
        "the mean has not been taken off.": [1.525, 1.525, 3.525, 3.525],
        "the mean is taken off. Now divide by the root of the mean square.": [
            -200.0,
            -200.0,
            200.0,
            200.0,
        ],
        "the sum of squares is divided by D, which is 4, not by D - 1.": [
            -math.sqrt(3) / 2,
            -math.sqrt(3) / 2,
            math.sqrt(3) / 2,
            math.sqrt(3) / 2,
        ],
    },
)

no_places = Exercise(
    expected=1.0,
    praise="The same bag of tokens, so the same columns in another order, and the same mean.",
    tolerance=0.002,
    slips={
        "that is the cosine with the places in place.": 0.97,
        "nothing makes the two perpendicular: they have all their words in common.": 0.0,
        "the cosine of opposite directions is -1. What would turn a mean around?": -1.0,
    },
)


def tokens_and_lengths(seed, *lens):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(len(lens), max(lens) + 1, 4, generator=generator), torch.tensor(lens)


def real(Z, lens):
    return (torch.arange(Z.shape[1]) < lens[:, None])[..., None]  # (B, S, 1)


def largest(Z, lens):
    return Z.masked_fill(~real(Z, lens), -torch.inf).amax(dim=1)


max_pool = Exercise(
    cases=lambda: [tokens_and_lengths(1, 2, 5, 3), tokens_and_lengths(2, 4, 1)],
    expected=largest,
    praise="What is hidden by minus infinity can never be the largest.",
    slips={
        "padding takes part.": lambda Z, lens: Z.amax(dim=1),
        "padding was made 0, and 0 can be the largest: fill it with minus infinity.": (
            lambda Z, lens: (Z * real(Z, lens)).amax(dim=1)
        ),
        "one token too many: places are counted from 0, so real is < and not <=.": (
            lambda Z, lens: largest(Z, lens + 1)
        ),
        "that is the mean over the real tokens.": (
            lambda Z, lens: (Z * real(Z, lens)).sum(dim=1) / lens[:, None]
        ),
        "that is the first token alone.": lambda Z, lens: Z[:, 0],
        "the largest of each number is asked for, over tokens, which are axis 1.": (
            lambda Z, lens: Z.amax(dim=-1)
        ),
        "that is the smallest of each number.": (
            lambda Z, lens: Z.masked_fill(~real(Z, lens), torch.inf).amin(dim=1)
        ),
    },
)

too_short = Exercise(
    expected=0.98,
    praise="One token fewer of 7 to 14 hardly moves a mean; and a test that asks for cosines "
    "above 0.95 would have missed the mistake.",
    tolerance=0.004,
    slips={
        "here only the mean is too short, or only the softmax; make both too short.": 0.99,
        "these would be the same: nothing was too short.": 1.0,
        "that is a batch with no mask in the softmax; here the lengths are too short.": 0.95,
    },
)


step = Step(
    chapter=12,
    expected=[-0.0520, -0.0344, -0.0558, 0.0099, -0.0515, 0.0240],
    praise="A published model runs on the attention that you wrote.",
    tolerance=2e-4,
    slips={
        "valid_lens did not come through: the padding takes part.": [
            *(-0.0276, -0.0332, -0.0579, 0.0009, -0.0662, 0.0330),
        ],
        "W_q and W_k have changed places.": [-0.0645, 0.0124, -0.0391, 0.0282, -0.0654, -0.0376],
        "W_k and W_v have changed places.": [0.0219, 0.0375, -0.0506, -0.0069, -0.0311, -0.0051],
        "W_o does nothing here.": [0.0331, -0.0149, -0.0988, -0.0056, -0.0395, 0.0228],
        "this is a single head; the model has 12.": [
            *(0.0367, -0.0530, -0.0465, 0.0061, -0.0477, 0.0147),
        ],
        "the weights are the model's, its biases are not: hand over the maps, not their weights.": [
            *(-0.0694, 0.0142, 0.0152, 0.0464, -0.0007, 0.0433),
        ],
        "that is the first sentence; the second one is asked for.": [
            *(-0.0763, -0.1330, 0.1059, 0.0052, -0.0649, -0.0275),
        ],
    },
)
