"""Single numbers."""

import kernelfree as kf
import kernelfree.book


def test_a_number_is_as_exact_as_it_is_shown():
    made = kf.explore(lambda t: kf.Number(t / 7, decimals=5), t=[1, 7000])
    assert made._numbers.reader()(0, [0])[0, 0] == round(1 / 7, 5)
    assert "number, 0.14286 to 1000.00000" in repr(made)
    for unit in ("mm", " mm"):  # one blank stands before it
        made = kf.explore(lambda t, unit=unit: kf.Number(t, unit=unit), t=[1, 2])
        assert "number, 1 to 2 mm" in repr(made)
