"""What tests of kernelfree share: the roles of one author, who has named six."""

import contextlib

import pytest

import kernelfree
from kernelfree import palette

OWN = {
    "ROLES": {
        "number": palette.ACCENT,
        "query": ("#1f6fd0", "#79b8ff"),
        "key": ("#996600", "#e3b341"),
        "value": ("#1b8040", "#56d364"),
        "score": ("#8353df", "#c297ff"),
        "weight": ("#d32f2f", "#ff8a80"),
        "output": ("#0f7b83", "#4fd1dc"),
    },
    "RESERVED": {"weight"},
    "RAMPS": {},
    "SUMMED": {"weight"},
    "ALIASES": {},
}


@contextlib.contextmanager
def kept():
    """What is put into the palette meanwhile is gone afterwards."""
    before = {name: getattr(palette, name).copy() for name in OWN}
    yield
    put(before)


def put(tables):
    for name, table in tables.items():
        getattr(palette, name).clear()
        getattr(palette, name).update(table)


@pytest.fixture(autouse=True, scope="module")
def author():
    """The roles, whatever a package that is built on kernelfree has added."""
    with kept():
        put(OWN)
        yield


@pytest.fixture(autouse=True)
def roles():
    with kept():
        yield palette.ROLES


@pytest.fixture
def chinese():
    kernelfree.speak("zh")
    yield
    kernelfree.speak()
