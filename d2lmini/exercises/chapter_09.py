"""The exercises of chapter 9, self-attention and its masks."""

import torch

from .checking import Exercise, Trained

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


def lengths_of(mask):
    counts = mask.sum(dim=-1)  # (queries,)
    rebuilt = torch.arange(mask.shape[-1]) < counts[:, None]  # (queries, keys)
    return torch.where((rebuilt == mask).all(dim=-1), counts, -1)


def rows(*rows):
    return (torch.tensor(rows, dtype=torch.bool),)


def last_seen(mask):
    return (mask * torch.arange(1, mask.shape[-1] + 1)).amax(dim=-1)


def no_empty_row(mask):
    return torch.where(mask.any(dim=-1), lengths_of(mask), -1)


def first_hidden(mask):
    return mask.long().cumprod(dim=-1).sum(dim=-1)


as_lengths = Exercise(
    cases=lambda: [
        rows([1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 1], [0, 0, 0, 0]),
        rows([1, 0, 0], [1, 1, 0], [1, 1, 1]),
        rows([0, 1], [1, 1], [0, 0]),
    ],
    expected=lengths_of,
    praise="Padding on the right and causal masks are lengths; holes and windows are not.",
    slips={
        "counting is not enough: a row with a hole, or one that begins hidden, must give -1.": (
            lambda mask: mask.sum(dim=-1)
        ),
        "that is the place of the last key that is seen. What of the hidden ones before it?": (
            last_seen
        ),
        "that counts the keys before the first hidden one. If others are seen after it, the "
        "answer is -1.": first_hidden,
        "a row that sees nothing has a length: 0.": no_empty_row,
        "the lengths belong to queries, which are the rows; these are columns.": (
            lambda mask: lengths_of(mask.T)
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
