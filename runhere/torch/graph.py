"""Gradients: each step notes what it was made of and how a gradient goes back through it."""

from .core import Tensor, cast, filled, from_numbers, methods, run, write
from .engine import refusal

ENABLED = [True]


class grad_mode:
    """Whether steps are noted: in a with statement, above a function, or called."""

    def __init__(self, on):
        self.on = on

    def __enter__(self):
        self.was, ENABLED[0] = ENABLED[0], self.on

    def __exit__(self, *_):
        ENABLED[0] = self.was

    def __call__(self, function):
        def within(*args, **kwargs):
            with grad_mode(self.on):
                return function(*args, **kwargs)

        return within


def no_grad(function=None):
    return grad_mode(False)(function) if function else grad_mode(False)


def enable_grad(function=None):
    return grad_mode(True)(function) if function else grad_mode(True)


def set_grad_enabled(mode):
    raise refusal("set_grad_enabled; write `with torch.no_grad():` or torch.enable_grad(), or")


def is_grad_enabled():
    return ENABLED[0]


class Node:
    """A step: its name, the edges to what it was made of, and the way back; `saved` must not change."""

    def __init__(self, parents, back, name, saved):
        self.edges, self.back, self.name = [edge(p) for p in parents], back, name
        # Not the tensors themselves: one of them may be what this step made.
        self.saved = [[x._storage, x._storage.version, x.dtype, x.shape] for x in saved]
        self.gone = False

    def __repr__(self):
        return f"<{self.name} object at {id(self):#x}>"


def edge(x):
    """Where a gradient of x goes: to the step that made it, or to x itself, a leaf."""
    if not isinstance(x, Tensor) or not x.requires_grad:
        return None
    if stale(x):
        x._node, x._seen = view_of_root(x), x._base._histories
    return x._node or x


def stale(x):
    """Whether the root of a view has another history than when the view was made."""
    return x._base is not None and x._seen != x._base._histories


def needs(*given):
    if ENABLED[0]:
        for x in given:
            if isinstance(x, Tensor) and (x._asks if x._base is None else asks(x)):
                return True
    return False


def record(out, parents, back, name, saved=()):
    """Note how `out` was made; `back` turns its gradient into one for each parent."""
    if out.dtype.kind == 2 and needs(*parents):
        out.requires_grad, out._node = True, Node(parents, back, name, saved)
    return out


def renamed(x, name):
    """A result under the name that PyTorch gives its step."""
    if x._node:
        x._node.name = name
    return x


def view_of_root(x):
    """The step from a root, whose history is new, to a view of it."""
    root = x._base

    def back(g):
        grad = filled(root.shape, 0, g.dtype)
        write(seen_in(grad, x), g.contiguous(), adds=True)
        return [grad]

    return Node([root], back, "AsStridedBackward0", ())


def seen_in(plain, view):
    """The part of a tensor that lies as a view lies in its root."""
    return object.__new__(Tensor)._set(plain._storage, view.shape, plain.dtype, view._strides, view._start)


def take_over(x, new):
    """After x was written with the numbers of `new`: its history is that of `new`, and its root's."""
    if not (new.requires_grad or x.requires_grad or (x._base is not None and x._base.requires_grad)):
        return
    root = x._base
    if new._node:
        for one in new._node.saved:
            if one[0] is new._storage:
                one[:2] = [x._storage, x._storage.version]
    if root is None:
        x._histories += 1
        x.requires_grad, x._node = new.requires_grad, new._node
        return
    if root._start or not root.is_contiguous():
        raise refusal("writing into views of such a view where a gradient is asked for")

    def back(g):
        rest = g.clone()
        part = seen_in(rest, x)
        mine = cast(part, g.dtype)
        write(part, filled(x.shape, 0, g.dtype))
        return [rest, mine]

    node = Node([root, new], back, "CopySlices", ())
    root.requires_grad, root._node = True, node
    root._histories += 1
    x.requires_grad = True


def gradients(root, gradient, wanted=None, keep=False):
    """Pairs of an edge that ends here, or that is wanted, and its gradient."""
    order, seen, stack = [], set(), [(edge(root), False)]
    while stack:
        at, done = stack.pop()
        if done:
            order.append(at)
        elif id(at) not in seen:
            seen.add(id(at))
            stack.append((at, True))
            if isinstance(at, Node):
                if at.gone:
                    raise RuntimeError(
                        "Trying to backward through the graph a second time (or directly access saved tensors "
                        "after they have already been freed). Saved intermediate values of the graph are freed "
                        "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
                        "backward through the graph a second time or if you need to access saved tensors after "
                        "calling backward."
                    )
                stack += [(one, False) for one in at.edges if one is not None]
    found, grads = [], {id(edge(root)): gradient}
    with no_grad():
        for at in reversed(order):
            g = grads.pop(id(at), None)
            if g is None:
                continue
            if wanted is not None and any([at is one for one in wanted]):
                found.append((at, g))
            if not isinstance(at, Node):
                if wanted is None:
                    found.append((at, g))
                continue
            kept = at.__dict__.get("keeper")
            if kept is not None and wanted is None:
                found.append((kept, g))
            for to, part in zip(at.edges, back_through(at, g)):
                if to is not None and part is not None:
                    grads[id(to)] = part if id(to) not in grads else run("add", [grads[id(to)], part], part.dtype)
            at.gone = bool(at.saved) and not keep
    return found


def back_through(node, g):
    for storage, version, d, shape in node.saved:
        if storage.version != version:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[torch.{d.word}Tensor {list(shape)}], which is output 0 of {node.name}, is at version "
                f"{storage.version}; expected version {version} instead. Hint: enable anomaly detection to find the "
                "operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True)."
            )
    return node.back(g)


def first_gradient(x, gradient):
    if not x.requires_grad:
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
    if gradient is not None:
        if tuple(gradient.shape) != tuple(x.shape):
            raise RuntimeError(
                f"Mismatch in shape: grad_output[0] has a shape of {gradient.shape} and output[0] has a shape of "
                f"{x.shape}."
            )
        return gradient
    if x.numel() != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return filled(x.shape, 1, x.dtype)


def backward(self, gradient=None, retain_graph=None, create_graph=False):
    if create_graph:
        raise refusal("second gradients (create_graph=True)")
    others = {gradient._storage} if gradient is not None else set()  # whose numbers a leaf must not share
    for leaf, g in gradients(self, first_gradient(self, gradient), None, bool(retain_graph)):
        if leaf.grad is None:
            own = g._base is None and g.dtype is leaf.dtype and g._storage not in others
            leaf.grad = g if own else cast(g, leaf.dtype)
            others.add(leaf.grad._storage)
        else:
            write(leaf.grad, run("add", [leaf.grad, g], leaf.dtype))


def requires_grad_(self, requires_grad=True):
    if requires_grad and self.dtype.kind != 2:
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    if self._node and not requires_grad:
        raise RuntimeError(
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
            "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
        )
    if requires_grad and not self.requires_grad:
        self._base = None  # a leaf is nobody's view
    self.requires_grad = requires_grad
    return self


def retain_grad(self):
    if self._node:
        self._node.keeper = self


def register_hook(self, hook):
    raise refusal("hooks")


def asks(x):
    return x._asks or (stale(x) and x._base._asks)


methods(globals(), "backward requires_grad_ retain_grad register_hook=register_post_accumulate_grad_hook")
Tensor.requires_grad = property(asks, lambda x, on: setattr(x, "_asks", on))
Tensor.is_leaf = property(lambda self: edge(self) is None or edge(self) is self)
Tensor.grad_fn = property(lambda self: edge(self) if isinstance(edge(self), Node) else None)


class functional:
    """torch.autograd.functional"""

    @staticmethod
    def jacobian(func, inputs, create_graph=False):
        if create_graph or not isinstance(inputs, Tensor):
            raise refusal("jacobian of several inputs, nor a second gradient")
        x = cast(inputs, inputs.dtype).requires_grad_()
        y = func(x)
        flat, rows = y.reshape(-1), []
        for i in range(y.numel()):
            one = from_numbers([y.numel()], [float(i == k) for k in range(y.numel())], y.dtype)
            found = gradients(flat, one, [x], True) if y.requires_grad else []
            rows.append(found[0][1] if found else filled(x.shape, 0, x.dtype))
        return run("stack", [rows], x.dtype).reshape(*y.shape, *x.shape)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=False):
    if create_graph:
        raise refusal("second gradients (create_graph=True)")
    if not isinstance(outputs, Tensor):
        (outputs,) = outputs
    if isinstance(grad_outputs, (list, tuple)):
        (grad_outputs,) = grad_outputs
    listed = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    if not all([x.requires_grad for x in listed]):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    wanted = [edge(x) for x in listed]
    first = first_gradient(outputs, grad_outputs)
    found = {id(at): g for at, g in gradients(outputs, first, wanted, bool(retain_graph))}
    grads = [found.get(id(one)) for one in wanted]
    if any([g is None for g in grads]) and not allow_unused:
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
            "this is the desired behavior."
        )
    return tuple([g if g is None else cast(g, x.dtype) for g, x in zip(grads, listed)])
