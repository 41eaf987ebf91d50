"""Arguments that other books name or order otherwise; nothing here needs a framework."""

import functools
from collections.abc import Callable
from inspect import signature
from numbers import Real
from typing import TypeVar

Function = TypeVar("Function", bound=Callable)

# Arguments that are not ours: Flax adds two to a class's own, and Keras hands on the rest.
FOREIGN = ("self", "parent", "name", "kwargs")


def renamed(**names: str) -> Callable[[Function], Function]:
    """Refuse an argument's name elsewhere with what to say here: ``renamed(X="scores")``."""

    def around(function: Function) -> Function:
        @functools.wraps(function)
        def called(*args, **kwargs):
            for old in names.keys() & kwargs.keys():
                raise TypeError(f"{function.__qualname__} has no argument {old}; say {names[old]}")
            return function(*args, **kwargs)

        return called  # type: ignore[return-value]

    return around


# What those write who come from `nn.MultiheadAttention`, whose masks say the opposite, or Keras.
TURNED = "{} for booleans: here True may look, there it hides"
in_a_call = renamed(
    attn_mask=TURNED.format("mask=~attn_mask[None]") + "; mask=attn_mask[None] == 0 for floats",
    key_padding_mask=TURNED.format("mask=~key_padding_mask[:, None]"),
    is_causal="mask=causal_mask(queries) with the number of queries",
    need_weights="return_weights=True to have the weights, too",
)
of_heads = renamed(embed_dim="num_hiddens", use_bias="bias", kdim="key_size", vdim="value_size")


def check_dropout(dropout, layer):
    """Raise unless dropout is a probability; name the order of the layer's arguments."""
    if isinstance(dropout, bool) or not isinstance(dropout, Real):
        raise TypeError(f"dropout must be a number, got {dropout!r}{order(layer)}")
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout must lie between 0 and 1, got {dropout}{order(layer)}")


def order(layer):
    """The order of a class's arguments, in words."""
    own = [name for name in signature(layer.__init__).parameters if name not in FOREIGN]
    return f"; the order is {layer.__name__}({', '.join(own)})"
