"""Small copies of published models with random parameters, and what goes in and out of a module."""

import torch
import transformers

SMALL = {
    **{"vocab_size": 50, "hidden_size": 64, "intermediate_size": 32, "num_hidden_layers": 2},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16},
    **{"max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2},
}
TOKENS = torch.arange(3, 15)[None]  # (batch, rows)


def small_config(name, **more):
    told = {key: value for key, value in {**SMALL, **more}.items() if value is not None}
    return transformers.AutoConfig.for_model(name, **told)


def filled(module):
    """The module, with scores that are neither all alike nor far apart, in whatever it learned."""
    for name, parameter in module.named_parameters():
        noise = torch.randn(parameter.shape)
        around_0 = noise.dim() > 1 or "lambda" in name  # whose products are exponents
        parameter.data = 0.2 * noise if around_0 else 1 + 0.3 * noise
    return module


def small_model(name, attention="eager", **more):
    torch.manual_seed(0)
    config = small_config(name, **more)
    return filled(transformers.AutoModel.from_config(config, attn_implementation=attention).eval())


def caught(model, path, **inputs):
    """A module of the model, what it got by name, and what it gave, in one call."""
    module, calls = model.get_submodule(path), []

    def catch(module, given, named, made):
        calls.append(({"hidden_states": given[0]} if given else {}) | named | {"made": made})

    module.register_forward_hook(catch, with_kwargs=True)
    model(**inputs, output_attentions=model.config._attn_implementation == "eager")
    return module, calls[0]
