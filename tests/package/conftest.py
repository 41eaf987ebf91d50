"""What tests of the package share."""

import pytest

from d2lmini.roles import ROLES
from kernelfree import palette


@pytest.fixture(autouse=True)
def roles():
    """The roles, which are the book's six, whatever another test's chapter has added."""
    kept = dict(palette.ROLES)
    for name in kept.keys() - palette.RESERVED - {"number"}:
        del palette.ROLES[name]
    assert {"number", *ROLES} == palette.RESERVED
    yield palette.ROLES
    palette.ROLES.clear()
    palette.ROLES.update(kept)
