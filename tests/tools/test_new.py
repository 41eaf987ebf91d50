"""A chapter that was started and not finished is told."""

import pytest

from tools import new


@pytest.mark.parametrize("number", ["04", "18"])
def test_a_number_that_is_taken_names_all_that_holds_it(number):
    with pytest.raises(SystemExit) as told:
        new.main(f"{number}_other")
    why = str(told.value)
    assert f"chapters/{number}_" in why
    assert f"d2lmini/exercises/chapter_{number}.py" in why
    assert f"remove that, and chapters/{number}_other from _toc.yml, chapters/index.ipynb" in why


def test_what_is_stopped_leaves_nothing(monkeypatch):
    def stopped(pages):
        raise KeyboardInterrupt

    monkeypatch.setattr(new.run, "main", stopped)
    monkeypatch.setattr(new.run, "replace", lambda path, content: replaced.append(path))
    replaced = []
    with pytest.raises(KeyboardInterrupt):
        new.main("98_other")
    assert replaced == list(new.ROOT.rglob("*98_other*")) == []
