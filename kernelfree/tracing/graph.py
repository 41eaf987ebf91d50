"""A PyTorch function as a list of plain steps, which a page can take without Python.

`torch.export` writes the list; here it becomes JSON for the page's engine (js/engine). What the
page cannot do is an error now, not when a reader moves something.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .constants import TYPES, constant, kind, owner
from .exporting import Place, exported, stacks
from .steps import alive, is_idle, step


@dataclass
class Graph:
    """What the page needs to compute a function.

    Attributes
    ----------
    inputs : list of dict
        Name, shape and dtype of each argument.
    constants : list of dict
        Shape, dtype and data: numbers, or the base64 of their bytes; or a name instead of data.
    steps : list
        [operation, arguments, dtype, options], where "%3" is the third of all values: constants,
        then inputs, then what the steps have made. The dtype is a list where a step makes a list.
    outputs : tensors as "%3", in the tuples and dicts in which the function returns them
    stacks : list of list of Place
        For each step, from the function itself to the innermost line outside PyTorch.
    strict : bool
        Whether the stacks reach into the functions that are called.
    """

    inputs: list[dict[str, Any]]
    constants: list[dict[str, Any]]
    steps: list[list[Any]]
    outputs: Any
    stacks: list[list[Place]]
    strict: bool

    def page(self) -> dict[str, Any]:
        """What goes to the page as JSON, with the innermost line of each step."""
        return {
            "inputs": self.inputs,
            "constants": self.constants,
            "steps": self.steps,
            "outputs": self.outputs,
            "lines": [stack[-1].line if stack else None for stack in self.stacks],
        }


def graph(
    function: Callable[..., Any],
    inputs: Mapping[str, Tensor],
    lengths: Mapping[str, Mapping[int, tuple[int, int]]] | None = None,
    by_name: bool = False,
    inside: bool = True,
) -> Graph:
    """Write a PyTorch function or module down as steps that a page can take.

    Parameters
    ----------
    function : callable
        A function, or a module in `eval` mode. It is called as `function(**inputs)` once, too.
    inputs : dict of Tensor
        Examples; float64, float32, int64 or bool.
    lengths : dict, optional
        Input -> axis -> (least, most): the axes whose length the page may change.
    by_name : bool
        Keep parameters out: the page is given them by their names in the module.
    inside : bool
        Find out the lines inside the functions that are called. Without them a function may do
        more besides computing, such as making objects.

    Raises
    ------
    NotForThePageError
        If it branches on values, writes in place, is random, or uses an operation that the page
        does not know. The message names the operation and the line that uses it.
    """
    for name, x in inputs.items():
        kind(x, f"input {name!r}")
    with torch.no_grad():
        function(**inputs)  # what is wrong with the function itself is said by itself
    program, strict = exported(function, inputs, lengths, inside)
    ids: dict[Any, int] = {}
    nodes = {node.name: node for node in program.graph.nodes}
    constants = []
    for name, found in held(program).items():
        ids[nodes[name]] = len(ids)
        parameter = by_name and name in program.graph_signature.inputs_to_parameters
        constants.append(constant(found, parameter and owner(program, name)))
    given = []
    for name, argument in zip(inputs, program.graph_signature.user_inputs, strict=True):
        ids[nodes[argument]] = len(ids)
        x = inputs[name]
        given.append({"name": name, "shape": list(x.shape), "dtype": TYPES[x.dtype]})
    steps, used = taken(program, ids)
    return Graph(given, constants, steps, returned(program, nodes, ids), stacks(used), strict)


def taken(program, ids):
    """The steps that a program takes and their nodes; `ids` learns the number of each value."""
    steps, used, count = [], [], len(ids)
    for node in alive(program):
        made = step(node, ids)
        if is_idle(node, made):
            ids[node] = ids[node.args[0]]
        else:
            ids[node] = count + len(steps)
            steps.append(made)
            used.append(node)
    return steps, used


def held(program):
    """The tensors that a program holds: parameters, buffers, constants, by their node's name."""
    signature = program.graph_signature
    own = {**program.constants, **program.state_dict}
    names = {
        **signature.inputs_to_parameters,
        **signature.inputs_to_buffers,
        **signature.inputs_to_lifted_tensor_constants,
    }
    # One that is returned as it is counts, too.
    read = {a.name for node in alive(program) for a in node.all_input_nodes}
    read |= set(map(str, signature.user_outputs))
    return {name: own[key] for name, key in names.items() if name in read}


def returned(program, nodes, ids):
    """What the function returns, with "%3" for tensors."""
    names = program.graph_signature.user_outputs
    if not all(isinstance(name, str) and name in nodes for name in names):
        raise TypeError("the function must return tensors, got something else among them")
    return program.call_spec.out_spec.unflatten([f"%{ids[nodes[name]]}" for name in names])
