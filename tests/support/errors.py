"""What an error says."""

import re

import pytest


def says(error, words):
    """Assert that an error's text has each of the words that bars divide, and none in a longer."""
    for word in words.split("|"):
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", str(error)), word


def refused(call, told):
    """Assert that a call raises the error that is named before its words, as by `says`."""
    error, _, words = told.partition("|")
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert caught.typename == error
    says(caught.value, words)
