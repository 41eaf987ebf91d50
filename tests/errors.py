"""What an error says."""

import re


def says(error, words):
    """Assert that an error's text has each of the words that bars divide, and none in a longer."""
    for word in words.split("|"):
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", str(error)), word
