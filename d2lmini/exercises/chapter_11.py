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


def weights_and_parts(seed):
    generator = torch.Generator().manual_seed(seed)
    weights = torch.randn(5, 7, generator=generator).softmax(dim=-1)  # (queries, keys)
    rows = torch.tensor([True, True, False, False, True])
    columns = torch.tensor([False, True, True, False, False, False, True])
    return weights, rows, columns


def share_of(weights, rows, columns):
    return weights[rows][:, columns].sum(dim=1).mean()


share = Exercise(
    cases=lambda: [weights_and_parts(1), weights_and_parts(2)],
    expected=share_of,
    praise="A sum along the keys, then a mean over the queries.",
    slips={
        "the mean over the keys depends on how many there are. A share is a sum.": (
            lambda weights, rows, columns: weights[rows][:, columns].mean()
        ),
        "that is the sum over all rows. Divide by their number.": (
            lambda weights, rows, columns: weights[rows][:, columns].sum()
        ),
        "only the chosen rows count. This is the mean over all of them.": (
            lambda weights, rows, columns: weights[:, columns].sum(dim=1).mean()
        ),
        "this divides by the number of all rows, also of those that are not chosen.": (
            lambda weights, rows, columns: weights[rows][:, columns].sum() / len(weights)
        ),
        "that is the weight on the other characters.": (
            lambda weights, rows, columns: 1 - share_of(weights, rows, columns)
        ),
        "the largest weight is not the share: three characters may hold a third each.": (
            lambda weights, rows, columns: weights[rows][:, columns].amax(dim=1).mean()
        ),
    },
)


def dates(*pairs):
    wrong, right = zip(*pairs, strict=True)
    digits = [[[ord(c) for c in text] for text in side] for side in (wrong, right)]
    return torch.tensor(digits[0]), torch.tensor(digits[1])


def exact_match(written, wanted):
    return (written == wanted).all(dim=1).float().mean()


exact = Exercise(
    cases=lambda: [
        dates(
            ("1999-06-12", "1999-06-12"),
            ("1999-06-12", "1999-07-12"),
            ("2001-01-01", "2001-01-01"),
        ),
        dates(
            ("2024-02-29", "2024-02-29"),
            ("2024-02-29", "2024-02-28"),
            ("1972-11-17", "1972-11-17"),
            ("1911-09-11", "2011-09-11"),
        ),
    ],
    expected=exact_match,
    praise="One wrong character, and the whole date is wrong.",
    slips={
        "that is the fraction of characters. Nine right ones out of ten are still a wrong date.": (
            lambda written, wanted: (written == wanted).float().mean()
        ),
        "that is a number of dates. Divide by how many there are.": (
            lambda written, wanted: (written == wanted).all(dim=1).float().sum()
        ),
        "a date counts if all of its characters are right, not if any is.": (
            lambda written, wanted: (written == wanted).any(dim=1).float().mean()
        ),
        "this goes over the dates and keeps the characters: the wrong axis.": (
            lambda written, wanted: (written == wanted).all(dim=0).float().mean()
        ),
        "that is the fraction of wrong dates.": (
            lambda written, wanted: 1 - exact_match(written, wanted)
        ),
    },
)


def write_on(table, start, length):
    written, last = [], start
    for _ in range(length):
        last = int(table[last].argmax())
        written.append(last)
    return written


def table(seed, size):
    return torch.randn(size, size, generator=torch.Generator().manual_seed(seed))


def chances(seed, start, length):
    # From every character to another one, in a round that does not come back too soon.
    order = torch.randperm(8, generator=torch.Generator().manual_seed(seed))
    scores = table(seed, 8) / 10
    scores[order, order.roll(-1)] += 5
    return scores, start, length


greedy = Exercise(
    cases=lambda: [chances(1, 0, 5), chances(2, 3, 6), chances(4, 7, 4)],
    expected=write_on,
    praise="Each character is read back before the next one is written.",
    slips={
        "the start is not a character of the answer: it only stands before the first one.": (
            lambda table, start, length: [start, *write_on(table, start, length - 1)]
        ),
        "every step reads the start. Read what was written last.": (
            lambda table, start, length: write_on(table, start, 1) * length
        ),
        "the rows are what was written, the columns what comes next.": (
            lambda table, start, length: write_on(table.T, start, length)
        ),
        "greedy takes the most probable character, with the highest score.": (
            lambda table, start, length: write_on(-table, start, length)
        ),
        "one character too few is written.": (
            lambda table, start, length: write_on(table, start, length - 1)
        ),
        "this reads 0, 1, 2 and so on, as if these had been written: that is forcing.": (
            lambda table, start, length: [int(table[i].argmax()) for i in range(length)]
        ),
    },
)
