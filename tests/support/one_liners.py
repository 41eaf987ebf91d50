"""Short programs, each a line, that PyTorch and the page's stand-in for it must answer alike."""

import ast
import itertools

X = "x = torch.arange(12.).reshape(3, 4); "
INDICES = """0|-1|1:|::2|:, 0|..., 0|None|[0, 1]|:, None|0, 1|..., 1:|torch.tensor([1, 0])|:, torch.tensor([0, 1])
torch.tensor([0, 1]), torch.tensor([1, 0])|x > 3|x[:, 0] > 1|0, :, None|1:2, ..., None|[1], 0|torch.tensor(1)
..., [0, 0]|None, 0, None|5|0, 0, 0|torch.tensor([3])|torch.tensor([0.5])|:, x[0] > 1|[0, 2], 1:|torch.tensor([[0], [1]]), [0, 1]
[0, 0], [1, 1]|torch.tensor([], dtype=torch.long)|x < 0|2:1|:, -1:|None, [0]|[-1]"""
NUMBERS = """torch.tensor([1, 2])|torch.tensor([1.5, -2.])|torch.tensor([True, False])|torch.tensor([1., 2.], dtype=torch.float64)
torch.tensor(3)|torch.tensor(2.5)|2|2.5|True|torch.tensor([1, 2], dtype=torch.float16)|torch.tensor([7, -3], dtype=torch.int32)
torch.tensor([0, -4])|torch.tensor([[-0.0], [2.0]])|torch.tensor([1, 2, 3])|0|-1.5|torch.tensor([3, 5], dtype=torch.uint8)"""
OPERATORS = "+ - * / ** % // == < >= & | ^".split()
FUNCTIONS = """x.exp()|x.log()|x.tanh()|x.sigmoid()|x.sqrt()|x.abs()|x.sin()|x.cos()|x.log1p()|x.rsqrt()|x.reciprocal()|torch.erf(x)
x.round()|x.floor()|x.ceil()|x.sign()|-x|F.softmax(x, -1)|F.softmax(x, 0)|F.log_softmax(x, 1)|x.sum(0)|x.sum()|x.mean(1, keepdim=True)
x.mean()|x.max(dim=1).values|x.min(dim=0)[0]|x.amax(dim=1)|x.amin((0, 1))|x.max()|x.min()|x.argmax()|x.argmax(1)|x.argmin(0)|x.T|x.mT @ x
x @ x.T|x @ x[0]|x[0] @ x[1]|x[:, 0] @ x|x.reshape(-1)|x.view(2, 6)|x.transpose(0, 1)[None]|x.expand(2, 3, 4)|torch.cat([x, 2 * x])
torch.stack([x, x * x], dim=1)|torch.where(x > 2, x, 0.0)|torch.where(x > 2, x, 0)|x.masked_fill(x > 2, 0)|x.clamp(1, 3)|x.clamp(min=2)
x.square()|x ** 3|x ** 0.5|2 ** x|x ** x|x / (1 + x)|1 / x|x % 3|x // 2|torch.einsum('ij,kj->ik', x, x)|torch.einsum('ij->j', x)
torch.einsum('ij,ij->', x, x)|torch.einsum('ij,jk', x, x.T)|x.cumsum(0)|x.prod()|x.prod(1)|x.std()|x.var(dim=0)|x.var(unbiased=False)|x.std(1, keepdim=True)
x.norm()|x.norm(dim=1)|x.norm(1)|torch.linalg.vector_norm(x, dim=0)|x.logsumexp(1)|F.relu(x - 2)|F.gelu(x)|F.layer_norm(x, (4,))|x.flip(0)
x.roll(1, 0)|x.roll(2)|x.tril()|x.triu(1)|torch.diag(x[0])|torch.diag(x[:, :3])|x.diagonal()|x.repeat(2, 1)|x.repeat_interleave(2, dim=1)
x.unflatten(1, (2, 2))|x.flatten()|x.squeeze()|x[None].squeeze(0)|x[:, :2].clone()|torch.outer(x[0], x[1])|x.sort(dim=1).values
x.sort(descending=True)|x.topk(2).values|x.argsort(dim=0)|x.gather(1, torch.tensor([[0], [1], [2]]))|F.pad(x, (1, 1))|F.pad(x, (0, 1, 1, 0), value=2.)
F.normalize(x, dim=1)|torch.cdist(x, x + 1)|F.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)
F.scaled_dot_product_attention(x[None], x[None], x[None], attn_mask=torch.ones(3, 3).tril() > 0)|F.mse_loss(x, x * 2)
F.cross_entropy(x, torch.tensor([0, 1, 2]))|F.cross_entropy(x, F.softmax(x, 1))|torch.minimum(x, x.flip(0))|torch.maximum(x, x.mean())
x.split(2, dim=1)[1]|x.chunk(2)[0]|x.unbind()[0]|torch.atan2(x, x + 1)|x.median()|x.float().double().float()|x.half()|x.to(torch.int64)|x.bool()
F.linear(x, torch.ones(2, 4), torch.ones(2))|F.linear(x, torch.ones(2, 3))|x.movedim(0, 1)|x.permute(1, 0)|x.isnan().any()|(x > 2).all(1)
(x > 2).sum()|x.nonzero()|x.unique()|F.one_hot(x.long() % 5, 6)|x.index_select(1, torch.tensor([0, 2]))|x.masked_select(x > 1)|x.unfold(1, 2, 1)
torch.logsumexp(x, (0, 1))|F.silu(x)|F.softplus(x)|F.leaky_relu(x - 2)|F.elu(x - 2)|F.cosine_similarity(x, x + 1)|x.nan_to_num()
torch.special.entr(x)|torch.special.xlogy(x, x)|x.diff()|x.narrow(1, 1, 2)|x.select(1, 2)|x.new_zeros(2)|x.tolist()|x[0, 0].item()|len(x)
torch.allclose(x, x + 1e-9)|torch.equal(x, x)|x.addmm(x, torch.eye(4))|torch.bmm(x[None], x.T[None])|x.sum(dim=(0, 1))|x.mean((0, 1), True)
torch.block_diag(x, x[:1])|torch.meshgrid(x[0], x[1], indexing='ij')[0]|x.aminmax()|x.cumprod(1)|x.tile(2)|x.isclose(x)|x.dist(x + 1)
x.scatter(1, torch.tensor([[0], [1], [2]]), 5.)|torch.tril(x, -1)|x.log2()|torch.sinc(x)|x.acos()|torch.rad2deg(x)|x.trunc()|x.logical_not()|x.fmod(2)"""
VIEWS = """x.T|x.view(4, 3)|x[1]|x[:, 1:]|x.unsqueeze(0)|x.reshape(2, 6)|x.transpose(0, 1)[1]|x.flatten()|x.expand(3, 4)|x.diagonal()
x.permute(1, 0)|x.split(2)[0]|x.detach()|x.clone()|x.contiguous()|x.squeeze()|x.narrow(0, 1, 2)|x.unbind()[0]|x.unflatten(1, (2, 2))
x.chunk(2, dim=1)[0]|x.mT|x.select(0, 1)|x.T.reshape(-1)|x.T.contiguous()|x[::2, ::3]|x[[0, 1]]|x.to(torch.float32)|x.T[1:].T|x.T.flatten(0, 0)"""
LISTS = """[0.0, 1e-9]|[1e5, 1.0]|[123456789.0]|[0.5, 100000.0]|[1e-3, 1e3]|[float('inf'), 1.5]|[float('nan'), 2.0]|[-1.0, 10.0]|[]|[[]]|[True]
[10, -200]|[1e20]|1e-8|[0.1] * 25|list(range(30))|[[1.0, 2.5], [-3.0, 1e4]]|0.0|-0.0|[[[1.0], [2.0]]]|[float('-inf')] * 3|[1.0, float('nan')]|[99999999., 1.]"""
ENDS = """|; x = x.double()|; torch.set_printoptions(sci_mode=False)|; torch.set_printoptions(precision=2)|; x = x.half()|; x = x.requires_grad_()
; x = x[None, None]|; x = x * 2|; torch.set_printoptions(linewidth=40)"""
WRITES = """x += 1|x *= x|x -= y|x /= 2|x.add_(y)|x.mul_(2)|x.exp_()|x.zero_()|x.fill_(3)|x.clamp_(1, 2)|x.masked_fill_(x > 3, 0)|x.copy_(y)
x[0] += 1|x[:, 1] *= 2|x[x > 3] = 0|x[[0, 1]] += 1|x[0] = y[1]|x[1:] = x[:-1]|x[..., 0] = 7|x[:, [0, 2]] = y[:, :2]|x.T[0] = 1
x[0, 0] = True|x[0] = torch.ones(5)|x += torch.ones(2, 3, 4)|x //= 2|x **= 2|x[0][1] = 5|x.diagonal().fill_(9)|x[None, 0] = 1|x.sub_(y, alpha=2)|x %= 3
x[torch.tensor([0, 1]), torch.tensor([1, 2])] = torch.tensor([5., 6.])|x[1] = torch.arange(4)|x[1, :2] = 2 * x[0, 2:]|x.T.mul_(2)"""
GRADS = """y = w * 2; y += 1; y.sum().backward(); w.grad|y = w * w; y *= w; y.sum().backward(); w.grad|y = w.exp(); y += 1; y.sum().backward(); w.grad
y = torch.zeros(3, 4); y[0] = w[0] * 2; y.square().sum().backward(); w.grad|y = w * 1; y[0] = 0; y.square().sum().backward(); w.grad
y = w * 1; y[w > 3] = 0; y.square().sum().backward(); w.grad|y = w * 1; y[0] += w[1]; y.square().sum().backward(); w.grad
y = torch.zeros(3, 4); y[[0, 1]] = w[:2]; (y * y).sum().backward(); w.grad|w.sum().backward(); w.sum().backward(); w.grad
y = (w * w).sum(); y.backward(); y.backward()|y = (w * w).sum(); y.backward(retain_graph=True); y.backward(); w.grad|w.backward()|(w * 2).backward()
w += 1|w[0] = 1|torch.autograd.grad((w ** 2).sum(), w)|torch.autograd.grad((w ** 2).sum(), [w, w * 1])|y = w * 2; y.retain_grad(); (y * y).sum().backward(); y.grad
with torch.no_grad(): w += 1|w.detach().add_(1); w|y = w.clone(); y[0].mul_(3); (y * y).sum().backward(); w.grad|y = (w * 3)[1]; y.is_leaf, y.requires_grad
y = w.T.reshape(-1); (y * torch.arange(12)).sum().backward(); w.grad|y = w.expand(2, 3, 4); y.sum().backward(); w.grad|w.double().sum().backward(); w.grad
y = w.exp(); z = y * 2; y.zero_(); z.sum().backward(); w.grad|y = w * 2; z = y * y; y.zero_(); z.sum().backward()|y = w.unbind(); y[0] * 2|w.numpy()
y = torch.stack([w, w]); y[0] *= 2; y.sum().backward(); w.grad|y = w[0]; y *= 2|with torch.no_grad(): y = w * 2|w.grad|w.requires_grad_(False); w|int(w.sum())
y = w * 1; z = y[0]; y *= 2; z.sum().backward(); w.grad|y = w * 1; z = y[1]; z *= 3; y.sum().backward(); w.grad|torch.autograd.functional.jacobian(lambda a: a.sum(0), w)
y = w * 1; y.T[0] = w[:, 1]; (y * y).sum().backward(); w.grad|w.sum(0).max().backward(); w.grad|w[0, 0].backward(); w.grad|F.dropout(w, 0.0)|w.mean().backward(torch.tensor(2.)); w.grad"""
MAKERS = """torch.zeros(2, 3)|torch.ones((2,), dtype=torch.int64)|torch.full((2, 2), 7)|torch.full((2,), 1.5)|torch.arange(5)|torch.arange(1, 2, 0.25)|torch.arange(5, 1, -2)
torch.linspace(0, 1, 5)|torch.logspace(0, 1, 3)|torch.eye(3)|torch.eye(2, 3)|torch.tensor([[1, 2], [3]])|torch.tensor('a')|torch.tensor(None)|torch.tensor([1, 2.5, True])
torch.zeros_like(torch.tensor([1, 2]))|torch.arange(3.)|torch.tensor([]).shape|torch.zeros(0, 3)|torch.zeros(2, 0).sum()|torch.zeros(0).mean()|torch.zeros(0).max()
torch.tensor(3).dtype, torch.tensor(3.).dtype, torch.tensor(True).dtype|torch.zeros(-1)|torch.Size([1, 2])|torch.ones(2, 3).shape[1:]|torch.cat([])|torch.stack([])
torch.ones(2, 3) @ torch.ones(2, 3)|torch.ones(3) @ torch.ones(4)|torch.ones(2, 2, 3) @ torch.ones(2, 2, 3)|torch.ones(2, 3).view(4)|torch.ones(2, 3).transpose(0, 5)
torch.cat([torch.ones(2, 3), torch.ones(3, 2)])|torch.stack([torch.ones(2), torch.ones(3)])|torch.ones(2, 3) + torch.ones(2)|torch.ones(2).item()|bool(torch.ones(2))
torch.ones(2, 3, dtype=torch.int64).mean()|F.softmax(torch.tensor([1, 2]), dim=0)|F.softmax(torch.ones(2), dim=1)|torch.ones(3)[5]|torch.ones(3)[::-1]|torch.ones(2, 3).T.view(6)
torch.tensor([1, 2]).float().mean().item()|torch.tensor(2 ** 40) * 3|torch.tensor(200, dtype=torch.uint8) + 100|torch.tensor([1.5]).long()|torch.tensor(-1.5).int()
torch.tensor([0.1, 0.2]) == torch.tensor([0.1, 0.2], dtype=torch.float64)|torch.tensor(1) / 3|torch.tensor([5, -3]) // 2, torch.tensor([5, -3]) % 2|torch.tensor([1., 2.]).sort()
torch.finfo(torch.float32).max, torch.finfo(torch.float16).eps|torch.finfo(torch.float32).min|torch.iinfo(torch.int32).max|torch.ones(2, dtype=torch.float16) * 1e5|torch.tensor(1e-8).half()
torch.tensor([3., 4.]).norm()|torch.ones(3, 3).triu(diagonal=1)|torch.einsum('ij,jk->ik', torch.ones(2, 3), torch.ones(4, 2))|torch.einsum('ij->ik', torch.ones(2, 2))|torch.equal(torch.ones(2), torch.ones(3))
torch.ones(2, 3).expand(4, 3)|torch.ones(3).repeat(2, 2)|torch.ones(2, 3).squeeze(0).shape|torch.ones(1, 2, 1).squeeze()|torch.ones(2, 3).unflatten(1, (2, 2))|torch.ones(2, 2).sum(dim=2)
torch.broadcast_shapes((2, 1), (3,))|torch.promote_types(torch.int32, torch.float16)|torch.result_type(torch.tensor([1]), 1.0)|torch.cartesian_prod(torch.tensor([0, 1]), torch.tensor([2, 3]))
torch.linalg.solve(torch.tensor([[2., 1.], [1., 3.]]), torch.tensor([1., 2.]))|torch.linalg.matrix_rank(torch.ones(3, 3))|torch.histogram(torch.tensor([0.5, 1.5, 2.]), torch.tensor([0., 1., 2.]))
torch.allclose(torch.ones(2), torch.ones(2, dtype=torch.float64))|torch.ones(2).foo|torch.sotfmax|1 in torch.arange(3)|torch.arange(3).tolist()|f'{torch.tensor(1.5):.2f}'|torch.ones(3, 3).fill_diagonal_(0)"""
CHANCE = """torch.rand(4)|torch.rand(3, 5, dtype=torch.float64)|torch.randn(3)|torch.randn(4, 5)|torch.randn(17)|torch.randn(33, dtype=torch.float64)|torch.randint(10, (5,))
torch.randint(-3, 4, (2, 3))|torch.randperm(7)|torch.normal(0., 2., (4,))|torch.normal(1.0, 0.5, (5, 4))|nn.Linear(3, 2).weight|nn.Linear(3, 2).bias|nn.Embedding(3, 4).weight
torch.empty(3, 3).uniform_(-1, 2)|torch.empty(20).normal_()|torch.rand_like(torch.zeros(3))|nn.MultiheadAttention(4, 2).in_proj_weight|torch.randn(3), torch.randn(1)|torch.randn(5), torch.rand(2), torch.randn(2)
nn.LazyLinear(2)(torch.ones(1, 3))|torch.randn(2, generator=torch.Generator().manual_seed(7))|torch.rand(3, generator=torch.Generator())|torch.nn.init.xavier_uniform_(torch.empty(2, 3))"""
LAYERS = """nn.Linear(4, 2)(x)|nn.Sequential(nn.Linear(4, 2), nn.Tanh())(x)|nn.Sequential(nn.Linear(2, 3), nn.Tanh())|nn.LayerNorm(4)(x)|nn.LayerNorm(4)|nn.Embedding(5, 2)(torch.tensor([1, 4]))|nn.Dropout(0.5).eval()(x)
nn.Dropout(0.3)|nn.RMSNorm(4)(x)|nn.GELU()(x)|nn.Softmax(dim=-1)(x)|nn.MultiheadAttention(4, 2, batch_first=True)(x[None], x[None], x[None])[1]|nn.MultiheadAttention(4, 2)(x[None], x[None], x[None])[0]
nn.ModuleList([nn.Linear(1, 1), nn.ReLU()])|sorted(nn.Linear(2, 2).state_dict())|nn.Linear(2, 2).load_state_dict({})|nn.Linear(3, 2)(x)|nn.Linear(4, 2).half().weight.dtype|len(list(nn.MultiheadAttention(4, 2).parameters()))
m = nn.Linear(4, 1); o = torch.optim.SGD(m.parameters(), 0.1); m(x).sum().backward(); o.step(); m.weight|m = nn.Linear(4, 1); o = torch.optim.Adam(m.parameters(), 0.1); [(o.zero_grad(), m(x).square().mean().backward(), o.step()) for _ in range(3)]; m.weight
m = nn.Linear(4, 1); o = torch.optim.SGD(m.parameters(), 0.1, momentum=0.9); [(o.zero_grad(), m(x).square().mean().backward(), o.step()) for _ in range(3)]; m.bias
m = nn.Linear(4, 1); o = torch.optim.AdamW(m.parameters(), 0.1); [(o.zero_grad(), m(x).square().mean().backward(), o.step()) for _ in range(3)]; m.weight|nn.Linear(2, 2).foo|nn.Module()(1)
m = nn.Linear(4, 1); m.weight = 3|m = nn.Linear(4, 1); (m(x).sum() * 2).backward(); nn.utils.clip_grad_norm_(m.parameters(), 1.0)|torch.nn.utils.rnn.pad_sequence([x[0], x[1, :2]], batch_first=True)"""


def split(text):
    return [one.strip() for line in text.split("\n") for one in line.split("|")]


def programs():
    """All of them, in an order that mixes the kinds."""
    for i in split(INDICES):
        yield f"{X}x[{i}]"
        yield f"{X}x[{i}] = -1; x"
        yield f"{X}x.requires_grad_(); (x[{i}] * 2).square().sum().backward(); x.grad"
        yield f"{X}y = x[{i}]; y += 10; x"
        yield f"x = torch.arange(24).reshape(2, 3, 4); x[{i.replace('x', 'x[0]')}]"
    numbers = [one for line in NUMBERS.split("\n") for one in line.split("|")]
    for op, a, b in itertools.product(OPERATORS, numbers, numbers):
        if "torch" in a + b:
            yield f"{a} {op} {b}"
    for f in split(FUNCTIONS):
        yield f"torch.manual_seed(3); x = 4 * torch.rand(3, 4); {f}"
        yield f"torch.manual_seed(3); x = (4 * torch.rand(3, 4)).requires_grad_(); {f}"
        weigh = "(y * torch.arange(y.numel()).reshape(y.shape)).sum().backward(); x.grad"
        yield f"torch.manual_seed(3); x = (4 * torch.rand(3, 4)).requires_grad_(); y = {f}; {weigh}"
        yield f"x = torch.arange(12).reshape(3, 4); {f}"
        yield f"x = torch.tensor([[0., -0., 1., nan], [-inf, 2., inf, 3.], [1., 1., 1., 1.]]); {f}"
        yield f"x = torch.arange(12).reshape(3, 4) > 5; {f}"
        yield f"x = torch.arange(12., dtype=torch.float64).reshape(4, 3).T; {f}"
    for v in split(VIEWS):
        yield f"{X}y = {v}; y.mul_(2); x"
        yield f"{X}y = {v}; x[1] = 100; y"
        yield f"{X}y = {v}; y.shape, y.is_contiguous()"
        yield f"{X}x.requires_grad_(); y = {v} * 2; y.square().sum().backward(); x.grad"
    for one, end in itertools.product(split(LISTS), split(ENDS)):
        yield f"x = torch.tensor({one}){end}; x"
    for one in split(WRITES):
        yield f"{X}y = x + 1; {one}; x"
        yield f"x = torch.arange(12).reshape(3, 4); y = x + 1; {one}; x"
    for one in split(GRADS):
        yield f"w = torch.arange(12.).reshape(3, 4).requires_grad_(); {one}"
    yield from split(MAKERS)
    for one in split(CHANCE):
        yield f"torch.manual_seed(5); {one}"
    for one in split(LAYERS):
        yield f"torch.manual_seed(5); {X}{one}"
    for one in ("torch.arange(2000.)", "torch.ones(40, 40)", "torch.rand(2, 2, 2, 2)"):
        yield f"torch.manual_seed(0); {one}"
    yield "torch.arange(3000).reshape(10, 10, 30)"


def answer(source):
    """["ok", what is printed] or [the error's type, its first line]."""
    import torch
    import torch.nn.functional as F

    torch.set_printoptions(profile="default", sci_mode=None)
    torch.set_default_dtype(torch.float32)
    space = {"torch": torch, "F": F, "nn": torch.nn, "inf": torch.inf, "nan": torch.nan}
    try:
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "program", "exec"), space)
        if last is None:
            return ["ok", ""]
        value = eval(compile(ast.Expression(last.value), "program", "eval"), space)
        return ["ok", repr(value)]
    except Exception as error:
        return [type(error).__name__, (str(error).splitlines() or [""])[0]]


def main(given):
    import json

    return json.dumps([answer(one) for one in json.loads(given)])
