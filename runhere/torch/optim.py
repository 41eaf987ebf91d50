"""torch.optim: steps against gradients."""

import math

from .core import cast, filled, lacking, run, write
from .engine import refusal


class Optimizer:
    def __init__(self, params, **options):
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        groups = params if isinstance(params[0], dict) else [{"params": params}]
        self.defaults, self.state = options, {}
        self.param_groups = [{**options, **group, "params": list(group["params"])} for group in groups]

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None if set_to_none or p.grad is None else filled(p.shape, 0, p.dtype)

    def step(self, closure=None):
        if closure is not None:
            raise refusal("optimizer step with a closure")
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    state = self.state.setdefault(id(p), {"step": 0, "of": p})
                    state["step"] += 1
                    write(p, self.moved(p, p.grad, group, state))


def calc(name, a, b, **options):
    more = next(iter(options.items()), None)
    return run(name, [a, b], a.dtype if hasattr(a, "dtype") else b.dtype, more)


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0.0, dampening=0, weight_decay=0.0, nesterov=False):
        if dampening or nesterov:
            raise refusal("SGD with dampening or nesterov")
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay)

    def moved(self, p, g, group, state):
        if group["weight_decay"]:
            g = calc("add", g, p, alpha=group["weight_decay"])
        if group["momentum"]:
            before = state.get("momentum")
            g = cast(g, g.dtype) if before is None else calc("add", calc("mul", before, group["momentum"]), g)
            state["momentum"] = g
        return calc("sub", p, g, alpha=group["lr"])


class Adam(Optimizer):
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False):
        if amsgrad:
            raise refusal("Adam with amsgrad")
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def moved(self, p, g, group, state):
        first, second = group["betas"]
        decay, n = group["weight_decay"], state["step"]
        if decay and self.decoupled:
            p = calc("mul", p, 1 - group["lr"] * decay)
        elif decay:
            g = calc("add", g, p, alpha=decay)
        m = calc("mul", g, 1 - first)
        v = calc("mul", calc("mul", g, g), 1 - second)
        if n > 1:
            m = calc("add", m, state["m"], alpha=first)
            v = calc("add", v, state["v"], alpha=second)
        state["m"], state["v"] = m, v
        root = calc("div", run("sqrt", [v], v.dtype), math.sqrt(1 - second**n))
        steps = calc("div", m, calc("add", root, group["eps"]))
        return calc("sub", p, steps, alpha=group["lr"] / (1 - first**n))


class AdamW(Adam):
    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)


class lr_scheduler:
    """torch.optim.lr_scheduler"""

    class LambdaLR:
        def __init__(self, optimizer, lr_lambda):
            self.optimizer, self.lr_lambda, self.last_epoch = optimizer, lr_lambda, -1
            self.base_lrs = [group["lr"] for group in optimizer.param_groups]
            self.step()

        def step(self):
            self.last_epoch += 1
            for group, start in zip(self.optimizer.param_groups, self.base_lrs):
                group["lr"] = start * self.lr_lambda(self.last_epoch)

        def get_last_lr(self):
            return [group["lr"] for group in self.optimizer.param_groups]


__getattr__ = lacking("torch.optim")
