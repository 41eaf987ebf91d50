"""A model of the same kind as the chapter's, but tiny: made here, so that tests need no package."""

import hashlib
import re
import shutil
import string

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from torch import nn

from d2lmini import MultiHeadAttention
from d2lmini.sentence import own_sentence
from pages import model
from pages.site import SCRIPTS

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [*string.ascii_lowercase, *string.digits, *string.punctuation]
WORDS = [*MARKS, "the", "cat", "rain", "house", *LETTERS, *[f"##{a}" for a in LETTERS], "##s"]
SIZE, LAYERS, HEADS = 64, 2, 4
CLAIMS = {"back": (0, 2, "the token before"), "rests": (1, None, "[CLS]")}
SENTENCE, OTHERS = "The cat rains.", ["the rain", "a house"]


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(len(WORDS), SIZE)
        self.layers = nn.ModuleList(MultiHeadAttention(SIZE, HEADS, bias=True) for _ in range(LAYERS))
        self.norm = nn.LayerNorm(SIZE)

    def forward(self, ids, seen):
        X = self.tokens(ids)
        for layer in self.layers:
            X = self.norm(X + layer(X, X, X, seen))
        return X


torch.manual_seed(7)
small = Small().eval().requires_grad_(False)


def encode(ids, seen, real, keep, divisor):
    """As chapter 12 writes it."""
    weights, hooks = [], []
    for layer, kept in zip(small.layers, keep, strict=True):
        each = kept.repeat_interleave(SIZE // HEADS)
        hooks += [
            layer.W_q.register_forward_hook(lambda _, X, q: q * (16 / divisor).sqrt()),
            layer.attention.register_forward_hook(lambda _, X, made: weights.append(made[1][0])),
            layer.W_o.register_forward_pre_hook(lambda _, o, each=each: o[0] * each),
        ]
    Z = small(ids, seen)[0]
    for hook in hooks:
        hook.remove()
    mean = (Z * (torch.arange(Z.shape[0]) < real)[:, None]).sum(dim=0) / real
    return {"weights": torch.stack(weights), "embedding": mean / mean.norm()}


def tokenizer():
    made = Tokenizer(models.WordPiece(vocab={w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(mark, WORDS.index(mark)) for mark in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing("[CLS] $0 [SEP]", special_tokens=ends)
    made.add_special_tokens(MARKS)
    return made


def figure():
    names = {name: name for name, _ in small.named_parameters()}
    options = {"heads": (LAYERS, HEADS), "divisors": (16, 64)}
    return own_sentence(encode, tokenizer(), names, SENTENCE, OTHERS, CLAIMS, **options)


def packed(folder):
    """The parts of the model, as the book has them."""
    source, parts = folder / "source", folder / "model"
    source.mkdir()
    parts.mkdir()
    save_file(dict(small.named_parameters()), source / "model.safetensors")
    (source / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    digest = hashlib.sha256((source / "model.safetensors").read_bytes()).hexdigest()
    model.pack(source, parts, digest)


def site(folder, html, parts="model/index.js?v=1", policy="", name="page"):
    """A page of the book with the figure, perhaps under a policy."""
    where = f'data-parts="{parts}" data-megabytes="30"' if parts else ""
    html = html.replace('class="kernelfree-figure"', f'class="kernelfree-sentence" {where}')
    html = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
    shutil.copy(SCRIPTS / "sentences.js", folder)
    (folder / f"{name}.html").write_text(
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Test</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<style>:root { color-scheme: light dark; background: Canvas }</style>"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"</head><body><main><h1>Test</h1>{html}</main>"
        "<script src='sentences.js'></script></body></html>",
        encoding="utf-8",
    )
    return folder / f"{name}.html"
