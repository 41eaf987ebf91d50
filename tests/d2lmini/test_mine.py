"""The reader's own attention: what its steps say of answers, and the file that they fill."""

import linecache
import re
import runpy
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
import torch
from torch import nn

import chapters
from benchmarks import peer
from d2lmini.exercises import NotYet, mine

CELLS = count()
IMPORTS = "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
WHOLE = """\
def attention(queries, keys, values, valid_lens=None):
    d = queries.shape[-1]
    scores = queries @ keys.transpose(1, 2) / math.sqrt(d)
    if valid_lens is not None:
        lens = valid_lens if valid_lens.ndim == 2 else valid_lens[:, None]
        hidden = torch.arange(keys.shape[1]) >= lens[..., None]
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    if valid_lens is not None:
        weights = weights.masked_fill(hidden, 0.0)
    return weights @ values
"""
ROOT, TURNED, AFTER = " / math.sqrt(d)", "keys.transpose(1, 2)", "masked_fill(hidden, 0.0)"
HIDES, NO_AFTER = 'scores.masked_fill(hidden, float("-inf"))', (AFTER, "clone()")
SOFTMAX, LENS = "F.softmax(scores, dim=-1)", "valid_lens if valid_lens.ndim"
COSINE = "F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).mT"
# As people write it: what stands in the place of what, and what the check says.
WRONG = [
    (ROOT, "", "not divided"),
    (ROOT, " / d", "the root of d is meant"),
    (ROOT, " * math.sqrt(d)", "it divides"),
    (ROOT, " / d**2", None),
    (ROOT, " / math.sqrt(keys.shape[1])", "the number of keys"),
    (ROOT, " / math.sqrt(queries.shape[1])", "the number of queries"),
    (ROOT, " / math.sqrt(len(queries))", "the size of the minibatch"),
    (ROOT, " / math.sqrt(values.shape[-1])", "the values' size"),
    (ROOT, "", "weights @", "weights / math.sqrt(d) @", "you divide the weights"),
    (
        ROOT,
        "",
        "d = ",
        "queries /= math.sqrt(queries.shape[-1])\n    d = ",
        "changes its arguments",
    ),
    (TURNED, "keys", "turns each matrix"),
    (TURNED, "keys.T", "turns each matrix"),
    (TURNED, "keys.transpose(0, 1)", "turns each matrix"),
    (TURNED, "keys.reshape(len(keys), d, -1)", "reshape keeps the order"),
    (TURNED, "keys.view(len(keys), d, keys.shape[1])", "reshape keeps the order"),
    (f"queries @ {TURNED}", "keys @ queries.transpose(1, 2)", None),
    (f"queries @ {TURNED}{ROOT}", COSINE, "the cosine"),
    ("dim=-1", "dim=1", "does not run along the keys"),
    ("dim=-1", "dim=-2", "does not run along the keys"),
    ("dim=-1", "dim=0", "the softmax runs along the minibatch"),
    (SOFTMAX, "scores.exp()", None),
    (SOFTMAX, "scores.nan_to_num(0, neginf=0)", "the softmax is missing"),
    (HIDES, "scores.masked_fill(hidden, 0)", *NO_AFTER, "hidden scores are 0"),
    (HIDES, "scores * ~hidden", *NO_AFTER, "hidden scores are 0"),
    (HIDES, "scores.masked_fill(hidden, 1e-6)", *NO_AFTER, "hidden scores are 0"),
    (HIDES, "scores.masked_fill(hidden, -1e6)", *NO_AFTER, "gets equal weights"),
    (HIDES, "scores.masked_fill(hidden, -1e9)", *NO_AFTER, "gets equal weights"),
    (HIDES, "scores - 1e6 * hidden", *NO_AFTER, None),
    (*NO_AFTER, "a row without keys is NaN"),
    (HIDES, "scores", "a row sums to less than 1"),
    (HIDES, "scores", "return weights", "return weights / weights.sum(-1, True)", "what is left"),
    (HIDES, "scores", *NO_AFTER, "the lengths don't count"),
    (">=", ">", "the first place has the number 0"),
    (">=", "<", "turned round"),
    ("keys.shape[1]) >=", "keys.shape[1]).flip(0) >=", "hides the beginning"),
    (f"lens = {LENS}", "lens = valid_lens[:, :1] if valid_lens.ndim", "the first counts for all"),
    ("lens[..., None]", "lens", "A mask is"),
    ("    if valid_lens is not None:\n        l", "    if True:\n        l", "every key counts"),
    ("weights @ values", "weights", "these are the weights"),
    ("weights @ values", "weights.transpose(1, 2) @ values", "two of these shapes"),
    ("return weights @ values", "print(weights @ values)", "did you forget `return`"),
]
ASKS = "def attention(queries, keys, values, valid_lens=None):\n"
SEEN = """\
    if valid_lens is None:
        valid_lens = torch.full((len(queries),), keys.shape[1])
    seen = torch.arange(keys.shape[1]) < valid_lens.reshape(len(queries), -1, 1)
"""
FUSED = f"""\
{ASKS}{SEEN}
    return F.scaled_dot_product_attention(queries, keys, values, seen).nan_to_num(0)
"""
ONE_HEAD = f"""\
{ASKS}{SEEN}
    heads = [x[:, None] for x in (queries, keys, values)]
    return F.scaled_dot_product_attention(*heads, seen[:, None])[:, 0].nan_to_num(0)
"""
A_LOOP = f"""\
{ASKS}{SEEN}
    out = torch.zeros(*queries.shape[:2], values.shape[2])
    for b, i in [(b, i) for b in range(len(out)) for i in range(out.shape[1])]:
        see = seen[b, min(i, seen.shape[1] - 1)]
        scores = keys[b, see] @ queries[b, i] / queries.shape[2] ** 0.5
        out[b, i] = scores.softmax(0) @ values[b, see]
    return out
"""
INSIDE = WHOLE.replace("(q", "(self, q").replace("attention", "forward").replace("\n", "\n    ")
RIGHT = [
    WHOLE,
    WHOLE.replace(f"queries @ {TURNED}", "torch.bmm(queries, keys.permute(0, 2, 1))"),
    WHOLE.replace(f"queries @ {TURNED}", 'torch.einsum("bqd,bkd->bqk", queries, keys)'),
    WHOLE.replace(ROOT, " * d**-0.5"),
    WHOLE.replace(AFTER, "nan_to_num(0.0)"),
    WHOLE.replace(HIDES, "torch.where(hidden, -math.inf, scores)"),
    WHOLE.replace(SOFTMAX, "scores.softmax(2)"),
    WHOLE.replace(SOFTMAX, "(scores - scores.logsumexp(-1, True)).exp()"),
    FUSED,
    ONE_HEAD,
    A_LOOP,
    f"class Attention(nn.Module):\n    {INSIDE}\n\nattention = Attention()\n",
]


def cell(chapter, source):
    """Run a cell as a notebook does; what it leaves."""
    name = f"<cell {next(CELLS)} of {__name__}>"
    space = {"check": import_module(f"d2lmini.exercises.chapter_{chapter:02}")}
    exec(IMPORTS, space)
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), space)
    return space


def solution(chapter):
    """The solution of a chapter's step, as a reader would write it."""
    page = next(page for page in chapters.numbered() if page.name.startswith(f"{chapter:02}"))
    sources = chapters.cells(page, "code")
    found = next(one for one in sources if one.startswith("# @title Sol") and "check.step(" in one)
    stub = next(one for one in sources if one.endswith(f"check.step({mine.STEPS[chapter][-1]})"))
    takes = "\n".join(line for line in stub.splitlines() if ".take(" in line)
    defined = mine.cut(found.partition("\n")[2], lambda node: not hasattr(node, "name"))
    return f"{takes}\n{defined}\n\n{stub.splitlines()[-1]}"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_ATTENTION")


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("row", WRONG, ids=lambda row: row[1][:40])
def test_a_wrong_version_is_refused_by_the_name_of_its_mistake(row):
    *changes, why = row
    source = WHOLE
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in source
        source = source.replace(old, new)
    with pytest.raises(NotYet, match=why):
        cell(6, f"{source}\n\ncheck.step(attention)")
    assert not Path(mine.FILE).exists()


def test_most_wrong_versions_are_named():
    assert len(WRONG) >= 40
    assert sum(why is not None for *_, why in WRONG) >= 34


@pytest.mark.parametrize("source", RIGHT)
def test_a_right_version_is_taken_in_any_style(source, capsys):
    cell(6, f"{source}\n\ncheck.step(attention)")
    assert "my_attention.py now has your " in capsys.readouterr().out
    assert source.strip() in Path(mine.FILE).read_text()


def test_it_grows_through_the_chapters_into_a_file_that_stands_alone(capsys):
    for chapter in mine.STEPS:
        cell(chapter, solution(chapter))
    told = capsys.readouterr().out
    assert "softmax: yours, from chapter 1" in told
    assert "the book's" not in told
    names = [name for names in mine.STEPS.values() for name in names]
    text = Path(mine.FILE).read_text()
    assert all(len(re.findall(rf"^(def|class) {name}\(", text, re.M)) == 1 for name in names)
    own = runpy.run_path(mine.FILE)
    x, lens = torch.randn(2, 5, 12), torch.tensor([5, 3])
    theirs = nn.MultiheadAttention(12, 3, bias=False, batch_first=True)
    heads = own["MultiHead"](12, 3)
    maps = dict(zip("qkv", theirs.in_proj_weight.chunk(3), strict=True), o=theirs.out_proj.weight)
    heads.load_state_dict({f"W_{name}.weight": W for name, W in maps.items()})
    expected = theirs(x, x, x, key_padding_mask=torch.arange(5) >= lens[:, None])[0]
    assert torch.allclose(heads(x, lens), expected, atol=1e-5)
    given = [200 * x, x, torch.eye(5).expand(2, 5, 5), torch.tensor([[0, 1, 2, 3, 5]] * 2)]
    kept = [one.clone() for one in given]
    weights = own["attention"](*given)
    assert weights.sum(dim=-1).flatten().tolist() == pytest.approx([0, 1, 1, 1, 1] * 2)
    assert not weights[torch.arange(5) >= given[3][..., None]].any()
    assert all(map(torch.equal, given, kept))


# The later chapters of *Dive into Deep Learning*: decoder, Transformer, ViT and BERT stand on these.
LATER_BOOK = ["HyperParameters", "Module", "Encoder", "MultiHeadAttention", "PositionalEncoding", "PositionWiseFFN"]
LATER_BOOK += ["AddNorm", "masked_softmax", "DotProductAttention", "TransformerEncoderBlock", "TransformerEncoder"]
LATER_BOOK += ["BERTEncoder", "ProgressBoard"]


@pytest.mark.nightly
def test_the_file_taken_away_runs_the_later_chapters_of_another_book(capsys):
    for chapter in mine.STEPS:
        cell(chapter, solution(chapter))
    own = runpy.run_path(mine.FILE)["attention"]

    class Own(nn.Module):
        def forward(self, queries, keys, values, valid_lens=None):
            every = torch.eye(keys.shape[1]).expand(len(keys), -1, -1)
            self.attention_weights = own(queries, keys, every, valid_lens)
            return own(queries, keys, values, valid_lens)

    x, words, lens = torch.randn(2, 7, 24), torch.randint(0, 50, (2, 7)), torch.tensor([3, 7])
    heads, rows = ("MultiHeadAttention", 24, 4, 0.1), torch.arange(1, 8).repeat(2, 1)
    runs = [(heads, x, x, x, lens), (heads, x, x, x, rows), (heads, x[:, :4], x, x, lens), (heads, x, x, x, None)]
    runs += [(("TransformerEncoderBlock", 24, 48, 8, 0.1), x, lens)]
    runs += [(("TransformerEncoder", 50, 24, 48, 8, 2, 0.1), words, lens)]
    runs += [(("BERTEncoder", 50, 24, 48, 4, 2, 0.1), words, words % 2, lens)]
    for (name, *sizes), *given in runs:
        theirs, ours = peer.load(LATER_BOOK), peer.load(LATER_BOOK)
        ours.DotProductAttention = lambda dropout: Own()
        made = [getattr(book, name)(*sizes).eval() for book in (theirs, ours)]
        [module(*given) for module in made]  # lazy maps get their sizes
        made[1].load_state_dict(made[0].state_dict())
        expected, found = (module(*given) for module in made)
        assert torch.allclose(found, expected, atol=1e-5), name


def test_an_earlier_step_that_changes_counts_from_then_on_and_the_book_lends_the_rest(capsys):
    cell(6, solution(6))
    assert "# %% 4 book\ndef weigh(" in Path(mine.FILE).read_text()
    cell(1, solution(1).replace("exponentials", "powers"))
    assert "# %% 1\ndef softmax(scores):\n    powers" in Path(mine.FILE).read_text()
    cell(4, solution(4))
    assert "softmax: yours" in capsys.readouterr().out
    assert "book" not in Path(mine.FILE).read_text()
    cell(3, solution(3))  # what chapter 6 asks for again stays as it is
    assert "math.sqrt(" in Path(mine.FILE).read_text()


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (WHOLE.replace("def attention", "def pay") + "check.step(pay)", "must be called attention"),
        (
            f"s = (F.softmax, check.step.take('weigh'))[0]\n{WHOLE.replace('F.softmax', 's')}check.step(attention)",
            "'s' is not defined",
        ),
    ],
)
def test_what_cannot_stand_alone_in_the_file_is_told(source, why, capsys):
    cell(1, solution(1))
    before = Path(mine.FILE).read_text()
    cell(6, source)
    assert why in capsys.readouterr().out
    assert Path(mine.FILE).read_text() == before


def test_a_file_that_is_no_python_is_told_and_stays(capsys):
    Path(mine.FILE).write_text("def softmax(:\n")
    with pytest.raises(ValueError, match=r"my_attention.py is not Python: .*line 1"):
        cell(4, 'check.step.take("softmax")')
    cell(1, solution(1))
    assert "is not Python" in capsys.readouterr().out
    assert Path(mine.FILE).read_text() == "def softmax(:\n"


# Of later steps: a chapter, what stands in the place of what, and what the check says.
LATER = [
    (7, "torch.tanh(sums) @ w_v", "torch.tanh(sums @ w_v)", "too late"),
    (8, "score=score", "score=None", "score is None"),
    (9, "return lens if", "lens if", "causal: .* forget `return`"),
    (9, ".expand(len(x), -1)", "", "causal: "),
    (9, "valid_lens)\n        return", "None)\n        return", "the padding is seen"),
    (9, "forward(self, x", "forward(x", "takes self first"),
    (9, "__init__(self, size", "__init__(size", "takes self first"),
    (9, "(self, x, valid_lens=None):\n", "(self, x):\n        valid_lens = None\n", "self and two more"),
    (9, "__init__(self", "_init_(self", "two underscores on each side"),
    (9, "super().__init__()", "super().__init__(size)", "takes nothing"),
    (9, "self.W_q = nn.Linear(size, size, bias=False)", "self.W_q = nn.Parameter(torch.eye(size))", "is a layer"),
    (9, "self.W_q = nn.Linear(size, size, bias=False)", "self.W_q = nn.Linear", "both of its sizes"),
    (9, "nn.Linear(size, size, ", "nn.Linear(size, ", "both of its sizes"),
    (9, "(self.W_q(x)", "(W_q(x)", "asked for with self"),
    (9, "self.W_q = ", "W_q = ", "the maps are called"),
    (9, "(nn.Module)", "", "inherits from nn.Module"),
    (9, "check.step(SelfAttention)", "check.step(SelfAttention(4))", "the class itself"),
    (10, "forward(self, x", "forward(x", "takes self first"),
    (10, "nn.Linear(size, size, bias=False)", "nn.Parameter(torch.eye(size))", "is a layer"),
    (10, "(split(W(x), self.heads)", "(split(W(x), heads)", "asked for with self"),
    (10, "check.step(MultiHead)", "check.step(MultiHead(8, 2))", "the class itself"),
    (10, ".transpose(1, 2)\n    return x.reshape(b", "\n    return x.reshape(b", "split: .* are mixed"),
    (10, "heads, dim=0)", "heads)", "dim=0"),
    (16, "dim=-1).flatten", "dim=-2).flatten", "turned: .* back to its place"),
    (16, "torch.arange(x.shape[-2])", "torch.arange(1, x.shape[-2] + 1)", "turned: places begin"),
    (16, "speeds = base", "speeds = 10_000.0", "turned: base does not count"),
]


@pytest.mark.parametrize(("chapter", "old", "new", "why"), LATER, ids=lambda part: str(part)[:20])
def test_a_wrong_later_step_is_refused_by_the_name_of_its_mistake(chapter, old, new, why):
    source = solution(chapter)
    assert old in source
    with pytest.raises(NotYet, match=why):
        cell(chapter, source.replace(old, new))
