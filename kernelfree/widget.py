"""What every figure is: a widget where a person sits, and HTML and a picture everywhere else."""

import base64
import warnings

import anywidget

from .notebook import attended

# The part of an output that only a widget manager can show.
VIEW = "application/vnd.jupyter.widget-view+json"


class Widget(anywidget.AnyWidget):
    """A widget that a notebook which nobody watches does not get to see.

    What executes notebooks for a file (nbclient, and so nbconvert, papermill and builds of sites)
    keeps the state of every widget in it. An export then shows the widget, by scripts from other
    hosts, and leaves out the HTML that needs none.
    """

    # ipywidgets 7 would show itself through this, past the HTML and the picture.
    _ipython_display_ = None

    def open(self) -> None:
        """Make the widget known to the front end, if there is one."""
        if attended():
            super().open()

    @property
    def model_id(self) -> str:
        """The widget's name in the front end; a widget that holds this one asks for it."""
        if self.comm is None:
            warnings.warn(
                "a figure inside another widget, such as an HBox, a Tab or an Output, needs a "
                "kernel: a page without one shows nothing in its place; display it by itself",
                stacklevel=2,
            )
            super().open()
        return super().model_id

    def _bundle(self, html, picture, **kwargs):
        """What a notebook's output holds, and its metadata; `picture` is a PNG."""
        data, metadata = {}, {}
        if attended():
            bundle = super()._repr_mimebundle_(**kwargs)
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        png = base64.b64encode(picture).decode()
        own = {"text/plain": repr(self), "text/html": html, "image/png": png}
        return {**data, **own}, metadata
