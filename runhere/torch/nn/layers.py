"""The layers that the chapters use."""

import math

from ..core import Tensor, filled
from ..dtypes import get_default_dtype
from ..engine import refuse
from . import functional as F
from . import init
from .module import Module, Parameter


def empty(*shape, dtype=None):
    return Parameter(filled(shape, 0, dtype or get_default_dtype()))


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = empty(out_features, in_features, dtype=dtype)
        self.register_parameter("bias", empty(out_features, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features)
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class UninitializedParameter(Parameter):
    """Its size is that of the first input."""

    shape = property(lambda self: self._unknown(), lambda self, shape: self.__dict__.__setitem__("_shape", shape))

    def _unknown(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
            "to initialize the parameters before accessing their attributes."
        )

    def __repr__(self):
        return "<UninitializedParameter>"


class LazyLinear(Linear):
    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        Module.__init__(self)
        self.in_features, self.out_features = 0, out_features
        nothing = filled([0], 0, dtype or get_default_dtype())
        self.weight = UninitializedParameter(nothing)
        self.register_parameter("bias", UninitializedParameter(nothing) if bias else None)

    def has_uninitialized_params(self):
        return True

    def initialize_parameters(self, input):
        self.in_features = input.shape[-1]
        shapes = {"weight": [self.out_features, self.in_features], "bias": [self.out_features]}
        for name, one in self._parameters.items():
            if one is not None:
                one.__class__ = Parameter
                one.data = filled(shapes[name], 0, one.dtype)
        self.__class__ = self.cls_to_become
        self.reset_parameters()

    def __call__(self, input):
        self.initialize_parameters(input)
        return self.forward(input)


class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        for name, module in args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args):
            self.register_module(str(name), module)

    def __iter__(self):
        return iter(self._modules.values())

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, at):
        found = list(self)[at]
        return type(self)(*found) if isinstance(at, slice) else found

    def append(self, module):
        self.register_module(str(len(self)), module)
        return self

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class ModuleList(Sequential):
    def __init__(self, modules=()):
        super().__init__(*modules)

    forward = Module.forward

    def __getitem__(self, at):
        found = list(self)[at]
        return ModuleList(found) if isinstance(at, slice) else found


def of(name, f, loss=False, **settings):
    """A layer that is one function, of one input or a loss, with its settings by name and default."""

    def __init__(self, *args, **kwargs):
        Module.__init__(self)
        given = {**settings, **dict(zip(settings, args)), **kwargs}
        refuse(len(given) > len(settings) or len(args) > len(settings), f"nn.{name} with these settings")
        vars(self).update(given)

    def forward(self, input, *targets):
        if len(targets) != loss:
            given = f"{2 + loss} positional arguments but {2 + len(targets)} were given"
            raise TypeError(f"{name}.forward() takes {given}")
        return f(input, *targets, **{key: getattr(self, key) for key in settings})

    def extra_repr(self):
        return ", ".join([f"{key}={getattr(self, key)!r}" for key in settings if not loss])

    return type(name, (Module,), {"__init__": __init__, "forward": forward, "extra_repr": extra_repr})


Tanh, ReLU, Sigmoid, SiLU = of("Tanh", F.tanh), of("ReLU", F.relu), of("Sigmoid", F.sigmoid), of("SiLU", F.silu)
GELU, Softmax = of("GELU", F.gelu, approximate="none"), of("Softmax", F.softmax, dim=None)
Flatten = of("Flatten", Tensor.flatten, start_dim=1, end_dim=-1)
MSELoss = of("MSELoss", F.mse_loss, loss=True, reduction="mean")
CrossEntropyLoss = of("CrossEntropyLoss", F.cross_entropy, loss=True, ignore_index=-100, reduction="mean")


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True):
        super().__init__()
        one = isinstance(normalized_shape, int)
        self.normalized_shape = shape = (normalized_shape,) if one else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        start = filled(shape, 1, get_default_dtype())
        self.register_parameter("weight", Parameter(start) if elementwise_affine else None)
        self.register_parameter("bias", empty(*shape) if elementwise_affine and bias else None)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        affine, shifted = self.elementwise_affine, self.bias is not None
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={affine}, bias={shifted}"


class RMSNorm(LayerNorm):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
        super().__init__(normalized_shape, eps, elementwise_affine, bias=False)
        del self._parameters["bias"]

    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None):
        super().__init__()
        refuse(padding_idx is not None, "nn.Embedding with padding_idx")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = empty(num_embeddings, embedding_dim)
        init.normal_(self.weight)

    def forward(self, input):
        return F.embedding(input, self.weight)

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}"


__all__ = """GELU CrossEntropyLoss Dropout Embedding Flatten Identity LayerNorm LazyLinear Linear MSELoss ModuleList
    RMSNorm ReLU Sequential SiLU Sigmoid Softmax Tanh""".split()
