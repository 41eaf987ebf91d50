"""The kinds of panels that a figure can show.

A kind is one file here, and one in `js/panels/`: whatever stands in the folder is found. What it
must say is in `_panel.Panel`. Modules with an underscore are shared by kinds.
"""

from importlib import import_module
from pkgutil import iter_modules

import numpy as np

from ..language import say
from ..palette import SUMMED
from ..scales import scale
from ..texts import called
from ._panel import KINDS, Panel

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["KINDS", "Panel", "as_panel", "bind", "finish"]


def as_panel(given, matrix=KINDS["heatmap"]):
    """The panel that shows a result which is none: that of a kind that takes it, else a matrix.

    Parameters
    ----------
    given : anything
        Such as an array of shape (n,) or (rows, columns).
    matrix : callable
        What makes a panel of a matrix.
    """
    made = (kind.made_of(given) for kind in KINDS.values())
    found = next((panel for panel in made if panel is not None), None)
    return matrix(given) if found is None else found


def bind(specs, tables, controls):
    """Let panels that set controls, or show other panels, find them."""
    controls = {control["name"]: control for control in controls}
    panels = [variants[0] for variants in specs]
    for variants, part in zip(specs, tables, strict=True):
        kind, name = KINDS[variants[0]["kind"]], variants[0]["name"]
        kind.bind(variants, part, called(name), controls, panels)


def finish(specs, tables):
    """Give each spec what its panel shares over all states, and return the scales of the roles.

    `specs` has a list for each panel: its specs, which differ in words alone.
    """
    spans, clims, maps = {}, {}, {}
    for (spec, *_), part in zip(specs, tables, strict=True):
        kind = KINDS[spec["kind"]]
        for role, table in kind.shaded(spec, part):
            known = table[~np.isnan(table)]
            none = spec.get("clim") or (0.0, 0.0)
            span = (known.min(), known.max()) if known.size else none
            found = spans.setdefault(role, {})
            found[kind.tinted] = wider(found.get(kind.tinted, span), span)
        clim = spec.get("clim")
        if clim and (other := clims.setdefault(role := spec["role"], clim)) != clim:
            raise ValueError(
                f"{called(spec['name'])}, clim: panels of role {role!r} share one scale, got "
                f"{tuple(clim)} and {tuple(other)}; add_role makes a role of its own"
            )
        cmap = spec.get("cmap")
        if cmap and (other := maps.setdefault(role := spec["role"], cmap)) != cmap:
            raise ValueError(
                f"{called(spec['name'])}, cmap: panels of role {role!r} share one scale, got "
                f"{cmap!r} and {other!r}; add_role makes a role of its own"
            )
    # Heights have the scale of shades where an author says by a role that both are one thing.
    for role, found in spans.items():
        if len(found) > 1 and role != "number" and role not in clims:
            found[True] = found[False] = wider(*found.values())
    scales = {
        role: scale(role, *(found.get(True) or found[False]), clims.get(role), maps.get(role))
        for role, found in spans.items()
    }
    heights = {role: found[False] for role, found in spans.items() if False in found}
    for variants, part in zip(specs, tables, strict=True):
        for spec in variants:
            spec.update(KINDS[spec["kind"]].finish(spec, part, scales, heights))
            if spec.get("role") in SUMMED:
                spec["summed"] = True
            if spec.get("role") in maps:
                spec["zero"] = True  # has a colour, as all numbers of a map
            translate(spec)
    return {say(role): scale for role, scale in scales.items()}


def wider(one, other):
    """The span that holds two, each (low, high)."""
    return min(one[0], other[0]), max(one[1], other[1])


def translate(spec):
    """Give a panel the names of its roles in the language that is spoken, as they are read out.

    One without a role is called by its kind, where it has no name.
    """
    kind = spec["kind"]
    if say(kind) != kind:
        spec.setdefault("role", kind)
    for part in (spec, *spec.get("marks", ())):
        part.update({key: say(part[key]) for key in ("role", "bar") if part.get(key)})
