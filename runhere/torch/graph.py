"""Gradients: each step notes what it was made of, and how a gradient goes back to each of these."""

from functools import cache, wraps

from .core import Tensor, cast, filled, from_numbers, methods, over, run, write
from .engine import expect, refuse

ENABLED = [True]


class no_grad:
    """Steps are not noted: in a with statement, or in a function below it."""

    on = False

    def __new__(cls, function=None):
        return object.__new__(cls)(function) if function else object.__new__(cls)

    def __enter__(self):
        self.was, ENABLED[0] = ENABLED[0], self.on

    def __exit__(self, *_):
        ENABLED[0] = self.was

    def __call__(self, function):
        @wraps(function)
        def within(*args, **kwargs):
            with type(self)():
                return function(*args, **kwargs)

        return within


class enable_grad(no_grad):
    """Steps are noted."""

    on = True


def set_grad_enabled(mode):
    refuse(True, "set_grad_enabled; write `with torch.no_grad():` or torch.enable_grad(), or")


def is_grad_enabled():
    return ENABLED[0]


class Node:
    """A step: its name, and the ways back to what it was made of; `saved` must not change."""

    def __init__(self, parents, ways, name, saved):
        self.ways = [(edge(p), way, p.shape, p.dtype) for p, way in zip(parents, ways) if asking(p)]
        self.name, self.gone, self.keeper = name, False, None
        # Not the tensors themselves: one of them may be what this step made.
        self.saved = [[x._storage, x._storage.version, x.dtype, x.shape] for x in saved]

    def __repr__(self):
        return f"<{self.name} object at {id(self):#x}>"

    def back(self, g):
        """Edges, and the gradient that goes to each, in the shape and type of what it is for."""
        for storage, version, d, shape in self.saved:
            if storage.version != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"[torch.{d.word}Tensor {list(shape)}], which is output 0 of {self.name}, is at version "
                    f"{storage.version}; expected version {version} instead. Hint: enable anomaly detection to find "
                    "the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True)."
                )
        for to, way, shape, d in self.ways:
            part = unbroadcast(way(g), shape)
            yield to, part if part.dtype is d else cast(part, d)


def unbroadcast(g, shape):
    """A gradient summed over what was broadcast."""
    if g.shape == shape:
        return g
    extra = g.dim() - len(shape)
    ones = [i + extra for i, n in enumerate(shape) if n == 1 and g.shape[i + extra] != 1]
    if extra or ones:
        g = run("sum", [g, [*range(extra), *ones], True], g.dtype)
    return g if g.shape == shape else g.reshape(shape)


def edge(x):
    """Where a gradient of x goes: to the step that made it, or to x itself, a leaf."""
    if not asking(x):
        return None
    if stale(x):
        x._node, x._seen = view_of_root(x), x._base._histories
    return x._node or x


def stale(x):
    """Whether the root of a view has another history than when the view was made."""
    return x._base is not None and x._seen != x._base._histories


def asks(x):
    return x._asks or (stale(x) and x._base._asks)


def asking(x):
    """Whether x is a tensor that asks for a gradient."""
    return isinstance(x, Tensor) and (x._asks if x._base is None else asks(x))


def needs(*given):
    if ENABLED[0]:
        for x in given:
            if isinstance(x, Tensor) and (x._asks if x._base is None else asks(x)):
                return True
    return False


def record(out, parents, ways, name, saved=()):
    """Note how `out` was made: of which parents, and a way for its gradient to each of them."""
    if out.dtype.kind == 2 and needs(*parents):
        out.requires_grad, out._node = True, Node(parents, ways, name, saved)
    return out


@cache
def back_name(name):
    """What PyTorch calls the way back of a step."""
    return f"{''.join([part.capitalize() for part in name.split('_')])}Backward0"


def step(name, x, *args, back=None, d=None, saves="", told=None, options=None):
    """A step of the engine; `back` makes x's gradient of one of what was made, of x, and of what was made."""
    out = run(name, [x, *args], d or x.dtype, options)
    if back and needs(x):
        y = out.detach()
        saved = {"": (), "x": (x,), "y": (out,)}[saves]
        record(out, (x,), (lambda g: back(g, x, y),), told or back_name(name), saved)
    return out


def renamed(x, name):
    """A result under the name that PyTorch gives its step."""
    if x._node:
        x._node.name = name
    return x


def view_of_root(x):
    """The step from a root, whose history is new, to a view of it."""

    def back(g):
        grad = filled(x._base.shape, 0, g.dtype)
        write(seen_in(grad, x), g.contiguous(), adds=True)
        return grad

    return Node([x._base], [back], "AsStridedBackward0", ())


def seen_in(plain, view):
    """The part of a tensor that lies as a view lies in its root."""
    return over(plain._storage, view.shape, plain.dtype, view._strides, view._start)


def take_over(x, new):
    """After x was written with the numbers of `new`: its history is that of `new`, and its root's."""
    root = x._base
    if not (new.requires_grad or x.requires_grad or (root is not None and root.requires_grad)):
        return
    if new._node:
        for one in new._node.saved:
            if one[0] is new._storage:
                one[:2] = [x._storage, x._storage.version]
    if root is None:
        x._histories += 1
        x.requires_grad, x._node = new.requires_grad, new._node
        return
    refuse(root._start or not root.is_contiguous(), "writing into views of such a view where a gradient is asked for")

    def rest(g):
        g = g.clone()
        write(seen_in(g, x), filled(x.shape, 0, g.dtype))
        return g

    ways = (rest, lambda g: cast(seen_in(g.clone(), x), g.dtype))
    root.requires_grad, root._node = True, Node([root, new], ways, "CopySlices", ())
    root._histories += 1
    x.requires_grad = True


AGAIN = """Trying to backward through the graph a second time (or directly access saved tensors after they have already
 been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify
 retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after
 calling backward.""".replace("\n", "")


def in_order(root):
    """What a gradient of `root` goes through, the last first."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        at, done = stack.pop()
        if done:
            order.append(at)
        elif id(at) not in seen:
            seen.add(id(at))
            stack.append((at, True))
            if isinstance(at, Node):
                expect(not at.gone, AGAIN)
                stack += [(way[0], False) for way in at.ways]
    return order[::-1]


def gradients(root, gradient, wanted=None, keep=False):
    """Pairs of an edge that ends here, or that is wanted, and its gradient."""
    found, grads = [], {id(edge(root)): gradient}
    order = in_order(edge(root))
    with no_grad():
        for at in order:
            g = grads.pop(id(at), None)
            if g is None:
                continue
            node = isinstance(at, Node)
            if wanted is not None:
                found += [(at, g)] if any([at is one for one in wanted]) else []
            elif not node or at.keeper is not None:
                found.append((at.keeper if node else at, g))
            if node:
                for to, part in at.back(g):
                    grads[id(to)] = run("add", [grads[id(to)], part], part.dtype) if id(to) in grads else part
                at.gone = bool(at.saved) and not keep
    return found


def first_gradient(x, gradient):
    expect(x.requires_grad, "element 0 of tensors does not require grad and does not have a grad_fn")
    if gradient is None:
        expect(x.numel() == 1, "grad can be implicitly created only for scalar outputs")
        return filled(x.shape, 1, x.dtype)
    shapes = f"grad_output[0] has a shape of {gradient.shape} and output[0] has a shape of {x.shape}."
    expect(tuple(gradient.shape) == tuple(x.shape), f"Mismatch in shape: {shapes}")
    return gradient


SECOND = "second gradients (create_graph=True)"


@methods
class Gradients:
    requires_grad = property(asks, lambda x, on: setattr(x, "_asks", on))
    is_leaf = property(lambda self: edge(self) is None or edge(self) is self)
    grad_fn = property(lambda self: edge(self) if isinstance(edge(self), Node) else None)

    def backward(self, gradient=None, retain_graph=None, create_graph=False):
        refuse(create_graph, SECOND)
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
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        if requires_grad and not self.requires_grad:
            self._base = None  # a leaf is nobody's view
        self.requires_grad = requires_grad
        return self

    def retain_grad(self):
        if self._node:
            self._node.keeper = self

    def register_hook(self, hook):
        refuse(True, "hooks")

    register_post_accumulate_grad_hook = register_hook


class functional:
    """torch.autograd.functional"""

    @staticmethod
    def jacobian(func, inputs, create_graph=False):
        refuse(create_graph or not isinstance(inputs, Tensor), "jacobian of several inputs, nor a second gradient")
        x = cast(inputs, inputs.dtype).requires_grad_()
        y = func(x)
        flat, rows = y.reshape(-1), []
        for i in range(y.numel()):
            one = from_numbers([y.numel()], [float(i == k) for k in range(y.numel())], y.dtype)
            found = gradients(flat, one, [x], True) if y.requires_grad else []
            rows.append(found[0][1] if found else filled(x.shape, 0, x.dtype))
        return run("stack", [rows], x.dtype).reshape(*y.shape, *x.shape)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=False):
    refuse(create_graph, SECOND)
    if not isinstance(outputs, Tensor):
        (outputs,) = outputs
    if isinstance(grad_outputs, (list, tuple)):
        (grad_outputs,) = grad_outputs
    listed = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    expect(all([x.requires_grad for x in listed]), "One of the differentiated Tensors does not require grad")
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
