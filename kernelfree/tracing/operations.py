"""The names of what a page can compute. Who builds a book needs them without PyTorch."""

# What `js/engine/operations.js` defines.
OPERATIONS = """
abs add all amax amin any arange argmax bitwise_and bitwise_not bitwise_or bmm cat ceil clamp
clamp_max clamp_min div eq exp expand expand_as flatten floor floor_divide full full_like ge
getitem gt isnan le linear log logical_and logical_not logical_or lt mT masked_fill matmul max
maximum mean min minimum mm mul ne neg new_zeros numpy_T ones ones_like permute pow relu remainder
repeat_interleave reshape rsub select sigmoid slice softmax split sqrt square squeeze stack sub
sum sym_float sym_size tanh to transpose unbind unflatten unsqueeze view where zeros zeros_like
"""
# What `js/engine/uncommon.js` adds.
UNCOMMON = """
addmm argmin argsort atan2 baddbmm binary_cross_entropy_with_logits bitwise_xor cdist chunk cos
cosine_similarity cross_entropy_loss cumprod cumsum diagonal dot einsum elu embedding erf expm1
eye flip fmod gather gelu index index_select isfinite isinf l1_loss layer_norm leaky_relu
linalg_vector_norm linspace log1p log2 log_softmax logical_xor logsumexp movedim mse_loss mv
narrow new_full new_ones nll_loss_nd one_hot outer pad prod reciprocal repeat roll round rsqrt
scalar_tensor scaled_dot_product_attention sign silu sin softplus sort std topk tril triu trunc
var view_as
"""
