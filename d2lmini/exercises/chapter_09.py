"""The exercises of chapter 9, self-attention and its masks."""

import torch
from torch import nn

from .checking import Exercise, Trained
from .step import NO_LENGTHS, Step
from .whole import attention

by_hand = Exercise(
    expected=[0.0, 6 / 7, 1 / 7, 0.0],
    praise="Slots 2 and 3 are real and not in the future, and 6 and 1 share the whole.",
    tolerance=1e-3,
    slips={
        "this row has only the causal mask. The first slot is padding.": (
            [2 / 9, 6 / 9, 1 / 9, 0.0]
        ),
        "this row has only the padding mask. The fourth slot comes after the third.": (
            [0.0, 6 / 10, 1 / 10, 3 / 10]
        ),
        "no mask is in this row.": [2 / 12, 6 / 12, 1 / 12, 3 / 12],
        "the mask is too late: after the softmax, what is left sums to 7/12.": (
            [0.0, 6 / 12, 1 / 12, 0.0]
        ),
        "a word may look at itself: j = i is allowed.": [0.0, 1.0, 0.0, 0.0],
        "the mask is the wrong way round: this word looks at all that it must not see.": (
            [2 / 5, 0.0, 0.0, 3 / 5]
        ),
    },
)

note = Exercise(
    expected=[-1.0, 2.0],
    praise="The same words, the same signs, another note: things are now what dog looks away from.",
    slips={
        "that is right for saw. The query of dog is 2 times the first number of the row.": (
            [-2.0, 2.0]
        ),
        "the two numbers have changed places: dog is (2, 0), so it takes the first one.": [
            2.0,
            -1.0,
        ],
        "here dog looks towards things; its dot products are to be below 0.": [1.0, 2.0],
        "the dot products are half of those wanted: the key of dog begins with 2.": [-0.5, 1.0],
        "these are queries, first numbers of saw and dog; the row that makes them is asked for.": (
            [2.0, -2.0]
        ),
    },
)


def see_the_question(words, question):
    place = torch.arange(words)
    return (place <= place[:, None]) | (place < question)


question_mask = Exercise(
    cases=lambda: [(5, 2), (6, 3), (4, 4), (3, 0)],
    expected=see_the_question,
    praise="The question's columns are open for all; the rest is causal.",
    slips={
        "the question's words can't see what follows them in the question.": (
            lambda words, question: torch.ones(words, words).tril().bool()
        ),
        "the answer sees the question, and nothing of itself.": (
            lambda words, question: (torch.arange(words) < question).expand(words, words)
        ),
        "the rows of the question are open as far as the end: it reads the answer.": (
            lambda words, question: (
                see_the_question(words, question) | (torch.arange(words) < question)[:, None]
            )
        ),
        "one column too many is open: the first word of the answer is seen by the question.": (
            lambda words, question: see_the_question(words, min(question + 1, words))
        ),
        "True and False are swapped: True means that the query may look.": (
            lambda words, question: ~see_the_question(words, question)
        ),
        "the diagonal is missing: a word may look at itself.": lambda words, question: (
            see_the_question(words, question) & ~torch.eye(words).bool()
        ),
    },
)


def causal(x, valid_lens=None):
    lens = torch.arange(1, x.shape[1] + 1).expand(len(x), -1)
    return lens if valid_lens is None else torch.minimum(lens, valid_lens[:, None])


class SelfAttention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.W_q = nn.Linear(size, size, bias=False)
        self.W_k = nn.Linear(size, size, bias=False)
        self.W_v = nn.Linear(size, size, bias=False)

    def forward(self, x, valid_lens=None):
        return attention(self.W_q(x), self.W_k(x), self.W_v(x), causal(x, valid_lens))


def sentences():
    for seed, (batch, words, size, lens) in enumerate(
        [(1, 4, 2, None), (2, 3, 4, (3, 2)), (2, 5, 3, (2, 5))]
    ):
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(batch, words, size, generator=generator)
        maps = torch.randn(3, size, size, generator=generator)
        yield (size,), maps, x, lens and torch.tensor(lens)


def seen(lens, x, valid_lens):
    """These lengths, and none that reaches into the padding."""
    return lens.clamp(max=x.shape[1]) if valid_lens is None else lens.minimum(valid_lens[:, None])


def looking(maps="qkv", lens=causal, after=lambda out: out):
    """A slip: with other maps, in the order query, key, value, or with other lengths."""

    def slip(sizes, weights, x, valid_lens):
        own = dict(zip("qkvx", [*weights, torch.eye(*sizes)], strict=True))
        return after(attention(*(x @ own[name].T for name in maps), lens(x, valid_lens)))

    return slip


step = Step(
    chapter=9,
    cases=lambda: list(sentences()),
    expected=SelfAttention,
    praise="Self-attention: three maps of the same words, and nobody reads the future.",
    slips={
        "the causal mask is missing: every word reads the future.": looking(lens=lambda x, n: n),
        "a word sees itself: word i, counted from 0, has the length i + 1.": looking(
            lens=lambda x, n: causal(x, n) - 1
        ),
        "a word sees the next one, too: word i, counted from 0, has the length i + 1.": looking(
            lens=lambda x, n: seen(causal(x) + 1, x, n)
        ),
        "the mask is turned round: the first word sees all, the last one only the first.": looking(
            lens=lambda x, n: seen(causal(x).flip(1), x, n)
        ),
        "the padding is seen: take the smaller of both lengths.": looking(
            lens=lambda x, n: causal(x)
        ),
        "this takes the larger of both lengths; what either hides is hidden.": looking(
            lens=lambda x, n: causal(x) if n is None else causal(x).maximum(n[:, None])
        ),
        "queries and keys have changed their maps.": looking("kqv"),
        "keys and values have changed their maps.": looking("qvk"),
        "queries and keys are made by the same map.": looking("qqv"),
        "keys and values are made by the same map.": looking("qkk"),
        "the values are the words themselves: W_v is missing.": looking("qkx"),
        "only the values pass through a map: W_q and W_k are missing.": looking("xxv"),
        "no map is used.": looking("xxx"),
        "all three maps are one and the same: each needs an nn.Linear of its own.": looking("vvv"),
    },
    within={
        "causal": Exercise(
            cases=lambda: [
                (torch.zeros(2, 4, 3), None),
                (torch.zeros(2, 4, 3), torch.tensor([3, 1])),
            ],
            expected=causal,
            praise="Lengths that grow from word to word.",
        )
    },
    failures={
        "the maps are called W_q, W_k and W_v: self.W_q = nn.Linear(size, size, bias=False).": (
            "has no attribute 'W_|'ellipsis'"
        ),
        "a module is made first: super().__init__() before all else.": "before Module.__init__",
        "valid_lens may be None: then the causal lengths count alone.": NO_LENGTHS,
        "lengths (batch, words) and (batch,) meet as (batch, words) and (batch, 1): [:, None].": (
            "must match|broadcast"
        ),
    },
)


hidden_by_mistake = Exercise(
    cases=lambda: [(2, 4), (3, 8), (1, 10), (5, 5)],
    expected=lambda queries, keys: queries * (keys - queries),
    praise="Each row is too short by the words of the cache. With no cache nothing is lost.",
    slips={
        "that is what one row loses; each of the queries loses as much.": (
            lambda queries, keys: keys - queries
        ),
        "that counts all that the mistake hides; the future is hidden rightly.": (
            lambda queries, keys: queries * keys - queries * (queries + 1) // 2
        ),
        "that counts what the switch lets through.": (
            lambda queries, keys: queries * (queries + 1) // 2
        ),
        "that counts what should be seen; part of it is.": lambda queries, keys: (
            queries * (keys - queries) + queries * (queries + 1) // 2
        ),
    },
)


reach = Exercise(
    cases=lambda: [(2, 4), (12, 5), (1, 4), (3, 1)],
    expected=lambda layers, width: layers * (width - 1) + 1,
    praise="Each layer carries news width - 1 words further than the one before.",
    slips={
        "one layer sees that far. In the next one, the words that it sees have seen others.": (
            lambda layers, width: width
        ),
        "the windows overlap: the word itself is counted once in each layer.": (
            lambda layers, width: layers * width
        ),
        "the windows lie side by side, so their reach adds up; it does not multiply.": (
            lambda layers, width: width**layers
        ),
        "the word itself belongs to what it can know of.": lambda layers, width: (
            layers * (width - 1)
        ),
        "this window looks back only. Nothing comes from the right.": lambda layers, width: (
            2 * layers * (width - 1) + 1
        ),
    },
)


# A text that is not in stories.py, in pieces of 33 letters: 32 are read, the last is guessed.
UNSEEN = """\
now a sheet may hold any number. hana feels strongly about everything. training is like hana: it
may make queries and keys as large as it likes. these chapters gave you the parts: arrows that
turn, numbers for distances, norms, caps, sinks. a published model is a choice of such parts. a
birdwatcher's field guide does not explain feathers; it helps to name a bird. this chapter is such
a guide, for 30 models. in the first layer, with plain turns and no windows, each line gives the
attention weights of the model's own code, a library of published models. a friend asks how your
days were. you do not tell all of them. you think of the question, look for the days that have to
do with it, and say a little of each. the more a day has to do with what was asked, the more of it
you tell. what you leave out is not lost: another question would find it.""".replace("\n", " ")
PIECES = [UNSEEN[start : start + 33] for start in range(0, len(UNSEEN) - 33, 5)]
FOLLOWS = {piece[:-1]: piece[1:] for piece in PIECES}

next_letter = Trained(
    cases=lambda: [(list(FOLLOWS),)],
    expected=lambda texts: [FOLLOWS[text] for text in texts],
    parts={"in the middle": slice(16, 17), "at the end": slice(31, 32)},
    enough=0.4,
    most=0.65,
    praise="It guesses as well at the end, where nothing follows, as in the middle.",
    # Measured: each slip, trained as in the chapter.
    slips={
        "The future leaks: in the middle it reads the letter that it has to guess, so the loss "
        "falls to almost 0. At the end there is nothing to read, and what it writes makes no "
        "sense.": ([1.0, 0.3]),
        "The future leaks a little: a hidden score of 0 is a score like any other, and exp(0) is "
        "1. It has to be minus infinity before the softmax.": [0.72, 0.31],
        "Nothing leaks, but it guesses hardly better than from the letter before alone. Do the "
        "weights depend on the scores?": [0.35, 0.33],
    },
)
