"""Several figures in one page, with one script, whose controls may move together."""

import copy
import os
from collections.abc import Iterable

from . import saving
from .controls import described
from .explorer import Figure

# What two controls may differ in and have the same values.
OWN = ("label", "slack")


def save(
    path: str | os.PathLike[str],
    figures: Iterable[Figure],
    *,
    link: str | Iterable[str] = (),
    title: str | None = None,
    script: str | os.PathLike[str] | None = None,
) -> None:
    """Write several figures, below each other, as one HTML file, and print the file's size.

    The script is in it once. All else is as with `Figure.save`: the page needs no kernel and no
    network, posts its height to a page around it, and is as light or dark as that one.

    Parameters
    ----------
    path : str or path
        The file, such as "waves.html". A page that was saved before is replaced.
    figures : list of Figure
        What `explore` has returned, each with an address of its own.
    link : str or list of str
        Names of controls: where one figure's moves, so do those of the others that have it. They
        begin where the first of these figures stands.
    title : str, optional
        What the page is called; the first figure's title otherwise.
    script : str or path, optional
        The script's file, from the page's folder, for a site with a strict policy. The pictures
        are then "waves.png", "waves-2.png" and so on.

    Raises
    ------
    TypeError, ValueError
        When there is no figure, one is something else, two have one address, or a control that is
        linked has other values in another figure. The message names the argument.
    FileNotFoundError, FileExistsError
        As with `Figure.save`.
    """
    shown = checked(figures)
    names = [link] if isinstance(link, str) else link
    if not isinstance(names, Iterable) or not all(isinstance(one, str) for one in (*names,)):
        raise TypeError(
            f"save, link: expected the name of a control, or a list of names, got {link!r}"
        )
    if title is not None and not isinstance(title, str):
        raise TypeError(f"save, title: expected a string, got {type(title).__name__}")
    names = list(dict.fromkeys(names))
    begin = starts(shown, names)
    title = shown[0]._state["title"] if title is None else title
    print(saving.save(path, [moved(one, begin) for one in shown], title, names, script))


def checked(figures):
    """The figures as a list; raise if they can't stand in one page."""
    if isinstance(figures, Figure) or not isinstance(figures, Iterable):
        one = "; one figure is saved by figure.save(path)" if isinstance(figures, Figure) else ""
        raise TypeError(
            f"save, figures: expected a list of figures, got {type(figures).__name__}{one}"
        )
    figures = list(figures)
    if not figures:
        raise ValueError("save, figures: expected at least one figure, got none")
    addresses = {}
    for number, one in enumerate(figures, 1):
        if not isinstance(one, Figure):
            raise TypeError(
                f"save, figures: expected what explore returns, got {type(one).__name__} at place "
                f"{number}"
            )
        first = addresses.setdefault(one._state["id"], number)
        if first != number:
            raise ValueError(
                f"save, figures: those at places {first} and {number} have the same address, "
                f"{one._state['id']!r}; give one another title, or explore(..., address=...)"
            )
    return figures


def starts(figures, names):
    """Where linked controls begin: name -> option; raise if their values differ."""
    found = {}
    for name in names:
        holders = [one for one in figures if name in one._controls]
        if len(holders) < 2:
            known = list(dict.fromkeys(each for one in figures for each in one._controls))
            raise ValueError(
                f"save, link: expected a control of at least two of the figures, got {name!r}, "
                f"which {len(holders) or 'none'} of them has; there are {', '.join(known)}"
            )
        first, *others = holders
        for other in others:
            if values_of(first._controls[name]) != values_of(other._controls[name]):
                pair = [
                    f"{described(one._controls[name])} in {one._state['title']!r}"
                    for one in (first, other)
                ]
                raise ValueError(
                    f"save, link: {name!r} must have the same values in all figures, got "
                    f"{pair[0]}, and {pair[1]}"
                )
        found[name] = first._options(first.value)[name]
    return found


def values_of(control):
    return {key: part for key, part in control.items() if key not in OWN}


def moved(figure, options):
    """The figure where linked controls begin; the author's own stays where it is."""
    wanted = {name: option for name, option in options.items() if name in figure._controls}
    if all(figure._options(figure.value)[name] == option for name, option in wanted.items()):
        return figure
    twin = copy.copy(figure)
    twin.value = wanted
    twin.close()
    return twin
