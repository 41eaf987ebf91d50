"""Elements of a panel that are touched to set controls."""

from ..language import say
from ..palette import ACCENT


def controls_of(touch, what):
    """The control of the rows and that of the columns, or None, from one name or two."""
    pair = touch if isinstance(touch, (tuple, list)) else (None, touch)
    if len(pair) != 2 or not all(name is None or isinstance(name, str) for name in pair):
        raise TypeError(f"{what}, touch: expected one or two names of controls, got {touch!r}")
    return list(pair)


def touch_spec(touch, what):
    """The part of a spec that says which controls are set; empty where nothing can be touched."""
    return {} if touch is None else {"touch": controls_of(touch, what)}


def bind_touch(specs, what, controls):
    """Find the controls, which have a value for each row or column, or raise."""
    for spec in specs:
        if "touch" in spec:
            keys = choosing([name for name in spec["touch"] if name is not None])
            spec["touch"] = control_numbers(spec["touch"], spec["shape"], what, controls)
            spec |= {"hue": ACCENT, "keys": keys}


def choosing(names):
    """What arrow keys do, in words."""
    one, *others = map(say, names)
    if others:
        return say("choose {one} and {other}", one=one, other=others[0])
    return say("choose {one}", one=one)


def control_numbers(touch, sizes, what, controls):
    """The numbers of the controls; raise unless each is there, with a value for each element."""
    for name, size in zip(touch, sizes, strict=True):
        if name is None:
            continue
        if name not in controls:
            raise ValueError(
                f"{what}, touch: there is no control {name!r}; there are {', '.join(controls)}"
            )
        if "options" not in controls[name]:
            raise ValueError(f"{what}: control {name!r} has no stops, so it can't be touched")
        if size is not None and (count := len(controls[name]["options"])) != size:
            raise ValueError(
                f"{what}, touch: control {name!r} has {count} values for {size} things to touch"
            )
    return [None if name is None else list(controls).index(name) for name in touch]


def draw_chosen(axes, panel, rows, columns):
    """A frame around what the touched controls stand at: a row, a column, or where they cross."""
    if "chosen" not in panel:
        return
    from matplotlib.patches import Rectangle

    row, column = panel["chosen"]
    high, wide = 1 if row is None else 1 / rows, 1 if column is None else 1 / columns
    style = {"fill": False, "edgecolor": panel["hue"][0], "linewidth": 1.8, "clip_on": False}
    corner = ((column or 0) * wide, 1 - ((row or 0) + 1) * high)
    axes.add_patch(Rectangle(corner, wide, high, transform=axes.transAxes, **style))
