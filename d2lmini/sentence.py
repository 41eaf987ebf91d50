"""own_sentence(): the heads of a real model for a sentence that the reader types."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from kernelfree import Curve, Figure, Grid
from kernelfree.book import deferred, graph, say, scale, script

from .figures import Heatmap, Words, explore

# Tokens that a sentence may have, and those of padding that a switch adds.
MOST, PADDING = 64, 16
# Tokens of the texts in which a claim is measured.
LENGTHS = range(6, 201)
# Where a head may look, and the last: wherever a word stands that the reader types.
TARGETS = [
    deferred("the token before"),
    deferred("the token after"),
    deferred("itself"),
    "[CLS]",
    "[SEP]",
    deferred("a word"),
]
# Prose that is long enough to measure claims in.
PROSE = """In a long meeting, a colleague looks at the clock most of the time. Is she
waiting for the end? Or does she look there when nobody says anything to her? Where she
looks is easy to see. What she takes home from the meeting is another question. A head is
such a colleague. Its weights say where it looks, and a picture of them makes people tell
stories. You look at all the heads of a model, and then you test the stories: each claim
gets an observation that would show that it is false, a case to compare with, and a
verdict. The model puts two marks around each text, one before it and one after it. In
its ancestors, the first mark said which class a text belongs to, and the second one kept
two sentences apart. Touch a square, and the sentence above it shows this head: a line
from each word below to each word above, as thick as the weight. Some heads look at the
word before, some at the word after, and many look at the first mark, whatever the
sentence says. A boat on the river, a dog at the door and an old house in the rain are
all the same to them. So before you say what a head does, say what would refute it, and
try it on texts that you have not seen."""
# What stands under the figure where a page has neither a kernel nor the model.
ELSEWHERE = deferred(
    "In the book, a button loads the model here: you type a sentence of your own, and measure how "
    "far a claim holds."
)
TITLE = deferred("Your own sentence")


@dataclass
class Asked:
    """A model that can be asked for a text, with some changes to it."""

    encode: Callable[..., Mapping[str, Tensor]]
    tokenizer: Any
    heads: tuple[int, int]
    divisors: tuple[int, int]

    def inputs(self, text, out=(), wrong=False, padded=False, first=None):
        """The tokens of a text, and what `encode` gets; `out` are the numbers of heads.

        Of a longer text than `first`, so many tokens: the last of them is its own last.
        """
        encoding = self.tokenizer.encode(text)
        tokens, numbers = encoding.tokens, encoding.ids
        if first and first < len(numbers):
            tokens, numbers = ([*each[: first - 1], each[-1]] for each in (tokens, numbers))
        more = PADDING * padded
        ids = torch.tensor([numbers + [0] * more])
        keep = torch.ones(self.heads)
        keep.view(-1)[list(out)] = 0
        given = {
            "ids": ids,
            "seen": torch.tensor([ids.shape[1]]),
            "real": torch.tensor([len(numbers)]),
            "keep": keep,
            "divisor": torch.tensor(float(self.divisors[wrong])),
        }
        return [*tokens, *["[PAD]"] * more], given

    def __call__(self, text, **changes):
        """The tokens, and what the model makes of them."""
        tokens, given = self.inputs(text, **changes)
        with torch.no_grad():
            return tokens, self.encode(**given)


class OwnSentence(Figure):
    """What `own_sentence` returns: a figure, and with a kernel the model that answers it."""

    _esm = property(lambda self: script("sentence.mjs"))

    def __init__(self, figure: Figure, encoder: dict[str, Any], asked: Asked) -> None:
        # One scale for every sentence.
        state = {**figure._state, "scales": {say("weight"): scale("weight", 0.0, 1.0)}}
        super().__init__({**state, "encoder": encoder}, figure._summary)
        self._asked = asked
        self.on_msg(self._answer)

    def _answer(self, _, content, buffers):
        """The page asks for a text: send its tokens and, if not too many, both tensors."""
        text, changes, found = content["text"], content["changes"], []
        first = changes.get("first")
        tokens, given = self._asked.inputs(text, first=first)
        if given["real"] <= (LENGTHS[-1] if first else MOST):
            tokens, made = self._asked(text, **changes)
            if first:
                made = {**made, "weights": means(made["weights"])}
            found = [made[name].float().contiguous().numpy() for name in ("weights", "embedding")]
        told = {"number": content["number"], "tokens": tokens}
        self.send(told, [memoryview(x).cast("B") for x in found])


def means(weights):
    """What is kept of the weights of a long text, (layers, heads, S, S): (layers, heads, 3 + S).

    The weight that the token before gets, the one after, the token itself, and then each token of
    the text, in the mean over the tokens that look.
    """
    near = [weights.diagonal(n, -2, -1).mean(dim=-1) for n in (-1, 1, 0)]
    return torch.cat([torch.stack(near, dim=-1), weights.mean(dim=-2)], dim=-1)


def own_sentence(
    encode: Callable[..., Mapping[str, Tensor]],
    tokenizer: Any,
    names: Mapping[str, str],
    sentence: str,
    compare: Sequence[str],
    claims: Mapping[str, tuple[int, int | None, str]],
    heads: tuple[int, int] = (6, 12),
    divisors: tuple[int, int] = (32, 384),
    title: str | None = None,
    address: str | None = None,
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
    claims : dict
        A claim in words -> its layer, its head (None is all of the layer), and one of `TARGETS`.
        The page measures it, and the reader's own, in a text that grows.
    heads : (int, int)
        Layers, and heads in each.
    divisors : (int, int)
        The right one, and the wrong one that a switch puts in.
    title : str, optional
        Name of the figure; "Your own sentence" otherwise.
    address : str, optional
        The name in its address, where it is not to be the title's.

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
        "experiment": experiment_for(claims, heads),
    }
    name = {"title": title or say(TITLE), "address": address or title or TITLE}
    return OwnSentence(drawn(asked, sentence, name), encoder, asked)


def written(asked, names, sentence):
    """The function as steps for the page, with the published names of its parameters."""
    _, given = asked.inputs(sentence)
    lengths = {"ids": {1: (2, LENGTHS[-1])}}
    page = graph(asked.encode, given, lengths, by_name=True, inside=False).page()
    for one in page["constants"]:
        if one.get("name") not in names:
            held = one.get("name") or f"a tensor {tuple(one['shape'])}"
            raise ValueError(f"own_sentence: the function holds {held}, which names does not have")
        one["name"] = names[one["name"]]
    del page["lines"]
    return page


def experiment_for(claims, heads):
    """What the page measures claims with: menus, a slider, and a curve that it fills."""
    shares = {say("measured"): [0, 0], say("equal weights"): [0, 0]}
    axes = {"xlabel": say("Tokens"), "ylabel": say("Share"), "ylim": (0, 1)}
    curve = Curve([0, LENGTHS[-1]], shares, points={"": (0, 0)}, **axes)
    title = say("How far does it hold?")
    state = explore(
        lambda claim: {say("Share of the weight"): curve}, claim=list(claims), title=title
    )._state
    layers, each = (range(n) for n in heads)
    menus = {
        "claim": [*claims, say("a claim of your own")],
        "layer": [str(n) for n in layers],
        "head": [say("all"), *map(str, each)],
        "target": [say(target) for target in TARGETS],
        "tokens": list(LENGTHS),
    }
    labels = [say("claim"), say("layer"), say("head"), say("looks at"), say("tokens")]
    controls = [
        {"name": name, "label": label, "kind": "menu", "options": options}
        for (name, options), label in zip(menus.items(), labels, strict=True)
    ]
    controls[4]["kind"] = "slider"
    return {
        **state,
        "controls": controls,
        "start": {name: options[0] for name, options in menus.items()},
        "panels": [{**state["panels"][0], "tables": {"lx": 0, "ly": 1, "px": 0, "py": 2}}],
        "tables": [],
        "text": " ".join(PROSE.split()),
        "claims": [
            [layer, 0 if head is None else head + 1, TARGETS.index(target)]
            for layer, head, target in claims.values()
        ],
    }


def drawn(asked, sentence, name):
    """The figure of one sentence: its words, all heads, and the chosen one."""
    tokens, made = asked(sentence)
    weights = made["weights"].round(decimals=2)
    axes = {"xlabel": say("Tokens looked at"), "ylabel": say("Tokens that look")}
    chosen_head = say("The chosen head")

    def shown(layer=0, head=2):
        chosen = weights[layer, head]
        return {
            say("The chosen head in the sentence"): Words(tokens, chosen, **axes),
            say("All heads"): Grid(chosen_head, ("layer", "head")),
            chosen_head: Heatmap(chosen, xticks=tokens, yticks=tokens, **axes),
            "": say(ELSEWHERE),
        }

    layers, heads = asked.heads
    return explore(shown, layer=range(layers), head=range(heads), light="tokens", **name)
