"""torch.optim: steps against gradients."""

import math

from .core import cast, filled, lacking, run, write
from .engine import ask, refuse, spelled


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
        refuse(closure is not None, "optimizer step with a closure")
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    state = self.state.setdefault(id(p), {"step": 0, "of": p})
                    state["step"] += 1
                    self.moved(p, p.grad, group, state)


def plus(a, b, alpha, name="add"):
    return run(name, [a, b], a.dtype, {"alpha": alpha})


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0.0, dampening=0, weight_decay=0.0, nesterov=False):
        refuse(dampening or nesterov, "SGD with dampening or nesterov")
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay)

    def moved(self, p, g, group, state):
        if group["weight_decay"]:
            g = plus(g, p, group["weight_decay"])
        if group["momentum"]:
            before = state.get("momentum")
            if before is not None:
                before = run("mul", [before, group["momentum"]], g.dtype)
            g = state["momentum"] = cast(g, g.dtype) if before is None else run("add", [before, g], g.dtype)
        write(p, plus(p, g, group["lr"], "sub"))


class Adam(Optimizer):
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False):
        refuse(amsgrad, "Adam with amsgrad")
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def moved(self, p, g, group, state):
        refuse(p.dtype.itemsize < 4, f"Adam for {p.dtype}")
        first, second = group["betas"]
        decay, n, rate = group["weight_decay"], state["step"], group["lr"]
        if n == 1:
            state["m"], state["v"] = (filled(p.shape, 0, p.dtype) for _ in "mv")
        numbers = [first, second, math.sqrt(1 - second**n), group["eps"], rate / (1 - first**n)]
        numbers += [0, 1 - rate * decay] if self.decoupled else [decay, 1]
        new = p if p.is_contiguous() else cast(p, p.dtype)
        ask("adam", spelled([[new, g, state["m"], state["v"]], p.dtype.name, *numbers, n == 1]))
        p._storage.version += 1
        if new is not p:
            write(p, new)


class AdamW(Adam):
    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)


class lr_scheduler:
    """torch.optim.lr_scheduler"""

    class LambdaLR:
        def __init__(self, optimizer, lr_lambda):
            self.optimizer, self.lr_lambda, self.last_epoch = optimizer, lr_lambda, -1
            self.base_lrs = self.get_last_lr()
            self.step()

        def step(self):
            self.last_epoch += 1
            for group, start in zip(self.optimizer.param_groups, self.base_lrs):
                group["lr"] = start * self.lr_lambda(self.last_epoch)

        def get_last_lr(self):
            return [group["lr"] for group in self.optimizer.param_groups]


__getattr__ = lacking("torch.optim")
