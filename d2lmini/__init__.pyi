"""The public names with their types, for editors and type checkers.

The package loads each name when it is first used, which no checker can see.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import anywidget
import numpy as np
from torch import Tensor, nn

from . import exercises as exercises

_Numbers: TypeAlias = Tensor | np.ndarray | Sequence[Any] | range
_Lengths: TypeAlias = Tensor | np.ndarray | Sequence[int] | Sequence[Sequence[int]]
_Words: TypeAlias = Sequence[str]
_Panel: TypeAlias = Heatmap | Curve | Bars | _Numbers

__all__ = [
    "AdditiveAttention",
    "Attention",
    "Bars",
    "BilinearAttention",
    "Curve",
    "DistanceAttention",
    "DotProductAttention",
    "Heatmap",
    "MultiHeadAttention",
    "Prediction",
    "check_shape",
    "exercises",
    "explore",
    "masked_softmax",
    "show_heatmaps",
]

def masked_softmax(scores: Tensor, valid_lens: _Lengths | None = None) -> Tensor: ...

class Attention(nn.Module):
    attention_weights: Tensor | None
    dropout: nn.Dropout
    def __init__(self, dropout: float = 0.0) -> None: ...
    def score(self, queries: Tensor, keys: Tensor) -> Tensor: ...
    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]: ...
    def pool(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None
    ) -> tuple[Tensor, Tensor | None]: ...
    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: _Lengths | None = None
    ) -> Tensor: ...
    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: _Lengths | None = None
    ) -> Tensor: ...

class DotProductAttention(Attention):
    need_weights: bool
    def __init__(self, dropout: float = 0.0, need_weights: bool = True) -> None: ...

class AdditiveAttention(Attention):
    W_q: nn.Module
    W_k: nn.Module
    w_v: nn.Module
    def __init__(
        self,
        num_hiddens: int,
        dropout: float = 0.0,
        query_size: int | None = None,
        key_size: int | None = None,
    ) -> None: ...

class BilinearAttention(Attention):
    def __init__(self, query_size: int, key_size: int, dropout: float = 0.0) -> None: ...

class DistanceAttention(Attention): ...

class MultiHeadAttention(nn.Module):
    num_heads: int
    W_q: nn.Linear
    W_k: nn.Linear
    W_v: nn.Linear
    W_o: nn.Linear
    attention: DotProductAttention
    def __init__(
        self, num_hiddens: int, num_heads: int, dropout: float = 0.0, bias: bool = False
    ) -> None: ...
    @property
    def attention_weights(self) -> Tensor | None: ...
    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]: ...
    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: _Lengths | None = None
    ) -> Tensor: ...
    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: _Lengths | None = None
    ) -> Tensor: ...

def show_heatmaps(
    matrices: _Numbers,
    xlabel: str,
    ylabel: str,
    titles: _Words | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str = "Reds",
) -> None: ...

class _Figure(anywidget.AnyWidget):
    value: Any

def explore(
    function: Callable[..., _Panel | Mapping[str, _Panel]],
    /,
    *,
    title: str | None = None,
    labels: Mapping[str, str] | None = None,
    predict: Prediction | None = None,
    play: str | None = None,
    **controls: range | Sequence[float] | _Words | bool,
) -> _Figure: ...

class Heatmap:
    matrix: _Numbers
    role: str
    xlabel: str
    ylabel: str
    xticks: _Words | None
    yticks: _Words | None
    masked: _Numbers | None
    def __init__(
        self,
        matrix: _Numbers,
        role: str = "weight",
        xlabel: str = "Keys",
        ylabel: str = "Queries",
        xticks: _Words | None = None,
        yticks: _Words | None = None,
        masked: _Numbers | None = None,
    ) -> None: ...

class Curve:
    x: _Numbers
    lines: dict[str, Any]
    points: dict[str, Any] | None
    xlabel: str
    ylabel: str
    def __init__(
        self,
        x: _Numbers,
        lines: dict[str, Any],
        points: dict[str, Any] | None = None,
        xlabel: str = "",
        ylabel: str = "",
    ) -> None: ...

class Bars:
    heights: _Numbers
    labels: _Words | None
    role: str
    xlabel: str
    ylabel: str
    def __init__(
        self,
        heights: _Numbers,
        labels: _Words | None = None,
        role: str = "weight",
        xlabel: str = "Keys",
        ylabel: str = "",
    ) -> None: ...

class Prediction:
    question: str
    choices: dict[str, str]
    answer: str
    def __init__(self, question: str, choices: dict[str, str], answer: str) -> None: ...

def check_shape(tensor: Any, shape: Sequence[int]) -> None: ...
