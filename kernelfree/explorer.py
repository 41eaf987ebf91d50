"""explore(): any Python function becomes a figure whose sliders outlive the kernel.

All combinations of the controls are computed once, here; the page only looks numbers up and draws
them. So the mathematics is written once, in Python, and no kernel is needed afterwards.
"""

import copy
import math
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, overload

import traitlets

from . import controls as stops
from .arrays import Numbers
from .controls import Matrix, Named, Values, has_stops, place
from .filling import filled, option
from .interact import named_among
from .language import say
from .markup import markup
from .panels import KINDS
from .picture import draw
from .prediction import Prediction
from .saving import save
from .script import kind_of, script, scripts
from .states import Table
from .tex import plain, sourced
from .texts import at_state
from .widget import Widget

__all__ = ["Figure", "Prediction", "explore"]


class Figure(Widget):
    """What `explore` returns: a widget, a piece of HTML that needs no kernel, and a picture.

    Attributes
    ----------
    value : dict
        Control name -> its value, as the function gets it. Set it, wholly or in part, to move the
        controls (by a value or by its name); it can't be changed in place. Observe it, or link it
        with another figure's, as with any widget.
    function : callable or None
        The function it shows, to call it after `@explore(...)` has taken its name. A figure that
        was copied or pickled has none.

    A figure can be copied and pickled: the copy has its state, and neither observers nor links.
    """

    function: Callable[..., Any] | None = None

    _esm = property(lambda self: module_of(self._kind))
    _state = traitlets.Dict().tag(sync=True)
    # A page knows named values by their names.
    value = traitlets.Dict().tag(
        sync=True,
        to_json=lambda value, figure: figure._options(value),
        from_json=lambda options, figure: figure._values(options),
    )

    def __init__(
        self,
        state: dict[str, Any],
        summary: str,
        value: Mapping[str, Any] | None = None,
        named: Mapping[str, Named] | None = None,
    ) -> None:
        self._named = named or {}
        self._controls = {c["name"]: c for c in state["controls"]}
        self._summary = summary
        self._kind = kind_of(state)
        self._sizes = [len(c["options"]) if has_stops(c) else 1 for c in state["controls"]]
        self._numbers = numbers_of(state, self._sizes)
        super().__init__(_state=state, value={**self._values(state["start"]), **(value or {})})

    def __reduce__(self):
        return Figure, (self._state, self._summary, dict(self.value), self._named)

    def __copy__(self):
        return Figure(self._state, self._summary, self.value, self._named)

    def __deepcopy__(self, memo):
        return Figure(copy.deepcopy(self._state, memo), self._summary, self.value, self._named)

    def _options(self, value):
        """A value, or a part of it, as a page has it."""
        return {
            name: option(self._controls[name], given, self._named.get(name))
            for name, given in value.items()
        }

    def _values(self, options):
        """What a page says, as the function gets it."""
        found = dict(options)
        for name, named in self._named.items():
            known = self._controls[name]["options"]
            if name in found and found[name] in known:
                found[name] = named.values[known.index(found[name])]
        return found

    @traitlets.validate("value")
    def _check_value(self, proposal):
        given = proposal["value"]
        if unknown := [name for name in given if name not in self._controls]:
            raise ValueError(f"no control {unknown[0]!r}; there are {', '.join(self._controls)}")
        value = self.value or self._values(self._state["start"])
        return Values({**value, **self._values(self._options(given))})

    def __repr__(self):
        values = ", ".join(f"{name}={at!r}" for name, at in self._options(self.value).items())
        sentence = f"\n  {text}" if (text := self._now()[1]) else ""
        return f"{plain(self._summary)}\n  {say('now: {values}', values=values)}{sentence}"

    def _now(self):
        """The panels as they are called in the present state, its sentence, and its places."""
        value = self._options(self.value)
        places = [place(c, value[name]) for name, c in self._controls.items()]
        panels = [at_state(panel, self._sizes, places) for panel in self._state["panels"]]
        sentence = self._numbers.says(places) if "says" in self._state else ""
        return panels, sentence, places

    def _picture(self, alone=False):
        """The PNG of the present state, and its width and height; `alone`, it has the sentence."""
        return self._drawing()(alone)

    def _drawing(self):
        """What draws the present state, alone or not."""
        panels, sentence, places = self._now()
        table = self._numbers.reader()
        tables = [
            {key: table(at, places) for key, at in panel["tables"].items()} for panel in panels
        ]
        for panel, part in zip(panels, tables, strict=True):
            KINDS[panel["kind"]].prepare(panel, part, panels, places, table)
        shown = self._state["title"], panels, self._state["scales"]
        title, panels, scales = (sourced(part, self._state.get("tex", {})) for part in shown)
        return lambda alone: draw(title, panels, tables, scales, sentence if alone else "")

    def _html(self, picture, image=None, script=""):
        """A page's worth of figure, which needs no kernel, and no file but its `image`'s."""
        panels, sentence, _ = self._now()
        state = {**self._state, "start": self._options(self.value)}
        alt = say("{title}: {shown}", title=self._state["title"], shown=describe(panels))
        return markup("kernelfree-figure", state, picture, alt, script, sentence, image)

    def save(
        self, path: str | os.PathLike[str], script: str | os.PathLike[str] | None = None
    ) -> None:
        """Write the figure, as it stands now, as one HTML file, and print the file's size.

        The page needs no kernel, no network and no other file: open it from a disk, put it on a
        site, or show it inside another page in an `iframe` (with a `sandbox`, if that allows
        scripts). It posts its height to that page, whose listener of three lines stands in the
        README, and is as light or dark as that page; `?theme=dark` in its address decides.

        A site with a strict policy (`Content-Security-Policy: default-src 'self'`) refuses what
        stands in the page. With `script="figures.js"` nothing does: the script and the look come
        from that file, and the picture, which those without JavaScript see, from one more.

        Parameters
        ----------
        path : str or path
            The file, such as "weights.html". A figure that was saved before is replaced.
        script : str or path, optional
            The script's file, from the page's folder: "figures.js" or "../scripts/figures.js". All
            figures of a site can share it; it is written if it is missing or of another version.
            The picture gets the page's name, "weights.png". Put all three on the site.

        Several figures in one file, with one script and linked controls, are `kernelfree.save`'s.

        Raises
        ------
        TypeError, ValueError, FileNotFoundError, FileExistsError
            When the name does not end with .html (.js), its folder is missing, or a file is there
            that `save` has not written.
        """
        print(save(path, [self], self._state["title"], script=script))

    def _repr_mimebundle_(self, **kwargs):
        drawn = self._drawing()
        picture = drawn(alone=False)
        alone = drawn(alone=True) if self._now()[1] else picture
        html = self._html(picture, script=scripts(self._kind, ".packed.js"))
        return self._bundle(html, alone[0], **kwargs)


def module_of(kind):
    """The module of a figure's widget, which draws figures of any kind."""
    return "\n".join(map(script, ("live.mjs", *(f"{name}.js" for name in kind.split()[1:]))))


def numbers_of(state, sizes):
    """What knows the numbers of each of a figure's states."""
    if "live" not in state:
        return Table(state, sizes)
    from .live.stored import Live

    return Live(state, sizes)


def describe(panels):
    """What a figure shows, in words, without its numbers."""
    parts = []
    for panel in panels:
        shown = KINDS[panel["kind"]].describe(panel)
        name = panel["name"]
        parts.append(say("{name}, {shown}", name=name, shown=shown) if name else shown)
    return say("; ").join(parts)


def summarise(state, specs, tables):
    """The text form: controls, states, and a few numbers of each panel over all states."""
    lines = [f"{c['name']}: {stops.described(c)}" for c in state["controls"]]
    if "live" in state:
        steps = max(map(len, state["live"]["steps"]))
        lines.append(say("computed by the page: {steps} steps at most", steps=steps))
    else:
        count = math.prod(len(c["options"]) for c in state["controls"])
        lines.append(say("{count} states", count=f"{count:,}"))
    pairs = zip(specs, tables, strict=True)
    lines += [KINDS[one[0]["kind"]].summary(one, part) for one, part in pairs]
    return "\n  ".join([say("Figure: {title}", title=state["title"]), *lines])


@overload
def explore(
    function: Callable[..., Any],
    /,
    *,
    title: str | None = None,
    address: str | Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
    predict: Prediction | None = None,
    play: str | None = None,
    light: str | None = None,
    live: bool | str = False,
    tools: bool = False,
    as_panel: Callable[[Any], Any] | None = None,
    **controls: Numbers | Mapping[Any, Any] | bool | float | Matrix | traitlets.HasTraits,
) -> Figure: ...
@overload
def explore(function: None = None, /, **given: Any) -> Callable[[Callable[..., Any]], Figure]: ...
def explore(
    function=None,
    /,
    *,
    title=None,
    address=None,
    labels=None,
    predict=None,
    play=None,
    light=None,
    live=False,
    tools=False,
    as_panel=None,
    **controls,
):
    """Sliders, menus and switches for any Python function, alive with or without a kernel.

    Every combination of the controls is computed once, now, without gradients. The figure then
    only looks numbers up, so it works in a live notebook, in an exported page and in the book.

    Parameters
    ----------
    function : callable
        Called as `function(**values)`, once for each combination. It returns a matrix (a
        `Heatmap`), a row of numbers (a line over 1 to n; that of a pandas Series over its index, or
        bars if that is words), a number, a picture (Pillow, matplotlib), a text, a panel, or a dict
        of several by name.
        Panels are `Heatmap`, `Curve`, `Bars`, `Plot`, `Plane`, `Words`, `Grid`, `Image`, `Table`,
        `Number`, `Text` and `Html`. Shapes must not depend on the values (but those of `Words`);
        names, labels and ticks may. A string in the dict is the sentence that stands under the
        figure.
        Without it, `explore` returns a decorator: the function's name is then the figure's, which
        a notebook shows where that name is the last line; `.function` is the function itself.
    title : str, optional
        Name of the figure; the function's name otherwise. It is the figure's address, too:
        `#figure-the-title?name=value&other=value` is a state of "The title", and a link to it in
        the text moves the figure there, and any other of the same title on that page.
    address : str or dict, optional
        The name in that address, where it is not to be the title's: for a second figure of that
        title, or that of another edition of the page, so that links lead to either. With a dict,
        `{"": name, control: [words]}`, the addresses have these words for the options of menus,
        too, in their order, and so have `value` and what a page keeps; the function gets the
        options themselves.
    labels : dict, optional
        Control name -> what to call it on the page. In the title, in labels, names and ticks, TeX
        between dollars is a formula, drawn by matplotlib's mathtext.
    predict : Prediction, optional
        A question that the reader answers, or skips, before the figure moves.
    play : str, optional
        The slider that gets a button which steps through it.
    light : str, optional
        What a reader points at lights up in every panel of the figure that has an axis of the
        same name. Figures of one page that have the same `light` light up together.
    live : bool or "if possible"
        The page runs the function itself, for any value: `(low, high)` between floats has no stops
        then, and a box for its number, a step is that of an arrow key, and a `Matrix` is a table of
        numbers that a reader types. The function gets tensors for them and must be one that
        `torch.export` can write down; other controls are as before, with a graph for each of their
        combinations. With "if possible" the states are computed where it can't be, or PyTorch is
        missing.
    tools : bool
        The figure gets `Save`: its numbers as CSV or copied for a spreadsheet, its picture as SVG
        or PNG, as it then stands; and `Numbers` can show all states. In curves, plots and
        planes, what a reader points at has its numbers beside it, along lines, too, and `Zoom`
        shows a part, up to 20 times as large: drag over a range, or turn the wheel with Ctrl; the
        keys + and - do it, too, and 0 shows all, as a double click does. Other states keep the
        part. It adds a script of 20 kB (9 compressed).
    as_panel : callable
        What makes a panel of a result that is none. If not given, a matrix is a `Heatmap`, a row
        of numbers a line, and so on as above.
    **controls : range, list, dict, tuple, number, bool, Matrix or a widget of ipywidgets
        A range, a list or an array of numbers is a slider, a list of strings a menu, True or False
        a switch. What ipywidgets' `interact` takes means the same: `(low, high)` and
        `(low, high, step)` are sliders, where the step is 1, or 0.1 between floats, and `high`
        belongs to them if a step meets it; a number x is a slider from -x to 3x. A dict, or a list
        of pairs, names the values of a menu: the page has the names, and the function gets the
        values, which may be anything. `fixed(value)` is an argument that stays. A slider, a menu
        or a switch of ipywidgets gives its values, its start and its `description`; a text box, or
        another whose values are not known before, is an error that says what to write.
        Longer tuples of numbers are values, like lists. Floats are rounded to 12 digits, so that
        0.1 + 0.2 is 0.3.
        A widget or a number says where its control starts. Others start at the default of the
        function's parameter, else at their first value, or in the middle of `(low, high)`.

    Returns
    -------
    Figure
        A widget; `.value` is a dict of the controls' values, in sync both ways.

    Raises
    ------
    TypeError, ValueError
        For a control that is empty, mixed or unknown to the function, for too many combinations,
        for a matrix with a wrong shape or with NaN, and if the function raises. The message names
        the control or the panel.
    NotForThePageError
        If a live figure's function does what a page cannot; the message names the operation and
        the line.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelfree import Curve, explore
    >>> time = np.linspace(0, 1, 200)  # s
    >>> def wave(frequency=2):
    ...     height = np.sin(2 * np.pi * frequency * time)
    ...     return Curve(time, {"wave": height}, xlabel="Time (s)")
    >>> figure = explore(wave, frequency=[1, 2, 4])
    >>> figure.value = {"frequency": 4}
    """
    if function is None:
        return partial(
            explore,
            title=title,
            address=address,
            labels=labels,
            predict=predict,
            play=play,
            light=light,
            live=live,
            tools=tools,
            as_panel=as_panel,
            **controls,
        )
    state, states, given = filled(
        function, controls, title, address, labels, predict, play, light, live, tools, as_panel
    )
    named = named_among(given)
    figure = Figure(state, summarise(state, states.specs, states.tables), named=named)
    figure.function = function
    return figure
