"""How published models weigh: each rule in a few lines of `d2lmini`, from a module's own maps.

A rule takes the attention module of a model, what went into it, and its configuration; it returns
the weights, (batch, heads, queries, keys). It was read from the model's code in `transformers`.
"""

import torch

from d2lmini import causal_mask, masked_softmax
from d2lmini.scores import (
    alibi,
    distance_buckets,
    offsets,
    rotary,
    rotary_frequencies,
    sink_softmax,
    soft_cap,
)

D = 16  # numbers of a head


def heads(X, size=D):
    return X.unflatten(-1, (-1, size)).transpose(1, 2)  # (batch, heads, rows, size)


def q_and_k(m, X):
    return heads(m.q_proj(X)), heads(m.k_proj(X))


def dot(q, k):
    """Products; each head of keys serves a group of queries' heads."""
    return q @ k.repeat_interleave(q.shape[1] // k.shape[1], dim=1).mT


def causal(scores):
    return masked_softmax(scores, mask=causal_mask(scores.shape[-1]))


def turned(config, *xs, dim=None, interleaved=False, backwards=False):
    """Queries and keys with rotary positions, as a configuration's `rope_parameters` say."""
    told = config.rope_parameters
    told = told if "rope_theta" in told else told[config.layer_types[0]]  # by kind of layer
    dim = dim or int(xs[0].shape[-1] * told.get("partial_rotary_factor", 1.0))
    frequencies = rotary_frequencies(dim, told["rope_theta"]) * (-1 if backwards else 1)
    return [rotary(x, frequencies=frequencies, interleaved=interleaved) for x in xs]


def normed(x, norm, eps, plus=0.0):
    """RMSNorm, with a learned scale if there is one."""
    scale = 1.0 if norm is None else plus + norm.weight
    return scale * x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt()


def both_normed(m, c, q, k, plus=0.0):
    eps = c.rms_norm_eps
    return normed(q, m.q_norm, eps, plus), normed(k, m.k_norm, eps, plus)


# ---- places --------------------------------------------------------------------------------------


def gpt2(m, X, c):
    q, k, _ = m.c_attn(X).chunk(3, dim=-1)
    return causal(dot(heads(q), heads(k)) / D**0.5)


def bert(m, X, c):
    return masked_softmax(dot(heads(m.self.query(X)), heads(m.self.key(X))) / D**0.5)


def llama(m, X, c):
    q, k = turned(c, *q_and_k(m, X))
    return causal(dot(q, k) / D**0.5)


def phi3(m, X, c):
    q, k, _ = m.qkv_proj(X).split([64, 32, 32], dim=-1)
    q, k = turned(c, heads(q), heads(k))
    return causal(dot(q, k) / D**0.5)


def gpt_neox(m, X, c):
    q, k, _ = heads(m.query_key_value(X), 3 * D).chunk(3, dim=-1)
    q, k = turned(c, q, k)
    return causal(dot(q, k) / D**0.5)


def gptj(m, X, c):
    frequencies = rotary_frequencies(c.rotary_dim)
    q, k = (rotary(x, frequencies=frequencies, interleaved=True) for x in q_and_k(m, X))
    return causal(dot(q, k) / D**0.5)


def modernbert(m, X, c):
    q, k, _ = m.Wqkv(X).unflatten(-1, (3, 4, D)).transpose(1, 3).unbind(dim=2)
    q, k = turned(c, q, k)
    return masked_softmax(dot(q, k) / D**0.5)


def t5(m, X, c):
    far = c.relative_attention_num_buckets, c.relative_attention_max_distance
    bias = m.relative_attention_bias.weight[distance_buckets(offsets(X.shape[1]), *far)]
    return masked_softmax(dot(heads(m.q(X)), heads(m.k(X))) + bias.permute(2, 0, 1))


def bloom(m, X, c):
    q, k, _ = m.query_key_value(X).unflatten(-1, (4, 3, D)).transpose(1, 2).unbind(dim=-2)
    return causal(dot(q, k) / D**0.5 + alibi(4, X.shape[1]))


def mpt(m, X, c):
    q, k, _ = m.Wqkv(X).chunk(3, dim=-1)
    return causal(dot(heads(q), heads(k)) / D**0.5 + alibi(4, X.shape[1]))


def smollm3(m, X, c):
    q, k = q_and_k(m, X)
    q, k = turned(c, q, k) if m.use_rope else (q, k)  # every fourth layer has no places
    return causal(dot(q, k) / D**0.5)


def cohere2(m, X, c):
    q, k = q_and_k(m, X)
    q, k = turned(c, q, k, interleaved=True) if m.sliding_window else (q, k)
    return causal(dot(q, k) / D**0.5)


def ministral3(m, X, c):
    told, places = c.rope_parameters, torch.arange(X.shape[1])
    late = torch.floor(places / told["original_max_position_embeddings"])
    q, k = turned(c, *q_and_k(m, X))
    return causal(dot(q, k) * (1 + told["llama_4_scaling_beta"] * late.log1p())[:, None] / D**0.5)


def deepseek_v3(m, X, c):
    plain, rope = c.qk_nope_head_dim, c.qk_rope_head_dim
    q = heads(m.q_b_proj(m.q_a_layernorm(m.q_a_proj(X))), plain + rope)
    latent, shared = m.kv_a_proj_with_mqa(X).split([c.kv_lora_rank, rope], dim=-1)
    latent, W = m.kv_a_layernorm(latent), m.kv_b_proj.weight.unflatten(0, (4, -1))[:, :plain]
    q_place, k_place = turned(c, q[..., plain:], shared[:, None], dim=rope, interleaved=True)
    bilinear = q[..., :plain] @ W @ latent[:, None].mT  # what is cached is never made a key
    return causal((bilinear + dot(q_place, k_place)) / (plain + rope) ** 0.5)


# ---- bounds --------------------------------------------------------------------------------------


def gemma2(m, X, c):
    q, k = turned(c, *q_and_k(m, X))
    scores = dot(q, k) / c.query_pre_attn_scalar**0.5
    return causal(soft_cap(scores, c.attn_logit_softcapping))


def gemma3(m, X, c):
    q, k = both_normed(m, c, *q_and_k(m, X), plus=1.0)
    q, k = turned(c, q, k)
    return causal(dot(q, k) / c.query_pre_attn_scalar**0.5)


def qwen3(m, X, c):
    q, k = turned(c, *both_normed(m, c, *q_and_k(m, X)))
    return causal(dot(q, k) / D**0.5)


def olmo2(m, X, c):
    q, k = both_normed(m, c, m.q_proj(X), m.k_proj(X))  # over all heads together
    q, k = turned(c, heads(q), heads(k))
    return causal(dot(q, k) / D**0.5)


def exaone4(m, X, c):
    q, k = both_normed(m, c, *q_and_k(m, X))
    q, k = turned(c, q, k) if m.sliding_window is None or m.is_sliding else (q, k)
    return causal(dot(q, k) / D**0.5)


def llama4(m, X, c):
    q, k = turned(c, *q_and_k(m, X), interleaved=True)
    q, k = (normed(x, None, c.rms_norm_eps) for x in (q, k))  # after the turn, nothing learned
    return causal(dot(q, k) / D**0.5)


def nanochat(m, X, c):
    q, k = turned(c, *q_and_k(m, X), backwards=True)
    q, k = (normed(x, None, c.rms_norm_eps) for x in (q, k))
    return causal(dot(q, k) / D**0.5)


def persimmon(m, X, c):
    q, k, _ = m.query_key_value(X).unflatten(-1, (4, 3, D)).transpose(1, 2).unbind(dim=-2)
    q, k = turned(c, m.q_layernorm(q), m.k_layernorm(k))  # half of each head turns
    return causal(dot(q, k) / D**0.5)


def granite(m, X, c):
    q, k = turned(c, *q_and_k(m, X))
    return causal(dot(q, k) * c.attention_multiplier)


# ---- weights that need not sum to 1 --------------------------------------------------------------


def gpt_oss(m, X, c):
    q, k = turned(c, *q_and_k(m, X))
    scores = dot(q, k) / D**0.5
    return sink_softmax(scores, mask=causal_mask(X.shape[1]), sink=m.sinks)


ROPE = {"rope_type": "default", "rope_theta": 10_000.0}
# Folder in `transformers` -> its rule, and what its configuration has besides small sizes.
RULES = {
    "gpt2": (gpt2, {}),
    "bert": (bert, {}),
    "llama": (llama, {}),
    "mistral": (llama, {}),
    "phi3": (phi3, {}),
    "gpt_neox": (gpt_neox, {}),
    "gptj": (gptj, {"rotary_dim": 8}),
    "modernbert": (modernbert, {}),
    "stablelm": (llama, {}),
    "t5": (t5, {"d_kv": D, "d_ff": 32}),
    "bloom": (bloom, {}),
    "mpt": (mpt, {}),
    "smollm3": (smollm3, {}),
    "cohere2": (cohere2, {}),
    "ministral3": (
        ministral3,
        {
            "rope_parameters": {
                **ROPE,
                "original_max_position_embeddings": 4,
                "llama_4_scaling_beta": 0.1,
            }
        },
    ),
    "deepseek_v3": (
        deepseek_v3,
        {
            "head_dim": 8,
            "num_key_value_heads": 4,
            "q_lora_rank": 24,
            "kv_lora_rank": 12,
            "qk_nope_head_dim": 16,
            "qk_rope_head_dim": 8,
            "v_head_dim": 16,
            "rope_parameters": ROPE,
            "first_k_dense_replace": 2,
        },
    ),
    "gemma2": (gemma2, {"attn_logit_softcapping": 5.0}),
    "gemma3_text": (gemma3, {}),
    "qwen3": (qwen3, {}),
    "apertus": (qwen3, {"rope_parameters": ROPE}),
    "olmo2": (olmo2, {}),
    "olmo3": (olmo2, {}),
    "exaone4": (exaone4, {}),
    "llama4_text": (llama4, {"intermediate_size_mlp": 32, "num_local_experts": 2}),
    "nanochat": (nanochat, {}),
    "persimmon": (persimmon, {}),
    "granite": (granite, {"attention_multiplier": 0.3}),
    "gpt_oss": (
        gpt_oss,
        {"rope_parameters": ROPE, "num_local_experts": 2, "num_experts_per_tok": 1},
    ),
}
