"""Modules: parameters by name, in the order in which they were set."""

from ..core import Tensor, cast, filled, write
from ..dtypes import float16, float32, float64
from ..engine import refusal


class Parameter(Tensor):
    """A tensor that a module learns."""

    def __new__(cls, data=None, requires_grad=True):
        data = filled([0], 0, float32) if data is None else data
        out = object.__new__(cls)
        out._set(data._storage, data.shape, data.dtype, data._strides, data._start)
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


class Module:
    training = True

    def __init__(self, *args, **kwargs):
        own = f"{type(self).__name__}.__init__()"
        if kwargs:
            raise TypeError(f"{own} got an unexpected keyword argument '{next(iter(kwargs))}'")
        if args:
            raise TypeError(f"{own} takes 1 positional argument but {len(args) + 1} were given")
        self.__dict__.update(_parameters={}, _modules={}, _buffers={}, training=True)

    def __setattr__(self, name, value):
        own = self.__dict__
        kind = "_parameters" if isinstance(value, Parameter) else "_modules" if isinstance(value, Module) else None
        if kind:
            if "_parameters" not in own:
                what = "parameters" if kind == "_parameters" else "module"
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            for other in ("_parameters", "_modules", "_buffers"):
                own[other].pop(name, None) if other != kind else None
            own.pop(name, None)
            own[kind][name] = value
        elif name in own.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__module__}.{type(value).__name__}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            own["_parameters"][name] = None
        elif name in own.get("_modules", ()) and value is None:
            own["_modules"][name] = None
        elif name in own.get("_buffers", ()):
            own["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kind, ()):
                return self.__dict__[kind][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kind, ()):
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def register_parameter(self, name, param):
        self._parameters[name] = param

    def register_module(self, name, module):
        self._modules[name] = module

    add_module = register_module

    def register_buffer(self, name, tensor, persistent=True):
        if not persistent:
            raise refusal("buffers with persistent=False")
        self._buffers[name] = tensor

    def _no_hooks(self, *args, **kwargs):
        raise refusal("hooks")

    register_forward_hook = register_forward_pre_hook = register_full_backward_hook = _no_hooks

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def named_modules(self, memo=None, prefix=""):
        memo = set() if memo is None else memo
        if id(self) in memo:
            return
        memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        for name, module in self._modules.items():
            if module is not None:
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def _named(self, kind, prefix, recurse):
        seen = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, one in module.__dict__[kind].items():
                if one is not None and id(one) not in seen:
                    seen.add(id(one))
                    yield f"{path}.{name}" if path else name, one

    def named_parameters(self, prefix="", recurse=True):
        return self._named("_parameters", prefix, recurse)

    def parameters(self, recurse=True):
        for _, one in self.named_parameters(recurse=recurse):
            yield one

    def named_buffers(self, prefix="", recurse=True):
        return self._named("_buffers", prefix, recurse)

    def buffers(self, recurse=True):
        for _, one in self.named_buffers(recurse=recurse):
            yield one

    def state_dict(self):
        found = {}
        for path, module in self.named_modules():
            for name, one in [*module._parameters.items(), *module._buffers.items()]:
                if one is not None:
                    found[f"{path}.{name}" if path else name] = one.detach()
        return found

    def load_state_dict(self, state_dict, strict=True):
        own, lines = self.state_dict(), []
        extra = [f'"{name}"' for name in state_dict if name not in own]
        missing = [f'"{name}"' for name in own if name not in state_dict]
        if extra and strict:
            lines.append(f"Unexpected key(s) in state_dict: {', '.join(extra)}. ")
        if missing and strict:
            lines.append(f"Missing key(s) in state_dict: {', '.join(missing)}. ")
        for name in own:
            if name in state_dict and own[name].shape != state_dict[name].shape:
                lines.append(
                    f"size mismatch for {name}: copying a param with shape {state_dict[name].shape} from checkpoint, "
                    f"the shape in current model is {own[name].shape}."
                )
        if lines:
            told = "\n\t".join(lines)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{told}")
        for name in own:
            if name in state_dict:
                write(own[name], cast(state_dict[name], own[name].dtype))
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

    def double(self):
        return self.to(float64)

    def float(self):
        return self.to(float32)

    def half(self):
        return self.to(float16)

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
