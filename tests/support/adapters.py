"""Each framework behind the same two functions on NumPy arrays, so that one test fits them all.

`softmax(scores, lens, upstream, mask)` returns the weights and the gradient of
sum(upstream * weights); `attend(queries, keys, values, parameters, lens, upstream, mask)` the
output, the weights and the list of gradients of `reference.attend_and_back`. Parameters are
(outputs, inputs). `array` makes the framework's own array, of the type of the NumPy array.
"""

import functools
import importlib.util

import numpy as np

NAMES = "W_q", "W_k", "w_v"  # of parameters, in the order in which they come


def is_installed(name):
    return importlib.util.find_spec(name) is not None


def imported(*names):
    return map(importlib.import_module, names)


class PyTorch:
    needs = ("torch",)

    def __init__(self):
        self.torch, self.module = imported("torch", "d2lmini")

    def array(self, x):
        return self.torch.tensor(x)

    def traced(self, function):
        return self.torch.compile(function, backend="eager")

    def softmax(self, scores, lens, upstream, mask=None):
        scores = self.array(scores).requires_grad_()
        weights = self.module.masked_softmax(scores, lens, mask=mask)
        (grad,) = self.torch.autograd.grad(weights, scores, self.array(upstream))
        return weights.detach().numpy(), grad.numpy()

    def build(self, parameters):
        if not parameters:
            return self.module.DotProductAttention()
        sizes = {"query_size": parameters[0].shape[1], "key_size": parameters[1].shape[1]}
        attention = self.module.AdditiveAttention(len(parameters[0]), **sizes)
        for name, x in zip(NAMES, parameters, strict=True):
            getattr(attention, name).weight.data = self.array(x)
        return attention

    def attend(self, queries, keys, values, parameters, lens, upstream, mask=None):
        attention = self.build(parameters)
        inputs = [self.array(x).requires_grad_() for x in (queries, keys, values)]
        output = attention(*inputs, lens, mask=mask)
        maps = [getattr(attention, n).weight for n in NAMES if parameters]
        leaves = [*inputs, *maps]
        grads = self.torch.autograd.grad(output, leaves, self.array(upstream))
        weights = attention.attention_weights.numpy()
        return output.detach().numpy(), weights, [grad.numpy() for grad in grads]

    def run(self, *inputs, kind="DotProductAttention", training=False, **options):
        attention = getattr(self.module, kind)(**options).train(training)
        output = attention(*map(self.array, inputs))
        return output.detach().numpy(), attention.attention_weights.numpy()


class Jax:
    needs = ("jax", "flax")

    def __init__(self):
        self.jax, self.module = imported("jax", "d2lmini.jax")

    def array(self, x):
        return self.jax.numpy.asarray(x)

    def traced(self, function):
        return self.jax.jit(function)

    # Under jit, since every new shape is compiled: one function takes less time than its parts.
    def softmax(self, scores, lens, upstream, mask=None):
        def softmax(scores):
            return self.module.masked_softmax(scores, lens, mask=mask)

        @self.jax.jit
        def weights_and_grad(scores, upstream):
            weights, back = self.jax.vjp(softmax, scores)
            return weights, back(upstream)[0]

        weights, grad = weights_and_grad(scores, upstream)
        return np.asarray(weights), np.asarray(grad)

    def build(self, parameters):
        if not parameters:
            return self.module.DotProductAttention(), {}
        named = zip(NAMES, parameters, strict=True)
        variables = {"params": {name: {"kernel": self.array(x.T)} for name, x in named}}
        return self.module.AdditiveAttention(len(parameters[0])), variables

    def attend(self, queries, keys, values, parameters, lens, upstream, mask=None):
        attention, variables = self.build(parameters)

        def pool(variables, *inputs):
            return attention.apply(variables, *inputs, lens, mask=mask)

        @self.jax.jit
        def output_weights_and_grads(upstream, *leaves):
            output, back, weights = self.jax.vjp(pool, *leaves, has_aux=True)
            return output, weights, back(upstream)

        output, weights, (to_variables, *grads) = output_weights_and_grads(upstream, variables, queries, keys, values)
        if parameters:
            grads += [to_variables["params"][name]["kernel"].T for name in NAMES]
        return np.asarray(output), np.asarray(weights), [np.asarray(grad) for grad in grads]

    def run(self, *inputs, kind="DotProductAttention", training=False, **options):
        attention, key = getattr(self.module, kind)(**options), self.jax.random.key(0)
        keys = {"params": key, "dropout": key}
        results, _ = attention.init_with_output(keys, *inputs, training=training)
        return [np.asarray(x) for x in results]


class NNX(Jax):
    """The same modules inside Flax NNX, whose modules hold their variables, over Flax's bridge."""

    def __init__(self):
        super().__init__()
        (self.nnx,) = imported("flax.nnx")

    def make(self, kind, *inputs, **options):
        module = getattr(self.module, kind)(**options)
        return self.nnx.bridge.ToNNX(module, rngs=self.nnx.Rngs(0)).lazy_init(*inputs)

    def attend(self, queries, keys, values, parameters, lens, upstream, mask=None):
        inputs = queries, keys, values
        if parameters:
            attention = self.make("AdditiveAttention", *inputs, num_hiddens=len(parameters[0]))
            for name, x in zip(NAMES, parameters, strict=True):
                getattr(attention, name)["kernel"].set_value(self.array(x.T))
        else:
            attention = self.make("DotProductAttention", *inputs)

        def loss(attention, *inputs):
            output, weights = attention(*inputs, lens, mask=mask)
            return (output * upstream).sum(), (output, weights)

        gradients = self.nnx.jit(self.nnx.grad(loss, argnums=(0, 1, 2, 3), has_aux=True))
        (to_kernels, *grads), (output, weights) = gradients(attention, *map(self.array, inputs))
        if parameters:
            grads += [to_kernels[name]["kernel"][...].T for name in NAMES]
        return np.asarray(output), np.asarray(weights), [np.asarray(grad) for grad in grads]

    def run(self, *inputs, kind="DotProductAttention", training=False, **options):
        attention = self.make(kind, *inputs, **options)
        return [np.asarray(x) for x in attention(*inputs, training=training)]


class TensorFlow:
    needs = ("tensorflow", "keras")

    def __init__(self):
        self.tf, self.module = imported("tensorflow", "d2lmini.tensorflow")

    def array(self, x):
        return self.tf.constant(x)

    def traced(self, function):
        return self.tf.function(function)

    def softmax(self, scores, lens, upstream, mask=None):
        scores = self.array(scores)
        with self.tf.GradientTape() as tape:
            tape.watch(scores)
            weights = self.module.masked_softmax(scores, lens, mask=mask)
        return weights.numpy(), tape.gradient(weights, scores, upstream).numpy()

    def build(self, parameters, dtype):
        if not parameters:
            return self.module.DotProductAttention(dtype=dtype)
        attention = self.module.AdditiveAttention(len(parameters[0]), dtype=dtype)
        attention.build((None, None, parameters[0].shape[1]), (None, None, parameters[1].shape[1]))
        for name, x in zip(NAMES, parameters, strict=True):
            getattr(attention, name).kernel.assign(x.T)
        return attention

    def attend(self, queries, keys, values, parameters, lens, upstream, mask=None):
        attention = self.build(parameters, dtype=queries.dtype.name)
        inputs = [self.array(x) for x in (queries, keys, values)]
        with self.tf.GradientTape() as tape:
            tape.watch(inputs)
            output = attention(*inputs, valid_lens=lens, mask=mask)
        kernels = [getattr(attention, n).kernel.value for n in NAMES if parameters]
        grads = tape.gradient(output, [*inputs, *kernels], upstream)
        grads = [grad.numpy() for grad in grads[:3]] + [grad.numpy().T for grad in grads[3:]]
        return output.numpy(), attention.attention_weights.numpy(), grads

    def run(self, *inputs, kind="DotProductAttention", training=False, **options):
        attention = getattr(self.module, kind)(**options)
        output = attention(*inputs, training=training)
        return output.numpy(), attention.attention_weights.numpy()


class MXNet:
    needs = ("mxnet",)

    def __init__(self):
        self.mx, self.module = imported("mxnet", "d2lmini.mxnet")

    def array(self, x):
        return self.mx.np.array(x, dtype=np.asarray(x).dtype)

    def softmax(self, scores, lens, upstream, mask=None):
        scores = self.array(scores)
        scores.attach_grad()
        with self.mx.autograd.record():
            weights = self.module.masked_softmax(scores, lens, mask=mask)
        weights.backward(self.array(upstream))
        return weights.asnumpy(), scores.grad.asnumpy()

    def build(self, parameters):
        if not parameters:
            return self.module.DotProductAttention()
        attention = self.module.AdditiveAttention(len(parameters[0]))
        attention.initialize()
        # MXNet cannot initialize float64: let it infer sizes in float32 first.
        sizes = (parameters[0].shape[1], parameters[1].shape[1], 1)
        attention(*[self.mx.np.zeros((1, 1, size)) for size in sizes])
        attention.cast(parameters[0].dtype.name)
        for name, x in zip(NAMES, parameters, strict=True):
            getattr(attention, name).weight.set_data(self.array(x))
        return attention

    def attend(self, queries, keys, values, parameters, lens, upstream, mask=None):
        attention = self.build(parameters)
        inputs = [self.array(x) for x in (queries, keys, values)]
        for x in inputs:
            x.attach_grad()
        with self.mx.autograd.record():
            output = attention(*inputs, lens, mask=mask)
        output.backward(self.array(upstream))
        layers = [getattr(attention, name) for name in NAMES if parameters]
        grads = [x.grad for x in inputs] + [layer.weight.grad() for layer in layers]
        weights = attention.attention_weights.asnumpy()
        return output.asnumpy(), weights, [grad.asnumpy() for grad in grads]

    def run(self, *inputs, kind="DotProductAttention", training=False, **options):
        attention, modes = getattr(self.module, kind)(**options), self.mx.autograd
        attention.initialize()
        with modes.train_mode() if training else modes.predict_mode():
            output = attention(*map(self.array, inputs))
        return output.asnumpy(), attention.attention_weights.asnumpy()


KINDS = {"PyTorch": PyTorch, "JAX": Jax, "NNX": NNX, "TensorFlow": TensorFlow, "MXNet": MXNet}


@functools.cache
def load(name):
    return KINDS[name]()


def installed():
    return [name for name, kind in KINDS.items() if all(map(is_installed, kind.needs))]
