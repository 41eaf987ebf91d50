"""own_sentence(): the heads of a real model for a sentence that the reader types."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from kernelfree import Grid
from kernelfree.explorer import Figure
from kernelfree.scales import scale
from kernelfree.script import script
from kernelfree.tracing.graph import graph

from .figures import Heatmap, Words, explore

# Tokens that a sentence may have, and those of padding that a switch adds.
MOST, PADDING = 64, 16
# What stands under the figure where a page has neither a kernel nor the model.
ELSEWHERE = "In the book, a button loads the model here, and you type a sentence of your own."


@dataclass
class Asked:
    """A model that can be asked for a text, with some changes to it."""

    encode: Callable[..., Mapping[str, Tensor]]
    tokenizer: Any
    heads: tuple[int, int]
    divisors: tuple[int, int]

    def inputs(self, text, out=(), wrong=False, padded=False):
        """The tokens of a text, and what `encode` gets; `out` are the numbers of heads."""
        encoding = self.tokenizer.encode(text)
        more = PADDING * padded
        ids = torch.tensor([encoding.ids + [0] * more])
        keep = torch.ones(self.heads)
        keep.view(-1)[list(out)] = 0
        given = {
            "ids": ids,
            "seen": torch.tensor([ids.shape[1]]),
            "real": torch.tensor([len(encoding.ids)]),
            "keep": keep,
            "divisor": torch.tensor(float(self.divisors[wrong])),
        }
        return [*encoding.tokens, *["[PAD]"] * more], given

    def __call__(self, text, **changes):
        """The tokens, and what the model makes of them."""
        tokens, given = self.inputs(text, **changes)
        with torch.no_grad():
            return tokens, self.encode(**given)


class OwnSentence(Figure):
    """What `own_sentence` returns: a figure, and with a kernel the model that answers it."""

    _esm = script("sentence.mjs")

    def __init__(self, figure: Figure, encoder: dict[str, Any], asked: Asked) -> None:
        # One scale for every sentence.
        state = {**figure._state, "scales": {"weight": scale("weight", 0.0, 1.0)}}
        super().__init__({**state, "encoder": encoder}, figure._summary)
        self._asked = asked
        self.on_msg(self._answer)

    def _answer(self, _, content, buffers):
        """The page asks for a text: send its tokens and, if not too many, both tensors."""
        text, changes, found = content["text"], content["changes"], []
        tokens, given = self._asked.inputs(text)
        if given["real"] <= MOST:
            tokens, made = self._asked(text, **changes)
            found = [made[name].float().contiguous().numpy() for name in ("weights", "embedding")]
        told = {"number": content["number"], "tokens": tokens}
        self.send(told, [memoryview(x).cast("B") for x in found])


def own_sentence(
    encode: Callable[..., Mapping[str, Tensor]],
    tokenizer: Any,
    names: Mapping[str, str],
    sentence: str,
    compare: Sequence[str],
    heads: tuple[int, int] = (6, 12),
    divisors: tuple[int, int] = (32, 384),
    title: str = "Your own sentence",
) -> OwnSentence:
    """All heads of a model for one sentence, and then for any that a reader types.

    The function is written down as a list of steps, which the book's page runs once a reader has
    loaded the model's weights. With a kernel the function itself answers.

    Parameters
    ----------
    encode : callable
        Called as `encode(ids, seen, real, keep, divisor)`: the numbers of the tokens, (1, tokens);
        how many tokens the softmax sees and how many are real, each (1,); which heads count,
        (layers, heads), 1 or 0; and what scores are divided by the root of, ().
        It returns `weights`, (layers, heads, tokens, tokens), and `embedding`, (size,).
    tokenizer : tokenizers.Tokenizer
        Its `encode(text)` has `ids` and `tokens`, without padding or cutting.
    names : dict
        A parameter's name in the module -> its name in the published file.
    sentence : str
        What the figure shows first.
    compare : sequence of str
        Sentences to compare it with, to begin with.
    heads : (int, int)
        Layers, and heads in each.
    divisors : (int, int)
        The right one, and the wrong one that a switch puts in.
    title : str
        Name of the figure.

    Returns
    -------
    OwnSentence

    Raises
    ------
    NotForThePageError
        If the page cannot run the function; see `graph`.
    ValueError
        If the function holds a tensor that is none of the published parameters.
    """
    asked = Asked(encode, tokenizer, heads, divisors)
    encoder = {
        "graph": written(asked, names, sentence),
        "divisors": list(divisors),
        "most": MOST,
        "padding": PADDING,
        "sentence": sentence,
        "compare": list(compare),
    }
    return OwnSentence(drawn(asked, sentence, title), encoder, asked)


def written(asked, names, sentence):
    """The function as steps for the page, with the published names of its parameters."""
    _, given = asked.inputs(sentence)
    lengths = {"ids": {1: (2, MOST + PADDING)}}
    page = graph(asked.encode, given, lengths, by_name=True, inside=False).page()
    for one in page["constants"]:
        if one.get("name") not in names:
            held = one.get("name") or f"a tensor {tuple(one['shape'])}"
            raise ValueError(f"own_sentence: the function holds {held}, which names does not have")
        one["name"] = names[one["name"]]
    del page["lines"]
    return page


def drawn(asked, sentence, title):
    """The figure of one sentence: its words, all heads, and the chosen one."""
    tokens, made = asked(sentence)
    weights = made["weights"].round(decimals=2)
    axes = {"xlabel": "Tokens looked at", "ylabel": "Tokens that look"}

    def shown(layer=0, head=2):
        chosen = weights[layer, head]
        return {
            "The chosen head in the sentence": Words(tokens, chosen, **axes),
            "All heads": Grid("The chosen head", ("layer", "head")),
            "The chosen head": Heatmap(chosen, xticks=tokens, yticks=tokens, **axes),
            "": ELSEWHERE,
        }

    layers, heads = asked.heads
    return explore(shown, layer=range(layers), head=range(heads), title=title, light="tokens")
