"""Colours: one for each role that an author gives to numbers, and those of what has none."""

from .language import deferred, say

# What is chosen, and numbers that have no role: (on a light page, on a dark one).
ACCENT = ("#1f6fd0", "#79b8ff")
# role: such a pair. Each has a contrast of at least 4.5 : 1 with its page.
ROLES = {deferred("number"): ACCENT}
# Roles that an author can't give other colours.
RESERVED: set[str] = set()
# role: the colours of its scale on a light page, palest first, if they are not made of its colour.
RAMPS: dict[str, list[str]] = {}
# Roles whose numbers add up: where one is read out, so is the sum of its row.
SUMMED: set[str] = set()
# What a variable of a role may be called besides its name.
ALIASES: dict[str, str] = {}
# Pages, light and dark. Other places' dark pages are about as dark.
PAGES = ("#ffffff", "#14161a")

# What has no role, in stills: writing and lines. A still has no ground of its own and this grey
# reads on a light page (4.5 : 1) and on a dark one (4 : 1); fainter lines are the same, thinned.
INK = "#707783"
FAINT = f"{INK}66"

# What has no role on the page, and groups that are none of the roles: territories, huts.
GREYS = (("#57606a", "#a5afba"), ("#24292f", "#e8ecf1"))
GREY = GREYS[0]
GROUPS = (
    ("#b8478f", "#f29bd0"),
    ("#6f7d12", "#c3cf6b"),
    ("#4a5fb0", "#a9b8f0"),
    ("#c2560c", "#ffab70"),
    ("#5b6673", "#a9b8c6"),
    ("#8a4b3a", "#dfa893"),
)


def role_named(name):
    """The role that is called so, as code or as readers see it; None if there is none."""
    if name in ROLES:
        return name
    return next((role for role in ROLES if say(role) == name), None)


def read_as(name):
    """A name as readers see it: that of a role in the language that is spoken, else itself."""
    return say(name) if name in ROLES else str(name)


def color_named(name, other):
    """The colours of the role that is called so, or others."""
    return ROLES.get(role_named(name), other)
