"""torch.nn.utils.rnn"""

from ...core import lacking
from ...engine import refusal
from ...making import full


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    if padding_side != "right":
        raise refusal("pad_sequence on the left")
    longest = max([x.shape[0] for x in sequences])
    shape = [len(sequences), longest, *sequences[0].shape[1:]]
    out = full(shape, padding_value, dtype=sequences[0].dtype)
    for i, x in enumerate(sequences):
        out[i, : x.shape[0]] = x
    return out if batch_first else out.transpose(0, 1)


def pack_padded_sequence(*args, **kwargs):
    raise refusal("packed sequences")


pad_packed_sequence = pack_padded_sequence
__getattr__ = lacking("torch.nn.utils.rnn")
