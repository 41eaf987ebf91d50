"""The lines of chapter 18's guide, and its delta rule, against the models' own modules."""

import math
from pathlib import Path

import nbformat
import pytest
import torch
from exhaustive import EXHAUSTIVE

from d2lmini import causal_mask
from d2lmini.scores import rotary, rotary_frequencies

transformers = pytest.importorskip("transformers")

from published import TOKENS, filled, small_model  # noqa: E402

# What `make test-all` runs; `make test-nightly` runs them all.
FEW = {"llama", "t5", "bloom", "gemma2", "qwen3_next", "gpt_oss"}
CHAPTER = Path(__file__).parents[2] / "chapters" / "18_a_field_guide.ipynb"


@pytest.fixture
def cells():
    """The chapter's code by the name of its cell; the chapter computes in float64."""
    before = torch.get_default_dtype()
    notebook = nbformat.read(CHAPTER, as_version=4)
    yield {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    torch.set_default_dtype(before)


def run(cells, names, space):
    for name in names:
        exec(compile(cells[name], name, "exec"), space)


@pytest.fixture
def chapter(cells):
    """The chapter's names up to the cell that holds its lines to the models."""
    space = {}
    names = ["setup", "imports", "weigh", "weights", "config", "lines"]
    run(cells, [f"t18-{name}" for name in names], space)
    if not EXHAUSTIVE:
        space["GUIDE"] = {name: space["GUIDE"][name] for name in FEW}
    return space


def test_every_line_gives_the_model_s_own_weights(cells, chapter):
    run(cells, ["t18-held"], chapter)
    assert set(chapter["differences"]) == set(chapter["GUIDE"])
    assert len(chapter["GUIDE"]) == (36 if EXHAUSTIVE else 6)
    assert max(chapter["differences"].values()) < 1e-6


# What is left of their lines in the fourth layer, where these do not turn.
FOURTH = {"smollm3": {}, "cohere2": {}, "llama4_text": {}, "exaone4": {"norm": "each head"}}


def test_some_models_do_not_turn_in_every_fourth_layer(cells, chapter):
    chapter["GUIDE"] = {name: lambda c, rule=rule: rule for name, rule in FOURTH.items()}
    run(cells, ["t18-held"], chapter)
    assert min(chapter["differences"].values()) > 1e-3  # the first layers do turn
    torch.set_default_dtype(torch.float32)
    with torch.no_grad():
        assert max(chapter["held_to_modules"](layer=3).values()) < 1e-6


def test_what_the_text_says_of_defaults(cells, chapter):
    run(cells, ["t18-lines", "t18-toy"], chapter)
    defaults = {name: transformers.AutoConfig.for_model(name) for name in chapter["GUIDE"]}
    turns = {n: chapter["flat"](c.to_dict()).get("rope_type") for n, c in defaults.items()}
    slower = {n: turn for n, turn in turns.items() if turn not in (None, "default")}
    assert slower == {"ministral3": "yarn", "gpt_oss": "yarn", "apertus": "llama3"}
    of_yarn = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS["yarn"]
    by = {name: of_yarn(defaults[name], "cpu")[1] ** 2 for name in ("gpt_oss", "ministral3")}
    assert by == pytest.approx({"gpt_oss": 1.81, "ministral3": 1}, abs=0.005)
    assert {n: defaults[n].qk_layernorm for n in chapter["SWITCH"]} == chapter["SWITCH"]


def test_models_of_the_figure_with_other_weights_have_another_sentence(cells, chapter):
    run(cells, ["t18-figure", "t18-lines", "t18-toy", "t18-figure2"], chapter)
    told = {}
    for model in chapter["GUIDE"]:
        weight, rule = chapter["one_model"](model, 4)["says"].partition(": ")[2].split(". ", 1)
        assert told.setdefault(rule, weight) == weight, model


UNKNOWN = [
    ({"model_type": "llama", "rope_parameters": {"rope_type": "longrope"}}, "rope_type .*'longrope'"),
    (
        {"model_type": "deepseek_v3", "rope_parameters": {"mscale_all_dim": 1.0}},
        "mscale_all_dim of deepseek_v3, got 1.0",
    ),
    ({"model_type": "cohere", "use_qk_norm": True}, "use_qk_norm of cohere, got True"),
]


@pytest.mark.parametrize(("config", "message"), UNKNOWN)
def test_a_configuration_that_no_line_models_is_refused_by_name(chapter, config, message):
    with pytest.raises(ValueError, match=message):
        chapter["rule_of"](config)


LETTERS = {"full_attention": "F", "sliding_attention": "w", "chunked_attention": "c", "linear_attention": "l"}


def test_the_picture_of_layers_is_that_of_the_configurations(cells, chapter):
    run(cells, ["t18-layers"], chapter)
    for name, drawn in chapter["LAYERS"].items():
        config = transformers.AutoConfig.for_model(name)
        kinds = [LETTERS.get(kind, "P") for kind in getattr(config, "layer_types", None) or ["full_attention"] * 12]
        turning = getattr(config, "no_rope_layers", None) or [kind == "w" or name != "cohere2" for kind in kinds]
        assert "".join(kind if turns else "N" for kind, turns in zip(kinds, turning, strict=True))[:12] == drawn


def test_the_delta_rule_is_that_of_qwen3_next(cells, chapter):
    from transformers.models.qwen3_next import modeling_qwen3_next as theirs

    chapter |= {"torch": torch}
    run(cells, ["t18-check4"], chapter)
    torch.set_default_dtype(torch.float32)
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 6, 1, 4)  # (batch, rows, heads, d)
    share, decay = torch.rand(1, 6, 1), -torch.rand(1, 6, 1)
    made, _ = theirs.torch_recurrent_gated_delta_rule(q, k, v, decay, share)
    state, ours = torch.zeros(4, 4), []
    for n in range(6):
        state = state * decay[0, n, 0].exp()
        state = chapter["delta"](state, k[0, n, 0], v[0, n, 0], share[0, n, 0])
        ours.append(state.mT @ q[0, n, 0] / 4**0.5)
    torch.testing.assert_close(torch.stack(ours), made[0, :, 0], atol=1e-5, rtol=0)


INDEXER = {"index_n_heads": 4, "index_head_dim": 16, "index_topk": 5}


def small_indexer():
    """An indexer with random parameters, and what it gets: words, latents of queries, places."""
    from transformers.models.deepseek_v32 import modeling_deepseek_v32 as theirs

    config = transformers.AutoConfig.for_model(
        "deepseek_v32",
        **{"hidden_size": 64, "q_lora_rank": 24, "qk_rope_head_dim": 8, "head_dim": 8},
        **INDEXER,
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
    )
    torch.manual_seed(0)
    m = filled(theirs.DeepseekV32Indexer(config, layer_idx=0))
    words, latents, places = torch.randn(1, 12, 64), torch.randn(1, 12, 24), torch.arange(12)[None]
    turn = theirs.DeepseekV32RotaryEmbedding(config)(words, places)
    return m, words, latents, turn


def test_the_cheap_score_is_that_of_deepseek_v32_s_indexer(cells, chapter, monkeypatch):
    run(cells, ["t18-indexcode"], chapter)
    torch.set_default_dtype(torch.float32)
    m, words, latents, turn = small_indexer()
    hidden = ~causal_mask(12)[0]
    given = []
    topk = torch.Tensor.topk
    monkeypatch.setattr(torch.Tensor, "topk", lambda x, *args, **named: given.append(x) or topk(x, *args, **named))
    places = torch.zeros(1, 12, 12).masked_fill(hidden, -torch.inf)
    chosen = m(words, latents, turn, places, None)[0]
    with torch.no_grad():
        q = m.wq_b(latents)[0].unflatten(-1, (4, 16)).transpose(0, 1)  # (heads, queries, d)
        k = m.k_norm(m.wk(words))[0]  # (keys, d)
        first = {"frequencies": rotary_frequencies(8)}
        scores = chapter["cheap_scores"](rotary(q, **first), rotary(k, **first), m.weights_proj(words)[0])
    torch.testing.assert_close(given[0][0], scores.masked_fill(hidden, -torch.inf))
    assert {*chosen[11].tolist()} == {*scores[11].topk(5).indices.tolist()}


def kept_by(c):
    """Of each kind of layers: how many, numbers for a word, how many words it reads."""
    if hasattr(c, "kv_lora_rank"):
        latents = c.num_hidden_layers, c.kv_lora_rank + c.qk_rope_head_dim
        if not hasattr(c, "index_topk"):
            return [(*latents, math.inf)]
        return [(*latents, c.index_topk), (c.num_hidden_layers, c.index_head_dim, math.inf)]
    size = getattr(c, "head_dim", None) or c.hidden_size // c.num_attention_heads
    numbers = 2 * (c.num_key_value_heads or c.num_attention_heads) * size
    window = getattr(c, "sliding_window", None)
    usual = ["sliding" if window else "full"] * c.num_hidden_layers
    layers = getattr(c, "layer_types", None) or usual
    words = [window if one.startswith("sliding") else math.inf for one in layers]
    return [(words.count(w), numbers, w) for w in sorted(set(words))]


PRICED = ["llama", "mistral", "gemma2", "gpt_oss", "deepseek_v3", "deepseek_v32"]


def test_prices_are_those_of_the_configurations(cells, chapter):
    run(cells, ["t18-pricecode"], chapter)
    assert {n: kept_by(transformers.AutoConfig.for_model(n)) for n in PRICED} == chapter["KEPT"]


LATENTS = {
    **{"head_dim": 8, "num_key_value_heads": 4, "q_lora_rank": 24, "kv_lora_rank": 12},
    **{"qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16},
    "first_k_dense_replace": 2,
}
MORE = {
    "gpt_oss": {"num_local_experts": 2, "num_experts_per_tok": 1},
    "deepseek_v3": LATENTS,
    "deepseek_v32": {**LATENTS, **INDEXER},
}


@pytest.mark.parametrize("name", PRICED)
def test_a_model_s_own_cache_keeps_these_numbers_for_a_word(name):
    model = small_model(name, **MORE.get(name, {}))
    with torch.no_grad():
        layers = model(input_ids=TOKENS, use_cache=True).past_key_values.layers
    parts = [x for layer in layers for x in vars(layer).values() if isinstance(x, torch.Tensor)]
    numbers = sum(x.numel() for x in parts if x.dim())  # one has none: the size of its window
    assert numbers == TOKENS.numel() * sum(layers * each for layers, each, _ in kept_by(model.config))
