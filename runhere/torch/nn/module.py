"""Modules: parameters by name, in the order in which they were set."""

from collections import OrderedDict

from ..convert import typed
from ..core import Tensor, cast, filled, write
from ..dtypes import float16, float32, float64
from ..engine import refuse

KINDS = ("_parameters", "_buffers", "_modules")


class Parameter(Tensor):
    """A tensor that a module learns."""

    def __new__(cls, data=None, requires_grad=True):
        data = filled([0], 0, float32) if data is None else data
        out = object.__new__(cls)._set(data._storage, data.shape, data.dtype, data._strides, data._start)
        return out.requires_grad_(requires_grad)

    def __init__(self, data=None, requires_grad=True):
        pass

    def __repr__(self):
        return f"Parameter containing:\n{Tensor.__repr__(self)}"

    __str__ = __repr__


class Keys:
    """What load_state_dict gives back."""

    missing_keys, unexpected_keys = (), ()

    def __repr__(self):
        return "<All keys matched successfully>"


def joined(path, name):
    return f"{path}.{name}" if path else name


class Module:
    training = True

    def __init__(self, *args, **kwargs):
        own = f"{type(self).__name__}.__init__()"
        if kwargs:
            raise TypeError(f"{own} got an unexpected keyword argument '{next(iter(kwargs))}'")
        if args:
            raise TypeError(f"{own} takes 1 positional argument but {len(args) + 1} were given")
        vars(self).update(_parameters={}, _modules={}, _buffers={}, training=True)

    def _holder(self, name):
        """What has a parameter, a buffer or a module of this name."""
        return next((own for kind in KINDS if name in (own := vars(self).get(kind, {}))), None)

    def __setattr__(self, name, value):
        kind = "_parameters" if isinstance(value, Parameter) else "_modules" if isinstance(value, Module) else None
        holder = self._holder(name)
        if kind:
            if kind not in vars(self):
                what = "parameters" if kind == "_parameters" else "module"
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            if holder is not None and holder is not vars(self)[kind]:
                del holder[name]
            vars(self).pop(name, None)
            vars(self)[kind][name] = value
        elif holder is None or (value is not None and holder is vars(self)["_modules"]):
            object.__setattr__(self, name, value)
        elif value is not None and holder is vars(self)["_parameters"]:
            given = f"{type(value).__module__}.{type(value).__name__}"
            kinds = "(torch.nn.Parameter or None required)"
            raise TypeError(f"cannot assign '{given}' object to parameter '{name}' {kinds}")
        else:
            holder[name] = value

    def __getattr__(self, name):
        holder = self._holder(name)
        if holder is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return holder[name]

    def __delattr__(self, name):
        holder = self._holder(name)
        if holder is None:
            object.__delattr__(self, name)
        else:
            del holder[name]

    def register_parameter(self, name, param):
        self._parameters[name] = param

    def register_module(self, name, module):
        self._modules[name] = module

    add_module = register_module

    def register_buffer(self, name, tensor, persistent=True):
        refuse(not persistent, "buffers with persistent=False")
        self._buffers[name] = tensor

    def _no_hooks(self, *args, **kwargs):
        refuse(True, "hooks")

    register_forward_hook = register_forward_pre_hook = register_full_backward_hook = _no_hooks

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def named_modules(self, memo=None, prefix=""):
        memo = set() if memo is None else memo
        if id(self) not in memo:
            memo.add(id(self))
            yield prefix, self
            for name, module in self.named_children():
                yield from module.named_modules(memo, joined(prefix, name))

    def modules(self):
        return (module for _, module in self.named_modules())

    def named_children(self):
        return ((name, module) for name, module in self._modules.items() if module is not None)

    def children(self):
        return (module for _, module in self.named_children())

    def _named(self, kind, prefix, recurse):
        seen = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, one in vars(module)[kind].items():
                if one is not None and id(one) not in seen:
                    seen.add(id(one))
                    yield joined(path, name), one

    def named_parameters(self, prefix="", recurse=True):
        return self._named("_parameters", prefix, recurse)

    def parameters(self, recurse=True):
        return (one for _, one in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True):
        return self._named("_buffers", prefix, recurse)

    def buffers(self, recurse=True):
        return (one for _, one in self.named_buffers(recurse=recurse))

    def state_dict(self):
        return OrderedDict(
            (joined(path, name), one.detach())
            for path, module in self.named_modules()
            for name, one in [*module._parameters.items(), *module._buffers.items()]
            if one is not None
        )

    def load_state_dict(self, state_dict, strict=True):
        own, lines = self.state_dict(), []
        extra = [f'"{name}"' for name in state_dict if name not in own]
        missing = [f'"{name}"' for name in own if name not in state_dict]
        for names, what in ((extra, "Unexpected"), (missing, "Missing")):
            if names and strict:
                lines.append(f"{what} key(s) in state_dict: {', '.join(names)}. ")
        common = {name: (one, state_dict[name]) for name, one in own.items() if name in state_dict}
        for name, (one, given) in common.items():
            if one.shape != given.shape:
                lines.append(
                    f"size mismatch for {name}: copying a param with shape {given.shape} from checkpoint, the shape in "
                    f"current model is {one.shape}."
                )
        if lines:
            told = "\n\t".join(lines)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{told}")
        for one, given in common.values():
            write(one, cast(given, one.dtype))
        return Keys()

    def train(self, mode=True):
        for module in self.modules():
            module.training = mode
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for one in self.parameters():
            one.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for one in self.parameters():
            one.grad = None

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def to(self, *args, **kwargs):
        for one in [*self.parameters(), *self.buffers()]:
            if one.is_floating_point():
                one.data = one.detach().to(*args, **kwargs)
        return self

    double, float, half = map(typed, (float64, float32, float16))

    def cpu(self):
        return self

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        inner = [f"({name}): {repr(module).replace(chr(10), chr(10) + '  ')}" for name, module in self._modules.items()]
        if not inner and len(lines) < 2:
            return f"{self._get_name()}({extra})"
        body = "\n  ".join(lines + inner)
        return f"{self._get_name()}(\n  {body}\n)"
