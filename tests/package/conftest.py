"""What tests of the package share."""

import pytest

from d2lmini.figures import colors, palette


@pytest.fixture(autouse=True)
def roles():
    """The roles, which are the book's six, whatever another test's chapter has added."""
    kept = dict(palette.ROLES)
    for name in kept.keys() - colors.OURS:
        del palette.ROLES[name]
    yield palette.ROLES
    palette.ROLES.clear()
    palette.ROLES.update(kept)
