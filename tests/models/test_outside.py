"""Models outside chapter 18's guide, a few lines of the package each, against their own modules.

A line takes a model's maps and norms, and does what is between them: weights and outputs are those
of the model's own module.
"""

import math

import pytest
import torch
import torch.nn.functional as F

from d2lmini import DotProductAttention, MultiHeadAttention, causal_mask, window_mask
from d2lmini.scores import alibi, offsets, rotary, rotary_frequencies, rotary_scale, sink_softmax

transformers = pytest.importorskip("transformers")

from published import TOKENS, caught, small_model  # noqa: E402

BEFORE, WINDOW = causal_mask(12), window_mask(12, window=4)  # (1, queries, keys)
MODELS = {}


def outside(name, at="layers.1.self_attn", inputs=None, model=None, **config):
    """Enter a line: where its model has the module, and what a small configuration says besides."""

    def enter(line):
        MODELS[name] = line, model or name, at, inputs or {"input_ids": TOKENS}, config
        return line

    return enter


# ---- what many have in common --------------------------------------------------------------------


def split(x, heads=4):
    """Heads of a map's numbers, (batch, 4, rows, size): each as often as heads of queries need it."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2).repeat_interleave(4 // heads, dim=1)


def three(m, x, groups=2):
    return split(m.q_proj(x)), split(m.k_proj(x), groups), split(m.v_proj(x), groups)


def turn(rope, *several, **named):
    speeds = rotary_frequencies(several[0].shape[-1], rope_parameters=rope)
    return [rotary_scale(rope) * rotary(x, frequencies=speeds, **named) for x in several]


class WithSink(DotProductAttention):
    def __init__(self, sink):
        super().__init__()
        self.sink = sink

    def weigh(self, scores, valid_lens, mask):
        return sink_softmax(scores, valid_lens, mask=mask, sink=self.sink)


def pool(q, k, v, out=None, sink=None, scale=None, **named):
    """The values pooled, all heads side by side, or what `out` makes of them, and the weights."""
    attention = DotProductAttention(scale=scale) if sink is None else WithSink(sink)
    pooled, weights = attention(q, k, v, return_weights=True, **named)
    pooled = pooled.transpose(1, 2).flatten(2)
    return pooled if out is None else out(pooled), weights


def with_maps(m, out, **named):
    """The package's multi-head attention with a model's own maps."""
    attention = MultiHeadAttention(64, 4, **named)
    attention.W_q, attention.W_k, attention.W_v, attention.W_o = m.q_proj, m.k_proj, m.v_proj, out
    return attention


EXPERTS = {"num_experts": 2, "num_local_experts": 2, "n_routed_experts": 2, "num_experts_per_tok": 1}
EXPERTS |= {"moe_intermediate_size": 16, "shared_expert_intermediate_size": 16}
FULL, DENSE = {"layer_types": ["full_attention"] * 2}, {"mlp_layer_types": ["dense"] * 2}
SLIDING = {"layer_types": ["sliding_attention"] * 2, "sliding_window": 4}
BY_LAYER = {"hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": 50, "num_kv_shared_layers": 0}
LATENTS = {"q_lora_rank": 24, "o_groups": 2, "o_lora_rank": 8, "partial_rotary_factor": 0.5}
LATENT = {"kv_lora_rank": 12, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16, "v_head_dim": 8}
DELTAS = {"linear_head_dim": 16, "linear_num_heads": 4, "num_key_value_heads": 4}
ALPHA = {"rope_type": "dynamic", "factor": 1.0, "alpha": 50.0, "rope_theta": 10_000.0}
LOCAL = {"swa_num_attention_heads": 4, "swa_num_key_value_heads": 2, "swa_head_dim": 16}
BY_DISTANCE = {"d_rel": 4, "rel_extent": 6, "log_scaling_n_floor": 4}
INDEXER = {"indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 16}
INDEXER |= {"indexer_budget": 4, "indexer_compress_ratio": 2}
HEARD = {"d_model": 64, "num_mel_bins": 8, "max_source_positions": 10, "max_target_positions": 20}
HEARD |= {"encoder_layers": 2, "encoder_attention_heads": 4, "encoder_ffn_dim": 32, "decoder_start_token_id": 1}
HEARD |= {"decoder_layers": 2, "decoder_attention_heads": 4, "decoder_ffn_dim": 32}
SEEN = dict.fromkeys(["num_hidden_layers", "num_attention_heads", "hidden_size", "head_dim"])  # has its own
SEEN |= {"image_size": 8, "patch_size": 1, "embed_dim": 32, "depths": [1], "num_heads": [4], "window_size": 4}
SOUND = {"input_features": torch.linspace(-1, 1, 160).view(1, 8, 20), "decoder_input_ids": TOKENS}
PICTURE = {"pixel_values": torch.linspace(-1, 1, 192).view(1, 3, 8, 8).sin()}


# ---- the lines: (module, what it says of places, its input) -> (output, weights) -----------------


@outside("opt", "decoder.layers.1.self_attn", ffn_dim=32, word_embed_proj_dim=64)
def opt(m, rope, x):
    return with_maps(m, m.out_proj)(x, x, x, mask=BEFORE, return_weights=True)


@outside("whisper", "decoder.layers.1.encoder_attn", SOUND, **HEARD)
def whisper(m, rope, x, heard):
    return with_maps(m, m.out_proj)(x, heard, heard, return_weights=True)


@outside("starcoder2", sliding_window=4)
def starcoder2(m, rope, x):
    q, k, v = three(m, x)
    return pool(*turn(rope, q, k), v, m.o_proj, mask=WINDOW)


@outside("falcon_rw", "h.1.self_attention", model="falcon", alibi=True, multi_query=False, head_dim=None)
def falcon_rw(m, rope, x, times=2):  # under the root, too; the plain way of 5.24 adds it twice
    q, k, v = split(m.query_key_value(x)).chunk(3, dim=-1)
    return pool(q, k, v, m.dense, mask=BEFORE, bias=times * alibi(4, 12) / math.sqrt(16))


@outside("falcon", "h.1.self_attention", head_dim=None)
def falcon(m, rope, x):  # one head of keys for all
    q, k, v = m.query_key_value(x).split([64, 16, 16], dim=-1)
    return pool(*turn(rope, split(q), split(k, 1)), split(v, 1), m.dense, mask=BEFORE)


@outside("gemma3n_text", **BY_LAYER, **FULL, laurel_rank=4)
@outside("gemma4_text", **BY_LAYER, **FULL, global_head_dim=16)  # the pairs' first quarter turns
def gemma(m, rope, x):  # values have a norm, too
    q, k, v = three(m, x)
    return pool(*turn(rope, m.q_norm(q), m.k_norm(k)), m.v_norm(v), m.o_proj, scale=1.0, mask=BEFORE)


@outside("cohere", use_qk_norm=True)
def cohere(m, rope, x):  # the norm of each head has a scale of its own
    q, k, v = three(m, x)
    g, h = (split(n.weight.flatten()[None, None], len(n.weight)) for n in (m.q_norm, m.k_norm))
    q, k = g * F.layer_norm(q, [16]), h * F.layer_norm(k, [16])
    return pool(*turn(rope, q, k, interleaved=True), v, m.o_proj, mask=BEFORE)


@outside("hunyuan_v1_dense", rope_parameters=ALPHA)
def hunyuan(m, rope, x):  # alpha stretches the base; norms come after the turn
    q, k, v = three(m, x)
    q, k = turn({"rope_theta": rope["rope_theta"] * rope["alpha"] ** (16 / 14)}, q, k)
    return pool(m.query_layernorm(q), m.key_layernorm(k), v, m.o_proj, mask=BEFORE)


@outside("llama4_text", **EXPERTS, intermediate_size_mlp=32, no_rope_layers=[1, 0], floor_scale=4)
def llama4(m, rope, x):  # the layer without places: a temperature that grows with the place
    q, k, v = three(m, x)
    grown = 1 + m.attn_scale * (torch.arange(1, 13) / 4).floor().log1p()[:, None]
    return pool(grown * q, k, v, m.o_proj, mask=BEFORE)


@outside("gpt_oss", **EXPERTS)
def gpt_oss(m, rope, x):  # YaRN is its default
    q, k, v = three(m, x)
    return pool(*turn(rope, q, k), v, m.o_proj, sink=m.sinks, mask=BEFORE)


@outside("mimo_v2_flash", **SLIDING, **EXPERTS, **DENSE, num_key_value_heads=1, head_dim=24, v_head_dim=8)
def mimo(m, rope, x):  # windows have sinks, and twice the heads of keys
    q, k, v = three(m, x)
    return pool(*turn(rope, q, k), m.v_scale * v, m.o_proj, sink=m.sinks, mask=WINDOW)


@outside("deepseek_v4", **SLIDING, **EXPERTS, **LATENTS, mlp_layer_types=["moe"] * 2, hc_mult=2)
def deepseek_v4(m, rope, x):  # K = V: what turned with the keys is turned back
    speeds = F.pad(rotary_frequencies(16, rope_parameters=rope), (4, 0))  # the last numbers turn
    q = m.q_b_norm(split(m.q_b_proj(m.q_a_norm(m.q_a_proj(x)))))
    kv = split(m.kv_norm(m.kv_proj(x)), 1)
    q, kv = (rotary(y, frequencies=speeds, interleaved=True) for y in (q, kv))
    pooled, weights = pool(q, kv, kv, sink=m.sinks, mask=WINDOW)
    pooled = rotary(split(pooled), frequencies=-speeds, interleaved=True).transpose(1, 2)
    return m.o_b_proj(m.o_a_proj(pooled.unflatten(2, (2, 2)).flatten(3)).flatten(2)), weights


@outside("kimi_linear", **FULL, **EXPERTS, **DENSE, **LATENT, **DELTAS)
def kimi_linear(m, rope, x):  # keys and values from one latent; nothing turns
    latent, shared = m.kv_a_proj_with_mqa(x).split([12, 8], dim=-1)
    k, v = split(m.kv_b_proj(m.kv_a_layernorm(latent))).split([16, 8], dim=-1)
    return pool(split(m.q_proj(x)), torch.cat([k, split(shared, 1)], dim=-1), v, m.o_proj, mask=BEFORE)


@outside("inkling_text", **EXPERTS, **DENSE, **LOCAL, **BY_DISTANCE, layer_types=["hybrid_sliding", "hybrid"])
def inkling(m, rope, x):  # what a distance adds depends on the query's word
    k, v = m.k_sconv(m.k_proj(x)), m.v_sconv(m.v_proj(x))  # neighbours are mixed first
    q, k = m.q_norm(split(m.q_proj(x))), m.k_norm(split(k, 2))
    far = -offsets(12)
    added = split(m.r_proj(x)) @ m.rel_logits_proj.proj  # (1, heads, queries, distances)
    bias = added.gather(-1, far.clamp(0, 5).expand(1, 4, 12, 12)) * ((far >= 0) & (far < 6))
    tau = 1 + 0.1 * (torch.arange(1, 13) / 4).clamp(min=1).log()[:, None]  # grows with the place
    return pool(tau * q, k, split(v, 2), m.o_proj, scale=1 / 16, bias=tau * bias, mask=BEFORE)


@outside("diffllama")
def diffllama(m, rope, x):  # from half of the heads the other half is taken
    q, k, _ = three(m, x)
    pooled, weights = pool(*turn(rope, q, k), split(m.v_proj(x), 1), mask=BEFORE)
    first, second = split(pooled).chunk(2, dim=1)
    share = (m.lambda_q1 @ m.lambda_k1).exp() - (m.lambda_q2 @ m.lambda_k2).exp() + m.lambda_init
    left = (1 - m.lambda_init) * m.groupnorm(first - share * second)
    return m.o_proj(left.transpose(1, 2).flatten(2)), weights


@outside("qwen3_next", **FULL, **EXPERTS)
def qwen3_next(m, rope, x, mask=BEFORE):  # a gate beside the query of each head
    q, gate = split(m.q_proj(x)).chunk(2, dim=-1)
    k, v = split(m.k_proj(x), 2), split(m.v_proj(x), 2)
    pooled, weights = pool(*turn(rope, m.q_norm(q), m.k_norm(k)), v, mask=mask)
    return m.o_proj(pooled * gate.sigmoid().transpose(1, 2).flatten(2)), weights


@outside("qwen4_exp_text", **FULL, **EXPERTS, **INDEXER, hc_count=2, hc_lowrank=8)
def qwen4_exp(m, rope, x):  # an indexer chooses two blocks of two keys; the rest is qwen3_next
    return qwen3_next(m, rope, x, mask=chosen(m.indexer, rope, x))


def chosen(indexer, rope, x):
    """Of the whole blocks before a query the two best, and what is not in a whole block yet."""
    heads = indexer.index_qk_proj(x).unflatten(-1, (3, 16)).transpose(1, 2)  # two ask
    blocks = indexer.k_layernorm(heads[:, 2:].unflatten(2, (6, 2)).mean(dim=-2))  # (1, 1, blocks, d)
    (blocks,) = turn(rope, blocks, positions=torch.arange(0, 12, 2))
    (q,) = turn(rope, indexer.q_layernorm(heads[:, :2]))
    whole = torch.arange(2, 14, 2) <= torch.arange(1, 13)[:, None]  # (queries, blocks)
    scores = (q @ blocks.mT).relu().sum(dim=1).masked_fill(~whole, -math.inf)  # (1, queries, blocks)
    best = torch.zeros(1, 12, 6, dtype=torch.bool).scatter(-1, scores.topk(2).indices, True)
    return (best | ~whole).repeat_interleave(2, dim=-1) & BEFORE


@outside("swinv2", "encoder.layers.0.blocks.0.attention.self", PICTURE, **SEEN)
def swinv2(m, rope, x):  # cosines; a small network makes the bias of each offset
    q, k = F.normalize(split(m.query(x)), dim=-1), F.normalize(split(m.key(x)), dim=-1)
    table = 16 * m.continuous_position_bias_mlp(m.relative_coords_table).flatten(0, 2).sigmoid()
    bias = table[m.relative_position_index].permute(2, 0, 1)
    return pool(m.logit_scale.clamp(max=math.log(100)).exp() * q, k, split(m.value(x)), scale=1.0, bias=bias)


# Drawn by lot.


@outside("nemotron_h", "layers.1.mixer", **EXPERTS, layers_block_type=["attention"] * 2, num_hidden_layers=None)
def nemotron_h(m, rope, x):
    return with_maps(m, m.o_proj, num_kv_heads=2)(x, x, x, mask=BEFORE, return_weights=True)


@outside("lfm2_moe", **EXPERTS, **FULL)
def lfm2_moe(m, rope, x):
    q, k, v = three(m, x)
    return pool(*turn(rope, m.q_layernorm(q), m.k_layernorm(k)), v, m.out_proj, mask=BEFORE)


LONG = {"input_ids": torch.arange(3, 27)[None]}


@outside("big_bird", "encoder.layer.1.attention.self", LONG, block_size=2, num_random_blocks=2)
def big_bird(m, rope, x):  # blocks of two; after training the two "random" blocks are the first again
    own, other = torch.arange(12)[:, None], torch.arange(12)
    ends = own % 11 == 0
    seen, again = ends | (other % 11 == 0) | ((own - other).abs() < 2), ~ends & (other == 0)
    seen, again = (y.repeat_interleave(2, 0).repeat_interleave(2, 1) for y in (seen, again))
    q, k, v = split(m.query(x)), split(m.key(x)), split(m.value(x))
    pooled, weights = pool(q, k, v, mask=seen[None], bias=again * math.log(3))
    return pooled, torch.where(again, weights / 3, weights)  # it shows one of the three


# ---- against transformers ------------------------------------------------------------------------


def at_work(name, **more):
    line, model, at, inputs, config = MODELS[name]
    m, got = caught(small_model(model, **config, **more), at, **inputs)
    rope = getattr(getattr(m, "config", None), "rope_parameters", None) or {}
    rope = rope.get(getattr(m, "layer_type", None), rope.get("main", rope))  # some have several
    words = [got[one] for one in ("hidden_states", "key_value_states") if one in got]
    return lambda **named: line(m, rope, *words, **named), got["made"]


@pytest.mark.parametrize("name", MODELS)
@torch.no_grad()
def test_weights_and_outputs_are_those_of_the_model_s_own_module(name):
    line, (output, weights, *_) = at_work(name)
    assert 0.12 < weights.amax(dim=-1).mean() < 0.95  # neither even nor on one key
    for ours, theirs in zip(line(), (output, weights), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=0)


@torch.no_grad()
def test_the_fused_way_of_falcon_adds_its_bias_once():
    line, (output, *_) = at_work("falcon_rw", attention="sdpa")
    torch.testing.assert_close(line(times=1)[0], output, atol=1e-5, rtol=0)


TRAINED = {"rope_theta": 500_000.0, "original_max_position_embeddings": 4096}
YARN = {"rope_type": "yarn", "factor": 40.0, **TRAINED}
DYNAMIC = {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 10_000.0}
ROPES = [
    {"rope_type": "linear", "factor": 4.0, "rope_theta": 10_000.0, "partial_rotary_factor": 0.5},
    YARN,
    YARN | {"truncate": False, "beta_fast": 24.0, "beta_slow": 2.0},
    YARN | {"mscale": 1.0, "mscale_all_dim": 0.7, "partial_rotary_factor": 0.25},
    YARN | {"attention_factor": 1.3},
    {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, **TRAINED},
    {"rope_type": "proportional", "rope_theta": 1_000_000.0, "partial_rotary_factor": 0.25, "factor": 2.0},
]
CASES = [(told, None) for told in ROPES] + [(DYNAMIC, n) for n in (None, 100, 4096, 5000, 100_000)]


@pytest.mark.parametrize(("told", "seq_len"), CASES)
def test_speeds_and_scales_are_those_of_transformers(told, seq_len):
    config = transformers.LlamaConfig(head_dim=64, max_position_embeddings=4096, rope_parameters=dict(told))
    of_kind = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS[told["rope_type"]]
    speeds, scale = of_kind(config, "cpu", seq_len=seq_len)
    told = told | ({"max_position_embeddings": 4096} if told is DYNAMIC else {})
    ours = rotary_frequencies(64, rope_parameters=told, seq_len=seq_len)
    torch.testing.assert_close(ours, speeds.double(), rtol=1e-6, atol=0)
    assert rotary_scale(told) == pytest.approx(scale, rel=1e-6)
