"""trace(): a function's own source, and beside each line the tensor that it makes."""

import copy
from collections.abc import Callable
from typing import Any

import traitlets

try:
    import torch
except ImportError as error:
    raise ImportError("traces need PyTorch, which is missing: pip install torch") from error

from .filling import slug, title_of
from .language import say
from .markup import markup
from .script import script
from .texts import check_text
from .tracing.drawing import draw
from .tracing.exporting import executed
from .tracing.graph import graph
from .tracing.inputs import as_input, as_tensor, limits, listed
from .tracing.labels import colors, named, role_of, shape_of
from .tracing.source import calls
from .tracing.steps import evaluate
from .widget import Widget


class Trace(Widget):
    """What `trace` returns: a widget, a piece of HTML that needs no kernel, and a picture.

    Attributes
    ----------
    value : dict
        Input -> its numbers in nested lists, where "nan", "inf" and "-inf" stand for those. Set
        it, wholly or in part, also with tensors; observe it as with any widget.
    """

    _esm = property(lambda self: script("trace.mjs"))

    _state = traitlets.Dict().tag(sync=True)
    value = traitlets.Dict().tag(sync=True)

    def __init__(self, state: dict[str, Any], value: dict[str, Any] | None = None) -> None:
        self._inputs = {one["name"]: one for one in state["graph"]["inputs"]}
        super().__init__(_state=state, value={**state["start"], **(value or {})})

    def __reduce__(self):
        return Trace, (self._state, dict(self.value))

    def __copy__(self):
        return Trace(self._state, self.value)

    def __deepcopy__(self, memo):
        return Trace(copy.deepcopy(self._state, memo), self.value)

    @traitlets.validate("value")
    def _check_value(self, proposal):
        value = dict(self.value or self._state["start"])
        for name, given in proposal["value"].items():
            if name not in self._inputs:
                raise ValueError(f"no input {name!r}; there are {', '.join(self._inputs)}")
            value[name] = listed(as_input(f"input {name!r}", given, self._inputs[name]))
        return value

    def __repr__(self):
        lines = [say("Trace: {title}", title=self._state["title"])]
        lines += [f"  {name}: {shape_of(one['shape'])}" for name, one in self._inputs.items()]
        lines += [f"  {line['number']:4} {line['text']}" for line in self._state["source"]["lines"]]
        return "\n".join(lines)

    def _values(self):
        """All values of the graph, as PyTorch computes them."""
        given = [as_input(name, self.value[name], one) for name, one in self._inputs.items()]
        return evaluate(self._state["graph"], given)

    def _repr_mimebundle_(self, **kwargs):
        picture = draw(self._state, self._values())
        state = {**self._state, "start": self.value}
        alt = say("{title}: its source, and what each line makes", title=self._state["title"])
        html = markup("kernelfree-trace", state, picture, alt, script("trace.packed.js"))
        return self._bundle(html, picture[0], **kwargs)


def trace(
    function: Callable[..., Any],
    /,
    *,
    title: str | None = None,
    address: str | None = None,
    **inputs: Any,
) -> Trace:
    """Watch a function run: beside each line of its source stands the tensor that it makes.

    Its graph is written down once, now, by `torch.export`. The page then runs the graph itself, so
    readers can change every number of the inputs, with or without a kernel.

    Parameters
    ----------
    function : callable
        A function or a module in `eval` mode; called as `function(**inputs)`.
    title : str, optional
        Name of the figure; the function's name otherwise. It is the figure's address, too.
    address : str, optional
        The name in that address, where it is not to be the title's: that of another edition.
    **inputs : array
        The numbers to begin with. Lists of floats are taken in float64.

    Returns
    -------
    Trace
        A widget; `.value` is a dict of the inputs' numbers, in sync both ways.

    Raises
    ------
    NotForThePageError
        If the function does what a page cannot; see `graph`.

    Examples
    --------
    >>> import torch
    >>> def kernel(distance):
    ...     return torch.exp(-distance.square() / 2)
    >>> figure = trace(kernel, distance=[0.0, 1.0, 2.0])  # doctest: +SKIP
    """
    if not callable(function):
        raise TypeError(f"trace: expected a function, got {type(function).__name__}")
    for name, given in (("title", title), ("address", address)):
        if given is not None and not isinstance(given, str):
            raise TypeError(f"{name}: expected a string, got {type(given).__name__}")
    check_text("title", title or "")
    if not inputs:
        raise ValueError("trace: no inputs; name at least one, such as scores=torch.randn(2, 3)")
    tensors = {name: as_tensor(f"input {name!r}", given) for name, given in inputs.items()}
    within = {name: limits(function, tensors, name) for name in tensors}
    made = graph(function, tensors)  # afterwards: what a module keeps is of the numbers given
    if not any(made.stacks):
        raise ValueError(
            "trace: expected a function that computes something from its inputs, got one whose "
            "outputs take no step of PyTorch's"
        )
    name = title_of(function) if title is None else title
    page = made.page()
    values = evaluate(page, list(tensors.values()))
    shapes = [list(x.shape) if isinstance(x, torch.Tensor) else None for x in values]
    source = named(calls(made).told(executed(function, tensors)), shapes)
    for one in page["inputs"]:
        one |= {"role": role_of(one["name"]), **within[one["name"]]}
    state = {
        "title": say(name) if title is None else title,
        "id": slug(address or name),
        "graph": page,
        "source": source,
        "start": {name: listed(x) for name, x in tensors.items()},
        "colors": colors(source, page["inputs"]),
    }
    return Trace(state)
