"""The book's own part of chapter 6: scaled dot-product attention."""

import math

from .chapter_04 import weigh


def score(queries, keys):
    return queries @ keys.mT / math.sqrt(queries.shape[-1])


def attention(queries, keys, values, valid_lens=None):
    return weigh(score(queries, keys), valid_lens) @ values
