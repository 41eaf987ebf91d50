"""Panels whose elements are touched to set controls."""

from ..palette import ACCENT


def controls_of(touch, what):
    """The control of the rows and that of the columns, or None, from one name or two."""
    pair = touch if isinstance(touch, (tuple, list)) else (None, touch)
    if len(pair) != 2 or not all(name is None or isinstance(name, str) for name in pair):
        raise TypeError(f"{what}, touch: expected one or two names of controls, got {touch!r}")
    return list(pair)


def asked(touch, what):
    """What a panel whose elements may be touched has more than others, before it is bound."""
    return {} if touch is None else {"touch": controls_of(touch, what)}


def bind(looks, part, what, controls, panels):
    """Find the controls, which have a value for each row or column, or raise."""
    for look in looks:
        if "touch" in look:
            named = [name for name in look["touch"] if name is not None]
            look["touch"] = numbered(look["touch"], look["shape"], what, controls)
            look |= {"hue": ACCENT, "keys": f"choose {' and '.join(named)}"}


def numbered(touch, sizes, what, controls):
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
