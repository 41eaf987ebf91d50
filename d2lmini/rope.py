"""Rotary positions: pairs of numbers of queries and keys turn by angles that grow with places."""

import inspect
import math
import sys
from numbers import Real

import torch
from torch import Tensor

from .checks import check_size, in_float32


def rotary_frequencies(
    rotary_dim: int,
    base: float | None = None,
    rope_parameters: dict | None = None,
    *,
    seq_len: int | None = None,
) -> Tensor:
    """How far each pair of numbers turns from one place to the next.

    Parameters
    ----------
    rotary_dim : int
        How many numbers of a query or a key turn, an even number. With a `partial_rotary_factor`
        among the `rope_parameters`: the size of a head.
    base : float, optional
        Above 1: the slowest pair turns almost `base` times as slowly as the first. Not given: the
        `rope_theta` of `rope_parameters`, or 10,000.
    rope_parameters : dict, optional
        What a configuration says, such as ``{"rope_type": "linear", "factor": 4.0}``. The types:
        `default`; `linear`, position interpolation; `dynamic`, NTK for `seq_len` words, which
        wants the file's `max_position_embeddings` among these; `yarn`, with a ramp over the
        numbers of the pairs, as published; `llama3`, with a ramp over the turns that a pair makes
        in a text of training, as YaRN is derived; `proportional`, a part of the pairs at the
        speeds of all. Numbers for `rotary_scale` may stand there, too.
    seq_len : int, optional
        How many words the text has, for `dynamic`; as many as in training if not given.

    Returns
    -------
    Tensor of float64, (pairs,)
        Radians per place: base^(-2 m / rotary_dim) for pair m = 0, 1, ..., or what the type makes
        of them. With `proportional` the last ones are 0.

    Raises
    ------
    ValueError, TypeError
        When `rotary_dim` is not an even integer of at least 2, `base` is not above 1, or
        `rope_parameters` have a type or a name that is not modelled here, or lack one.

    Notes
    -----
    Equations (16.4) and (16.7). Su and others, RoFormer, 2021, section 3.2.2. Peng and others,
    YaRN, 2023, section 3. The names are those of `transformers`.

    Examples
    --------
    >>> rotary_frequencies(4, rope_parameters={"rope_type": "linear", "factor": 4.0})
    tensor([0.2500, 0.0025], dtype=torch.float64)
    """
    kind, told = check_rope(rope_parameters) if rope_parameters else (plain, {})
    theta, part = told.pop("rope_theta", None), told.pop("partial_rotary_factor", 1)
    if base is not None and theta not in (None, base):
        raise ValueError(f"base must be the rope_theta of rope_parameters, {theta}, got {base}")
    base = base if base is not None else theta or 10_000.0
    if not base > 1:
        raise ValueError(f"base must be above 1, got {base}")
    check_size("rotary_dim", rotary_dim)
    if kind is proportional:
        told["part"], part = part, 1
    if kind is dynamic:
        told["seq_len"] = seq_len
    turning = rotary_dim if part == 1 else int(part * rotary_dim)
    if turning % 2 or turning < 2:
        raise ValueError(f"rotary_dim must be even, since numbers turn in pairs, got {turning}")
    return kind(turning, base, **told)


def rotary_scale(rope_parameters: dict) -> float:
    """What turned queries and keys are multiplied by, each: YaRN's factor, 1 for other types.

    Parameters
    ----------
    rope_parameters : dict
        As in `rotary_frequencies`. An `attention_factor` among them is the number; `mscale` and
        `mscale_all_dim` make it a ratio.

    Returns
    -------
    float
        For a turned Tensor, (batch, ..., rows, d): 0.1 ln s + 1 where texts are s times as long.
        A score gets the square of it.

    Raises
    ------
    ValueError, TypeError
        As in `rotary_frequencies`.

    Notes
    -----
    The factor beside equation (16.7). Peng and others, YaRN, 2023, section 3.4.
    """
    kind, _ = check_rope(rope_parameters)
    if kind is not yarn:
        return 1.0
    told, s = rope_parameters, rope_parameters["factor"]
    if told.get("attention_factor") is not None:
        return float(told["attention_factor"])
    over, under = told.get("mscale"), told.get("mscale_all_dim")

    def factor(times):
        return 0.1 * times * math.log(s) + 1 if s > 1 else 1.0

    return factor(over) / factor(under) if over and under else factor(1)


def rotary(
    x: Tensor,
    positions: Tensor | None = None,
    *,
    frequencies: Tensor | None = None,
    interleaved: bool = False,
) -> Tensor:
    """Turn pairs of numbers of queries or keys by angles that grow with their positions.

    The dot product of a turned query and a turned key depends on their positions only through
    the difference. Values are not turned; where keys serve as values, too, turn the output back by
    the query's position.

    Parameters
    ----------
    x : Tensor, (batch, ..., rows, d)
        Queries or keys.
    positions : Tensor, (rows,) or (batch, rows), optional
        0, 1, 2, ... if not given. With a cache, or padding on the left, say them.
    frequencies : Tensor, (pairs,), optional
        Radians per place for each pair; ``rotary_frequencies(d)`` if not given. Fewer than d / 2:
        what is left of the d numbers stays as it is.
    interleaved : bool
        Whether a pair is (2m, 2m + 1), as in the paper, or (m, m + pairs), as in most published
        weights. Weights of one kind give wrong scores with the other, without any error.

    Returns
    -------
    Tensor, (batch, ..., rows, d)
        In the type of `x`; half types are turned in float32.

    Raises
    ------
    ValueError, TypeError
        When shapes or types don't fit together.

    Notes
    -----
    Equations (16.3) and (16.4). Su and others, RoFormer, 2021, section 3.4.2.

    Examples
    --------
    >>> q, k = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[0.6, 0.8]]])
    >>> for i, j in [(5, 2), (105, 102)]:
    ...     q_i, k_j = rotary(q, torch.tensor([i])), rotary(k, torch.tensor([j]))
    ...     print(f"{(q_i * k_j).sum():.4f}")
    -0.4811
    -0.4811
    """
    check_rows(x)
    d = x.shape[-1]
    frequencies = rotary_frequencies(d) if frequencies is None else frequencies
    if frequencies.dim() != 1 or 2 * len(frequencies) > d:
        raise ValueError(
            f"frequencies must have the shape (pairs,) with at most {d // 2} pairs for the {d} "
            f"numbers of a row, got {tuple(frequencies.shape)}"
        )
    positions = check_positions(positions, x)  # (batch or 1, 1, ..., rows)
    (turned,) = in_float32(x[..., : 2 * len(frequencies)])
    # In float64: far places are large numbers, and digits of an angle behind the point count.
    angles = positions.unsqueeze(-1) * frequencies.to(x.device, widest(x.device))
    cos, sin = angles.cos().to(turned), angles.sin().to(turned)  # (batch or 1, 1, ..., rows, pairs)
    pairs = turned.unflatten(-1, (-1, 2) if interleaved else (2, -1))
    a, b = pairs.unbind(-1 if interleaved else -2)  # (batch, ..., rows, pairs) each
    both = a * cos - b * sin, a * sin + b * cos
    turned = torch.stack(both, dim=-1 if interleaved else -2).flatten(-2)
    return torch.cat([turned.to(x.dtype), x[..., 2 * len(frequencies) :]], dim=-1)


# ---- the types of speeds: a definition's keywords are what a configuration must or may say ------


def plain(d, base):
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # (d / 2,)


def linear(d, base, *, factor):
    return plain(d, base) / factor


def dynamic(d, base, *, factor, max_position_embeddings, seq_len=None):
    longer = max(1, (seq_len or 0) / max_position_embeddings)
    return plain(d, base * (factor * longer - factor + 1) ** (d / max(1, d - 2)))


def yarn(
    d,
    base,
    *,
    factor,
    original_max_position_embeddings,
    beta_fast=32,
    beta_slow=1,
    truncate=True,
):
    def pair(turns):  # which makes so many turns in a text of training
        return (
            d
            * math.log(original_max_position_embeddings / (2 * math.pi * turns))
            / (2 * math.log(base))
        )

    first, last = pair(beta_fast), pair(beta_slow)
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, d - 1)
    m = torch.arange(d // 2, dtype=torch.float64)
    slowed = ((m - first) / ((last - first) or 0.001)).clamp(0, 1)  # 0: as in training
    return plain(d, base) * (1 - slowed + slowed / factor)


def llama3(d, base, *, factor, low_freq_factor, high_freq_factor, original_max_position_embeddings):
    turns = original_max_position_embeddings * plain(d, base) / (2 * math.pi)
    kept = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0, 1)
    return plain(d, base) * (kept + (1 - kept) / factor)


def proportional(d, base, *, factor=1, part=1):
    turn = torch.arange(d // 2) < int(part * d // 2)
    return plain(d, base) * turn / factor


KINDS = {"default": plain} | {
    kind.__name__: kind for kind in (linear, dynamic, yarn, llama3, proportional)
}
ANYWHERE = {"rope_theta", "partial_rotary_factor"}  # what every type may say, or leave unused
ANYWHERE |= {"max_position_embeddings", "original_max_position_embeddings"}
SCALES = {"attention_factor", "mscale", "mscale_all_dim"}  # what `rotary_scale` reads of yarn's


# ---- what came -----------------------------------------------------------------------------------


def check_rope(rope_parameters):
    """Return the kind of speeds and what is told of them; raise unless this models all of it."""
    if not isinstance(rope_parameters, dict):
        raise TypeError(f"rope_parameters must be a dict, got {type(rope_parameters).__name__}")
    kinds = [name for name, value in rope_parameters.items() if isinstance(value, dict)]
    if kinds:
        raise ValueError(
            f"rope_parameters must be those of one kind of layers, such as "
            f"rope_parameters[{kinds[0]!r}], got those of {', '.join(kinds)}"
        )
    told = {name: value for name, value in rope_parameters.items() if value is not None}
    name = told.pop("rope_type", told.pop("type", "default"))
    if name not in KINDS:
        raise ValueError(f"rope_type must be one of {', '.join(KINDS)}, got {name!r}")
    keywords = [
        one
        for one in inspect.signature(KINDS[name]).parameters.values()
        if one.kind == one.KEYWORD_ONLY
    ]
    known = {one.name for one in keywords} - {"part", "seq_len"}
    known |= ANYWHERE | (SCALES if name == "yarn" else set())
    needed = {one.name for one in keywords if one.default is one.empty}
    for wrong, why in (told.keys() - known, "must not have"), (needed - told.keys(), "must have"):
        if wrong:
            raise ValueError(
                f"rope_parameters of the type {name!r} {why} {', '.join(sorted(wrong))}, got "
                f"{rope_parameters}"
            )
    for key, value in told.items():
        most = 1 if key == "partial_rotary_factor" else sys.float_info.max
        if key != "truncate" and not (isinstance(value, Real) and 0 < value <= most):
            upto = " and at most 1" if most == 1 else ""
            raise ValueError(f"{key} in rope_parameters must be above 0{upto}, got {value!r}")
    unused = ANYWHERE - {one.name for one in keywords} - {"rope_theta", "partial_rotary_factor"}
    return KINDS[name], {key: told[key] for key in told.keys() - SCALES - unused}


def check_rows(x):
    """Raise unless x is a floating-point tensor (..., rows, d)."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"x must be a tensor, got {type(x).__name__}")
    if not x.is_floating_point():
        raise TypeError(f"x must be floating-point numbers, got {x.dtype}")
    if x.dim() < 2:
        raise ValueError(f"x must have the shape (batch, ..., rows, d), got {tuple(x.shape)}")


def check_positions(positions, x):
    """Return positions with the axes of x but its last; raise unless there is one for each row."""
    rows = x.shape[-2]
    if positions is None:
        return torch.arange(rows, device=x.device)
    positions = torch.as_tensor(positions, device=x.device)
    if positions.shape == (rows,):
        return positions
    if x.dim() < 3 or positions.shape != (x.shape[0], rows):
        raise ValueError(
            f"positions must have the shape (rows,) or (batch, rows) for x of shape "
            f"{tuple(x.shape)}, got {tuple(positions.shape)}"
        )
    return positions.view(x.shape[0], *[1] * (x.dim() - 3), rows)


def widest(device):
    """The floating-point type with most digits that a device has."""
    return torch.float32 if device.type == "mps" else torch.float64
