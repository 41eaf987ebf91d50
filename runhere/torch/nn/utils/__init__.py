"""torch.nn.utils"""

from ...core import lacking, run
from ...engine import refuse
from ...graph import no_grad
from . import rnn

__all__ = ["clip_grad_norm_", "rnn"]


@no_grad
def clip_grad_norm_(parameters, max_norm, norm_type=2.0):
    refuse(norm_type != 2.0, "clip_grad_norm_ of another order than 2")
    grads = [p.grad for p in parameters if p.grad is not None]
    long = run("stack", [[g.norm() for g in grads]], grads[0].dtype).norm()
    factor = (max_norm / (long + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(factor)
    return long


__getattr__ = lacking("torch.nn.utils")
