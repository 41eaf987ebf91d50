"""Names, axes and colours of what a function's lines make."""

from ..language import say
from ..palette import ALIASES, ROLES
from ..scales import SURFACE, blend, ramp


def named(call, shapes, roles=None):
    """The call with the shape and the role of each tensor that its lines make."""
    roles = {} if roles is None else roles
    for line in call["lines"]:
        words = line.pop("axes", [])
        made = []
        for name, value in line.pop("makes", []):
            at = int(value[1:])
            if shapes[at] is None:
                continue
            role = roles[at] = role_of(name) or roles.get(at, "")
            look = {"name": name, "value": at, "shape": shapes[at], "role": role}
            made.append({**look, "axes": axes_of(words, shapes[at])})
        if made:
            line["makes"] = made
        for inner in line.get("calls", []):
            named(inner, shapes, roles)
    return call


def axes_of(words, shape):
    """What the source's comment calls the axes, if it speaks of this tensor."""
    if "..." in words:
        at = words.index("...")
        words = words[:at] + [""] * (len(shape) - len(words) + 1) + words[at + 1 :]
    fits = len(words) == len(shape)
    if not fits or any(w.isdigit() and int(w) != n for w, n in zip(words, shape, strict=True)):
        return []
    return ["" if word.isdigit() else word for word in words]


def role_of(name):
    """The role whose colour a name has, or "" for grey."""
    word = ALIASES.get(name) or name.removesuffix("s")
    return word if word in ROLES else ""


def colors(call, inputs):
    """Role -> its colours on light and dark pages, from the most negative number on."""
    roles = {one["role"] for one in inputs} | {
        made["role"] for line in every_line(call) for made in line.get("makes", [])
    }
    return {role: [shades(role, dark) for dark in (False, True)] for role in sorted(roles)}


def shades(role, dark):
    """17 colours; grey where there is no role."""
    if role:
        return ramp(role, dark, True)
    surface, ink = SURFACE[dark], ("#24292f", "#e6e8eb")[dark]
    gone = ("#94a3b8", "#5b6b82")[dark]
    return blend([gone, surface], [0, 1], 9)[:-1] + blend([surface, ink], [0, 1], 9)


def every_line(call):
    """All lines of a call and of the calls inside."""
    for line in call["lines"]:
        yield line
        for inner in line.get("calls", []):
            yield from every_line(inner)


def shape_of(shape):
    return " × ".join(map(str, shape)) or say("one number")
