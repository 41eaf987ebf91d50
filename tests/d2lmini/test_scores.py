"""Scores as today's models make them, against loops in float64 and against FlexAttention."""

import functools
import math
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from attentions import KINDS, build
from hypothesis import given, settings
from torch.nn.attention.flex_attention import AuxRequest, flex_attention

from d2lmini import DotProductAttention, MultiHeadAttention, causal_mask, masked_softmax
from d2lmini import scores as rules

seeds = st.integers(0, 2**31)


def drawn(seed, *shape, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def test_a_star_gives_what_is_public():
    told = [name for name, one in vars(rules).items() if "Parameters\n" in (getattr(one, "__doc__", None) or "")]
    assert sorted(rules.__all__) == sorted(told)


# ---- rotary positions --------------------------------------------------------------------------


@settings(deadline=None)
@given(seed=seeds, pairs=st.integers(1, 4), left=st.integers(0, 3), interleaved=st.booleans())
def test_pairs_turn_as_complex_numbers_do(seed, pairs, left, interleaved):
    x = drawn(seed, 2, 3, 5, 2 * pairs + left)
    positions = [[4, 0, -2, 9, 1], [0, 1, 2, 3, 100]]
    frequencies = rules.rotary_frequencies(2 * pairs)
    found = rules.rotary(x, torch.tensor(positions), frequencies=frequencies, interleaved=interleaved)
    for b, h, i in np.ndindex(2, 3, 5):
        wanted = x[b, h, i].tolist()
        for m in range(pairs):
            one, two = (2 * m, 2 * m + 1) if interleaved else (m, m + pairs)
            angle = positions[b][i] * 10_000.0 ** (-m / pairs)
            z = complex(wanted[one], wanted[two]) * complex(math.cos(angle), math.sin(angle))
            wanted[one], wanted[two] = z.real, z.imag
        np.testing.assert_allclose(found[b, h, i], wanted, atol=1e-12)


@pytest.mark.parametrize("interleaved", [False, True])
def test_the_score_depends_on_the_difference_of_places_alone(interleaved):
    q, k = drawn(1, 1, 1, 8), drawn(2, 1, 1, 8)

    def score(i, j):
        turn = {"interleaved": interleaved}
        q_i, k_j = (rules.rotary(x, torch.tensor([place]), **turn) for x, place in ((q, i), (k, j)))
        return (q_i * k_j).sum()

    torch.testing.assert_close(score(7, 3), score(1007, 1003))
    torch.testing.assert_close(score(9, 9), (q * k).sum())
    assert len({round(score(i, 3).item(), 6) for i in range(8)}) == 8


def test_rows_stand_at_0_1_2_pairs_are_halves_and_the_base_is_any_above_one():
    x = drawn(3, 1, 2, 6, 4)
    assert torch.equal(rules.rotary(x), rules.rotary(x, torch.arange(6), interleaved=False))
    assert not torch.equal(rules.rotary(x), rules.rotary(x, interleaved=True))
    assert rules.rotary_frequencies(4, 1.5).tolist() == pytest.approx([1, 1.5**-0.5])
    torch.testing.assert_close(rules.rotary(x)[..., 4:, :], rules.rotary(x[..., 4:, :], [4, 5]))
    assert torch.equal(rules.rotary(x)[0, 0], rules.rotary(x[0, 0]))
    places = torch.tensor([[7, *range(5)], [*range(6)]])  # of two examples, without heads
    assert torch.equal(rules.rotary(x[0], places)[0], rules.rotary(x[0, 0], places[0]))


@pytest.mark.parametrize(("dtype", "off"), [(torch.float32, 3e-7), (torch.float16, 2e-3), (torch.bfloat16, 0.02)])
def test_far_places_turn_by_the_true_angle_and_half_types_in_float32(dtype, off):
    x = drawn(4, 1, 3, 8).to(dtype)
    places = torch.tensor([0, 131_072, 10_000_019])
    found = rules.rotary(x, places)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), rules.rotary(x.double(), places), atol=4 * off, rtol=0)
    speeds = rules.rotary_frequencies(8).float()  # the place is far, whatever the speeds' type
    one = rules.rotary(x, places, frequencies=speeds)
    assert torch.equal(one, rules.rotary(x, places, frequencies=speeds.double()))


TRAINED = {"original_max_position_embeddings": 4096}
ROPES = [  # what a configuration says, and what becomes of pair m of 32, which makes n turns
    ({"rope_type": "linear", "factor": 4, "max_position_embeddings": 9, **TRAINED}, lambda m, n: 1 / 4),
    ({"rope_type": "dynamic", "factor": 2, "max_position_embeddings": 100}, lambda m, n: 5 ** (-m / 31)),
    ({"rope_type": "dynamic", "factor": 2, "max_position_embeddings": 200}, lambda m, n: 2 ** (-m / 31)),
    (
        {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 32, **TRAINED},
        lambda m, n: (share := min(max((n - 1) / 31, 0), 1)) + (1 - share) / 8,
    ),
    (
        {"type": "yarn", "factor": 8, "beta_fast": None, **TRAINED},
        # 32 turns and 1 are made by the pairs 10.45 and 22.51: the ramp goes from 10 to 23,
        lambda m, n: slowed(m, 10, 23),
    ),
    # without rounding from there to there; and between the first pair and the last number.
    ({"rope_type": "yarn", "factor": 8, "truncate": False, **TRAINED}, lambda m, n: slowed(m, *map(pair, (32, 1)))),
    ({"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 99}, lambda m, n: slowed(m, 0, 10)),
    (
        {"rope_type": "yarn", "factor": 8, "beta_fast": 1e6, "original_max_position_embeddings": 1e10},
        lambda m, n: slowed(m, 25, 63),
    ),
    (
        {"rope_type": "yarn", "factor": 8, "beta_fast": 1, "truncate": False, **TRAINED},
        lambda m, n: 1 if m < 23 else 1 / 8,
    ),
    ({"rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": None}, lambda m, n: 1),
    ({"partial_rotary_factor": 1.0}, lambda m, n: 1),
]


def pair(turns):
    return 32 * math.log(4096 / (2 * math.pi * turns)) / math.log(10_000)


def slowed(m, first, last):
    share = min(max((last - m) / (last - first), 0), 1)
    return share + (1 - share) / 8


@pytest.mark.parametrize(("told", "slower"), ROPES)
def test_a_configuration_says_how_much_slower_a_pair_turns(told, slower):
    plain = rules.rotary_frequencies(64)
    turns = (4096 * plain / (2 * math.pi)).tolist()
    wanted = [slower(m, n) for m, n in enumerate(turns)]
    np.testing.assert_allclose(rules.rotary_frequencies(64, None, told, seq_len=300) / plain, wanted, rtol=1e-12)


def test_a_part_of_a_head_turns_at_its_own_speeds_or_at_the_head_s():
    part = {"partial_rotary_factor": 0.25, "rope_theta": 100.0}
    assert torch.equal(rules.rotary_frequencies(64, None, part), rules.rotary_frequencies(16, 100.0))
    some = rules.rotary_frequencies(64, None, part | {"rope_type": "proportional", "factor": 2})
    assert torch.equal(some[:8], rules.rotary_frequencies(64, 100.0)[:8] / 2)
    assert some[8:].tolist() == [0] * 24


def test_yarn_multiplies_scores_too():
    told = {"rope_type": "yarn", "factor": 32.0, **TRAINED}
    assert rules.rotary_scale({"rope_type": "linear", "factor": 4}) == 1
    assert rules.rotary_scale(told) ** 2 == pytest.approx(1.81, abs=0.005)
    assert rules.rotary_scale(told | {"factor": 0.5}) == 1
    assert rules.rotary_scale(told | {"factor": 1.5}) == 1 + 0.1 * math.log(1.5)
    assert rules.rotary_scale(told | {"mscale": 2.0}) == rules.rotary_scale(told)
    assert rules.rotary_scale(told | {"attention_factor": 1.5}) == 1.5
    both = {"mscale": 1.0, "mscale_all_dim": 2.0}
    assert rules.rotary_scale(told | both) == pytest.approx((1 + 0.1 * math.log(32)) / (1 + 0.2 * math.log(32)))


# ---- biases by distance --------------------------------------------------------------------------


def test_offsets_count_from_the_query_which_is_among_the_last_words():
    assert rules.offsets(2, 4).tolist() == [[-2, -1, 0, 1], [-3, -2, -1, 0]]
    mask = causal_mask(3, 5)[0]
    assert torch.equal(rules.offsets(3, 5) <= 0, mask)


@pytest.mark.parametrize(
    ("heads", "exponents"), [(1, [8]), (2, [4, 8]), (8, range(1, 9)), (6, [2, 4, 6, 8, 1, 3]), (3, [4, 8, 2])]
)
def test_alibi_slopes_are_powers_of_a_half(heads, exponents):
    wanted = torch.tensor([2.0**-n for n in exponents])
    torch.testing.assert_close(rules.alibi_slopes(heads), wanted)
    bias = rules.alibi(heads, 2, 3)
    torch.testing.assert_close(bias[:, 1, 0], -2 * wanted)
    assert not bias[:, 1, 2].any()
    assert bias.shape == (heads, 2, 3)


def bucket_of(offset, buckets, most, bidirectional=True):
    sided, extra = buckets, 0
    if bidirectional:
        sided, extra = buckets // 2, buckets // 2 if offset > 0 else 0
    distance = abs(offset) if bidirectional else max(-offset, 0)
    exact = sided // 2
    if distance < exact:
        return extra + distance
    share = math.log(distance / exact) / math.log(most / exact)
    return extra + min(exact + int(share * (sided - exact) + 1e-6), sided - 1)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("buckets", "most"), [(32, 128), (8, 20), (4, 3)])
def test_buckets_are_exact_near_by_and_grow_by_a_factor(buckets, most, bidirectional):
    offsets = torch.arange(-150, 151)
    found = rules.distance_buckets(offsets, buckets, most, bidirectional)
    assert found.tolist() == [bucket_of(n, buckets, most, bidirectional) for n in offsets.tolist()]
    assert torch.equal(rules.distance_buckets(offsets), rules.distance_buckets(offsets, 32, 128, True))
    assert rules.distance_buckets(-offsets[150:], 2, 2, False).tolist() == [0] + [1] * 150
    assert rules.distance_buckets(-offsets[150:], 3, 2, False).tolist() == [0, 1] + [2] * 149


def test_a_learned_bias_has_a_number_for_each_head_and_bucket():
    bias = rules.RelativeBias(3, num_buckets=8, max_distance=20)
    assert not bias(4).any()
    torch.nn.init.normal_(bias.table)
    found = bias(2, 6)
    assert found.shape == (3, 2, 6)
    for h, i, j in np.ndindex(3, 2, 6):
        bucket = rules.distance_buckets(torch.tensor(j - (i + 4)), 8, 20)
        assert found[h, i, j] == bias.table[bucket, h]
    usual = rules.RelativeBias(1)
    usual.table.data = torch.arange(32.0).unsqueeze(-1)
    assert torch.equal(usual(1, 200)[0], rules.distance_buckets(rules.offsets(1, 200), 32, 128).float())
    found.sum().backward()
    assert bias.table.grad.sum() == found.numel()


# ---- bounds and weights --------------------------------------------------------------------------


def test_a_soft_cap_bounds_scores_and_leaves_small_ones():
    scores = torch.tensor([-1e6, -30.0, 0.01, 0.0, 50.0], dtype=torch.float64)
    capped = rules.soft_cap(scores, 30.0)
    wanted = [30 * math.tanh(s / 30) for s in scores.tolist()]
    np.testing.assert_allclose(capped, wanted)


def bisected(row, weight):
    low, high = max(row) - 60.0, max(row)
    for _ in range(200):
        tau = (low + high) / 2
        low, high = (tau, high) if sum(weight(s - tau) for s in row) > 1 else (low, tau)
    return [weight(s - tau) for s in row]


ONE_ROW = {
    "sink_softmax": lambda row: [math.exp(s) / (1 + sum(map(math.exp, row))) for s in row],
    "masked_sigmoid": lambda row: [1 / (1 + len(row) * math.exp(-s)) for s in row],
    "sparsemax": lambda row: bisected(row, lambda s: max(s, 0.0)),
    "entmax15": lambda row: bisected([s / 2 for s in row], lambda s: max(s, 0.0) ** 2),
}


@pytest.mark.parametrize("name", ONE_ROW)
@settings(deadline=None, max_examples=40)
@given(seed=seeds, size=st.sampled_from([0.1, 1.0, 5.0, 40.0]))
def test_weights_are_the_loops_where_keys_are_seen_and_0_elsewhere(name, seed, size):
    scores = size * drawn(seed, 2, 3, 4, 5)
    lens = torch.tensor([[5, 1, 0, 3], [2, 4, 5, 1]])
    mask = drawn(seed + 1, 2, 3, 4, 5) > -0.5
    found = getattr(rules, name)(scores, lens, mask=mask)
    for b, h, i in np.ndindex(2, 3, 4):
        seen = [j for j in range(5) if j < lens[b, i] and mask[b, h, i, j]]
        wanted = np.zeros(5)
        if seen:
            wanted[seen] = ONE_ROW[name]([scores[b, h, i, j].item() for j in seen])
        np.testing.assert_allclose(found[b, h, i], wanted, atol=1e-9)
        assert not found[b, h, i][wanted == 0].any() or name == "masked_sigmoid"


@pytest.mark.parametrize("name", ONE_ROW)
def test_gradients_of_weights(name):
    rule = getattr(rules, name)
    scores = drawn(7, 2, 3, 6).requires_grad_()
    torch.autograd.gradcheck(lambda x: rule(x, [6, 3]), scores)
    hidden = torch.tensor([[[1.0, torch.nan, torch.inf]]], requires_grad=True)
    for lens in ([1], [0]):
        (grad,) = torch.autograd.grad((rule(hidden, lens) * drawn(8, 3)).sum(), hidden)
        assert grad.isfinite().all()


def test_gradients_of_what_turns_caps_or_drains_scores():
    x, sink = drawn(20, 2, 3, 4, 6).requires_grad_(), drawn(21, 3).requires_grad_()
    torch.autograd.gradcheck(rules.rotary, x)
    torch.autograd.gradcheck(functools.partial(rules.rotary, interleaved=True), x)
    torch.autograd.gradcheck(lambda x: rules.soft_cap(x, 0.5), x)
    torch.autograd.gradcheck(lambda x, sink: rules.sink_softmax(x, [6, 3], sink=sink), (x, sink))


@pytest.mark.parametrize("name", ONE_ROW)
def test_weights_in_half_types_without_keys_and_under_vmap(name):
    rule = getattr(rules, name)
    scores = 3 * drawn(9, 2, 3, 4)
    found = rule(scores.half())
    assert found.dtype == torch.float16
    wide = rule(scores.half().double())
    torch.testing.assert_close(found.double(), wide, atol=3e-4, rtol=0)
    assert rule(torch.zeros(1, 2, 0)).shape == (1, 2, 0)
    torch.testing.assert_close(torch.func.vmap(rule)(scores[None]), rule(scores)[None])
    large = torch.tensor([[1e300, -1e300, 0.0]], dtype=torch.float64)
    assert rule(large).isfinite().all()


def test_what_is_on_a_device_stays_there():
    scores = torch.zeros(2, 3, 4, 5, device="meta")
    found = [getattr(rules, name)(scores, [5, 2]) for name in ONE_ROW]
    found += [rules.sink_softmax(scores, sink=sink) for sink in (0.5, torch.zeros(3))]
    found += [rules.rotary(scores[..., :4], places) for places in (None, [3, 1, 0, 2])]
    assert all(one.is_meta for one in [*found, rules.RelativeBias(2).to("meta")(3)])


def test_equal_scores_share_and_far_ones_get_nothing():
    assert rules.sparsemax(torch.tensor([[0.0, 0.0, -1.0, -9.0]])).tolist() == [[0.5, 0.5, 0, 0]]
    for rule in (rules.sparsemax, rules.entmax15):
        torch.testing.assert_close(rule(torch.zeros(1, 3)), torch.full((1, 3), 1 / 3))
    # Where a count of keys has no root but 0, slopes are finite.
    edge = torch.tensor([[1.0, 1.0, -1.0, -1.0]], requires_grad=True)
    torch.testing.assert_close(rules.entmax15(edge), torch.tensor([[0.5, 0.5, 0, 0]]))
    (grad,) = torch.autograd.grad(rules.entmax15(edge)[0, 0], edge)
    assert grad.isfinite().all()
    # A sink is a key whose value is nothing, and a sigmoid's bias may be said.
    scores, sink = drawn(10, 2, 3, 4, 5), drawn(11, 3)
    assert torch.equal(rules.sink_softmax(scores, sink=0.1), rules.sink_softmax(scores, sink=sink.new_tensor(0.1)))
    with_key = torch.cat([scores, sink.view(1, 3, 1, 1).expand(2, 3, 4, 1)], dim=-1)
    found = rules.sink_softmax(scores, sink=sink)
    torch.testing.assert_close(found, masked_softmax(with_key)[..., :-1])
    torch.testing.assert_close(rules.sink_softmax(scores, sink=-torch.inf), masked_softmax(scores))
    by_row = drawn(13, 1, 3, 4, 1)  # of each head and query
    with_key = torch.cat([scores, by_row.expand(2, 3, 4, 1)], dim=-1)
    torch.testing.assert_close(rules.sink_softmax(scores, sink=by_row), masked_softmax(with_key)[..., :-1])
    scores = drawn(12, 1, 2, 3)
    torch.testing.assert_close(rules.masked_sigmoid(scores, bias=0.0), scores.sigmoid())


# ---- held to FlexAttention -----------------------------------------------------------------------

# Its kernels are the other way to these scores: a function of one score and of its place. Queries
# are the last of the words.
HEADS, QUERIES, KEYS = 4, 5, 7
SEEN = causal_mask(QUERIES, KEYS)
TABLE, SINKS = drawn(23, 8, HEADS), drawn(24, HEADS)  # what is learned
BUCKETS = torch.tensor([bucket_of(n, 8, 20) for n in range(1 - KEYS, 1)])


def learned_bias():
    bias = rules.RelativeBias(HEADS, num_buckets=8, max_distance=20)
    return torch.func.functional_call(bias, {"table": TABLE}, (QUERIES, KEYS))


# Name -> this package's weights of scores, and what FlexAttention makes of the score of the word i
# and the word j.
BOTH = {
    "alibi": (
        lambda scores: masked_softmax(scores + rules.alibi(HEADS, QUERIES, KEYS), mask=SEEN),
        lambda score, head, i, j: score + 2.0 ** (-2 * (head + 1)) * (j - i),
    ),
    "RelativeBias": (
        lambda scores: masked_softmax(scores + learned_bias(), mask=SEEN),
        lambda score, head, i, j: score + TABLE[BUCKETS[(j - i).clamp(max=0) + KEYS - 1], head],
    ),
    "soft_cap": (
        lambda scores: masked_softmax(rules.soft_cap(scores, 0.5), mask=SEEN),
        lambda score, head, i, j: 0.5 * (score / 0.5).tanh(),
    ),
    "sink_softmax": (lambda scores: rules.sink_softmax(scores, mask=SEEN, sink=SINKS), lambda score, head, i, j: score),
    "masked_sigmoid": (
        lambda scores: rules.masked_sigmoid(scores, mask=SEEN),
        lambda score, head, i, j: F.logsigmoid(score - (i + 1).double().log()),  # so many are seen
    ),
}
# What is no softmax differs from one by a factor of each row, given the logarithm of its sum.
FACTORS = {"sink_softmax": lambda log: torch.sigmoid(log - SINKS.view(-1, 1, 1)), "masked_sigmoid": torch.exp}


@pytest.mark.parametrize("name", BOTH)
def test_flex_attention_gives_the_same_outputs(name):
    weights, change = BOTH[name]
    q, k, v = (drawn(20 + n, 2, HEADS, rows, 6) for n, rows in enumerate((QUERIES, KEYS, KEYS)))

    def score_mod(score, text, head, i, j):
        i = i + KEYS - QUERIES
        return torch.where(j <= i, change(score, head, i, j), -math.inf)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is slow here: nothing is compiled
        aux = AuxRequest(lse=True)
        wanted, more = flex_attention(q, k, v, score_mod=score_mod, return_aux=aux)
    if name in FACTORS:
        wanted = wanted * FACTORS[name](more.lse[..., None])
    found = weights(q @ k.mT / math.sqrt(6)) @ v
    torch.testing.assert_close(found, wanted, atol=1e-10, rtol=0)


# ---- classes: scale, bias, groups ----------------------------------------------------------------


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("scale", [0.0, 0.3, 1])
def test_a_scale_takes_the_place_of_the_root(need_weights, scale):
    q, k, v = drawn(1, 2, 3, 4), drawn(2, 2, 5, 4), drawn(3, 2, 5, 6)
    lens = [2, 5]
    found = DotProductAttention(need_weights=need_weights, scale=scale)(q, k, v, lens)
    wanted = masked_softmax(scale * (q @ k.mT), lens) @ v
    torch.testing.assert_close(found, wanted)
    by_head = MultiHeadAttention(4, 2, scale=scale, need_weights=need_weights).double()
    assert by_head.attention.scale == scale


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 1, 3, 1), (4, 3, 5), (2, 4, 3, 5)])
def test_a_bias_is_added_to_the_scores(shape, kind):
    bias = (9 * drawn(4, *shape)).requires_grad_()
    lens, mask = [0, 4], drawn(5, 2, 4, 3, 5) > -1
    attention, (q, k, v) = build(kind, lead=(4,), keys=5)
    found = attention(q, k, v, lens, mask=mask, bias=bias)
    wanted = masked_softmax(attention.score(q, k) + bias, lens, mask=mask) @ v
    torch.testing.assert_close(found, wanted)
    (grad,) = torch.autograd.grad(found.square().sum(), bias)
    assert grad.isfinite().all()
    assert grad.any()


@pytest.mark.parametrize("group", [2, 3, 6])
def test_groups_of_heads_share_keys_and_values(group):
    attention = MultiHeadAttention(12, 6, num_kv_heads=6 // group, bias=True).double()
    whole = MultiHeadAttention(12, 6, bias=True).double()
    for name, X in attention.state_dict().items():
        if name.startswith(("W_k", "W_v")):  # the first group has the first head of keys
            X = X.unflatten(0, (-1, 2)).repeat_interleave(group, dim=0).flatten(0, 1)
        whole.state_dict()[name].copy_(X)
    X, bias = drawn(6, 2, 5, 12), rules.alibi(6, 5)
    for options in ({}, {"valid_lens": [3, 5]}, {"mask": causal_mask(5), "bias": bias}):
        found, weights = attention(X, X, X, **options, return_weights=True)
        wanted, theirs = whole(X, X, X, **options, return_weights=True)
        torch.testing.assert_close(found, wanted)
        torch.testing.assert_close(weights, theirs)
    assert attention.W_k.weight.shape == (12 // group, 12)


def test_heads_may_be_of_a_size_of_their_own():
    attention = MultiHeadAttention(10, 3, head_size=4).double()
    whole = MultiHeadAttention(12, 3, query_size=10, key_size=10, value_size=10)
    whole.W_o = attention.W_o  # (10, 12)
    whole.load_state_dict(attention.state_dict())
    X = drawn(31, 2, 5, 10)
    torch.testing.assert_close(attention(X, X, X, [3, 5]), whole.double()(X, X, X, [3, 5]))
    grouped = MultiHeadAttention(10, 6, head_size=4, num_kv_heads=2)
    assert [len(W.weight) for W in (grouped.W_q, grouped.W_k, grouped.W_v)] == [24, 8, 8]


@pytest.mark.parametrize("numbers", [12, 3])
def test_a_gate_multiplies_what_the_heads_have_pooled(numbers):
    gate = torch.nn.Sequential(torch.nn.Linear(12, numbers), torch.nn.Sigmoid())
    attention = MultiHeadAttention(12, 3, gate=gate).double()
    X = drawn(30, 2, 5, 12)
    pooled = []
    attention.W_o.register_forward_hook(lambda module, given, made: pooled.append(given[0]))
    found = attention(X, X, X, [3, 5])
    attention.gate = None
    attention(X, X, X, [3, 5])
    gated, plain = pooled
    times = gate(X) if numbers == 12 else gate(X).repeat_interleave(4, dim=-1)
    torch.testing.assert_close(gated, plain * times)
    torch.testing.assert_close(found, attention.W_o(gated))


# ---- what is refused -----------------------------------------------------------------------------

Z = torch.zeros


def biased(bias):
    return DotProductAttention()(*[Z(1, 2, 4)] * 3, bias=bias)


def rope(kind, **told):
    return rules.rotary_frequencies(8, None, {"rope_type": kind, **told})


def gated(numbers):
    return MultiHeadAttention(8, 4, gate=torch.nn.Linear(8, numbers))(*[Z(1, 2, 8)] * 3)


REFUSED = [
    (lambda: rules.rotary_frequencies(3), "rotary_dim must be even.* got 3"),
    (lambda: rules.rotary_frequencies(4, base=1), "base must be above 1, got 1"),
    (lambda: rules.rotary_frequencies(4, 5.0, {"rope_theta": 2.0}), "base must be .* 2.0, got 5.0"),
    (lambda: rope("longrope"), "rope_type must be one of default, .*, got 'longrope'"),
    (lambda: rope("linear"), "'linear' must have factor, got"),
    (lambda: rope("dynamic", factor=2.0), "'dynamic' must have max_position_embeddings"),
    (lambda: rope("linear", factor=2, mrope_section=[2]), "'linear' must not have mrope_section"),
    (lambda: rope("default", attention_factor=2), "'default' must not have attention_factor"),
    (lambda: rope("linear", factor=0), "factor in rope_parameters must be above 0, got 0"),
    (lambda: rope("proportional", part=0.5), "'proportional' must not have part"),
    (lambda: rope("dynamic", factor=2, max_position_embeddings=9, seq_len=9), "must not have seq_len"),
    (lambda: rope("default", main={}, full={}), r"such as rope_parameters\['main'\], got .* main, full"),
    (lambda: rope("default", partial_rotary_factor=1.5), "above 0 and at most 1, got 1.5"),
    (lambda: rules.rotary_frequencies(4, None, ["yarn"]), "rope_parameters must be a dict, got list"),
    (lambda: MultiHeadAttention(8, 4, gate=torch.sigmoid), "gate must be a module, got builtin"),
    (lambda: gated(5), r"gate must make 8 or 4 numbers of each query, got .* \(1, 2, 5\)"),
    (lambda: rules.rotary([1.0]), "x must be a tensor, got list"),
    (lambda: rules.rotary(Z(3, 4).long()), "x must be floating-point numbers, got torch.int64"),
    (lambda: rules.rotary(Z(4)), r"x must have the shape .* got \(4,\)"),
    (lambda: rules.rotary(Z(1, 3, 5)), "rotary_dim must be even.* got 5"),
    (lambda: rules.rotary(Z(1, 3, 4), frequencies=Z(3)), r"at most 2 pairs .* got \(3,\)"),
    (lambda: rules.rotary(Z(2, 3, 4), [0, 1]), r"positions must have the shape .* got \(2,\)"),
    (lambda: rules.offsets(2, -1), "keys must be at least 0, got -1"),
    (lambda: rules.offsets(-1), "queries must be at least 0, got -1"),
    (lambda: rules.rotary_frequencies(0), "rotary_dim must be at least 1, got 0"),
    (lambda: rules.alibi_slopes(0), "num_heads must be at least 1, got 0"),
    (lambda: rules.distance_buckets(Z(1), 3), "num_buckets must be at least 4, got 3"),
    (lambda: rules.distance_buckets(Z(1), 32, 8), "max_distance must be at least 9, got 8"),
    (lambda: rules.RelativeBias(2, 3), "num_buckets must be at least 4, got 3"),
    (lambda: rules.RelativeBias(2.5), "num_heads must be an integer, got 2.5"),
    (lambda: rules.soft_cap(Z(2, 2), 0), "cap must be above 0, got 0"),
    (lambda: rules.sink_softmax(Z(1, 2, 3, 3), sink=Z(3)), r"sink must .* got \(3,\) for"),
    (lambda: rules.sink_softmax(Z(1, 2, 3, 3), sink=Z(1, 2, 2, 1)), "sink must .*, queries, 1"),
    (lambda: rules.sink_softmax(Z(2, 3, 3), sink=Z(3)), r"sink must .* got \(3,\) for"),
    (lambda: rules.sink_softmax(Z(2, 3, 3), sink=Z(3, 1)), r"sink must .* got \(3, 1\) for"),
    (lambda: rules.sparsemax(Z(2, 3), [4]), "valid_lens"),
    (lambda: rules.entmax15(Z(2, 3).long()), "scores must be floating-point numbers"),
    (lambda: DotProductAttention(scale="2"), "scale must be a number, or None.* got '2'"),
    (lambda: DotProductAttention(scale=True), "scale must be a number, or None.* got True"),
    (lambda: biased(3.0), "bias must be a tensor, got float"),
    (lambda: biased(Z(2, 2).bool()), "bias must be .* got torch.bool; a mask goes to mask="),
    (lambda: biased(Z(3, 1, 2, 2)), r"bias must have a shape .* \(1, 2, 2\), got \(3, 1, 2, 2\)"),
    (lambda: biased(Z(2, 2).log()), "must be finite, got -inf; what hides a key goes to mask="),
    (lambda: MultiHeadAttention(8, 3, head_size=0), "head_size must be at least 1, got 0"),
    (lambda: MultiHeadAttention(8, 4, num_kv_heads=3), "num_kv_heads must divide num_heads, 4"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_does_not_fit_is_refused_by_name(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
