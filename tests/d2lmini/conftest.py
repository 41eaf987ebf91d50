"""What tests of the package share."""

import pytest

import d2lmini
from d2lmini.roles import ROLES
from kernelfree import palette


@pytest.fixture(autouse=True)
def roles():
    """The roles, which are the book's six, whatever another test's chapter has added."""
    kept = dict(palette.ROLES)
    palette.ROLES.clear()
    palette.ROLES.update({"number": palette.ACCENT, **ROLES})
    yield palette.ROLES
    palette.ROLES.clear()
    palette.ROLES.update(kept)


@pytest.fixture
def chinese():
    d2lmini.speak("zh")
    yield
    d2lmini.speak()
