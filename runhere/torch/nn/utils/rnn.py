"""torch.nn.utils.rnn"""

from ...core import filled, lacking
from ...engine import refuse


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    refuse(padding_side != "right", "pad_sequence on the left")
    longest = max([x.shape[0] for x in sequences])
    out = filled([len(sequences), longest, *sequences[0].shape[1:]], padding_value, sequences[0].dtype)
    for i, x in enumerate(sequences):
        out[i, : x.shape[0]] = x
    return out if batch_first else out.transpose(0, 1)


def pack_padded_sequence(*args, **kwargs):
    refuse(True, "packed sequences")


pad_packed_sequence = pack_padded_sequence
__getattr__ = lacking("torch.nn.utils.rnn")
