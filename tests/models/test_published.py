"""`d2lmini.scores` against published models: the weights of their own modules, randomly filled."""

import functools

import pytest
import torch
from exhaustive import EXHAUSTIVE
from rules import RULES

transformers = pytest.importorskip("transformers")
transformers.logging.set_verbosity_error()

SMALL = {
    "vocab_size": 50,
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 32,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
TOKENS = torch.arange(3, 15)[None]  # (batch, rows)
ATTENTION = {"self_attn", "attention", "attn", "self_attention", "SelfAttention"}
# What `make test` runs; `make test-all` runs them all.
FEW = ["llama", "t5", "bloom", "gemma2", "qwen3", "gpt_oss"]


@functools.cache
def built(name):
    """A small model with random parameters, and its configuration."""
    options = {**SMALL, **RULES[name][1]}
    config = transformers.AutoConfig.for_model(name, **options)
    torch.manual_seed(0)
    model = transformers.AutoModel.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn_like(parameter)
            parameter.copy_(0.2 * noise if parameter.dim() > 1 else 1 + 0.3 * noise)
    return model, config


@pytest.mark.parametrize("name", RULES if EXHAUSTIVE else FEW)
def test_a_rule_gives_the_model_s_own_weights(name):
    model, config = built(name)
    module = next(m for n, m in model.named_modules() if n.split(".")[-1] in ATTENTION)
    entered = []

    def keep(_, given, named):
        entered.append(named.get("hidden_states", given[0] if given else None))

    with torch.no_grad():
        module.register_forward_pre_hook(keep, with_kwargs=True)
        more = {"decoder_input_ids": TOKENS} if config.is_encoder_decoder else {}
        made = model(input_ids=TOKENS, output_attentions=True, **more)
        theirs = (made.encoder_attentions if more else made.attentions)[0]
        ours = RULES[name][0](module, entered[0], config)
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)
    # Neither even nor all on one key: a wrong rule would not pass.
    assert 0.15 < theirs.amax(dim=-1).mean() < 0.95
