"""Pictures: arrays, Pillow's images, and figures of matplotlib."""

import base64
import io
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import as_array
from ..language import deferred, say
from ..texts import MAX_SENTENCE, check_text
from ._content import Content

# Dots per inch of a drawn figure, and how many of its dots make one CSS pixel.
DPI, DENSITY = 120, 1.25
# Inches around what is drawn, as matplotlib's `bbox_inches="tight"` has them.
MARGIN = 0.1
# Arrays narrower than this are shown larger, in whole steps.
NARROW = 160
# The widest picture in the still picture, in inches.
WIDE = 4.8
# What modes of Pillow that a page does not have are shown as.
MODES = {"1": "L", "La": "LA", "PA": "RGBA", "RGBa": "RGBA"}
SHOWN = ("L", "LA", "P", "RGB", "RGBA")
# The way out for numbers that are no shades.
SCALED = "np.interp(x, (x.min(), x.max()), (0, 1))"
# How far a colour may be from its own, of 255, where a drawn figure has 256 colours at most.
NEAR = 8


@dataclass
class Image(Content):
    """A picture.

    Parameters
    ----------
    picture : array, Pillow image or matplotlib figure
        An array is (rows, columns) for greys, (rows, columns, 3) for red, green and blue, or
        (rows, columns, 4) with how opaque each is; of uint8, or of floats from 0 to 1. A figure of
        matplotlib is closed.
    alt : str, optional
        What it shows, for those who don't see it. If not given, that is the name of the panel, or
        what a figure of matplotlib has for titles.
    width : int, optional
        How wide it is on the page, in pixels. If not given, as wide as it is; arrays of few
        columns are enlarged.
    """

    picture: Any
    alt: str | None = None
    width: int | None = None

    kind = deferred("image")
    pictured = True

    def content(self, what):
        """The picture as a PNG, and what else its canvas on the page is."""
        alt, found = self.alt, {}
        if alt is not None:
            check_text(f"{what}, alt", str(alt), MAX_SENTENCE)
        if self.width is not None and not 1 <= self.width <= 4096:
            raise ValueError(f"{what}, width: expected 1 to 4,096 pixels, got {self.width!r}")
        if hasattr(self.picture, "savefig"):
            image, found["at"] = drawn(self.picture, what)
            alt, pixels, wide = alt or words_of(self.picture), False, on_page(image.width)
        else:
            image = as_image(self.picture, what)
            pixels = image.width < NARROW and not hasattr(self.picture, "save")
            wide = image.width * (-(-NARROW // image.width) if pixels else 1)
        style = f"width:{self.width or wide}px{';image-rendering:pixelated' if pixels else ''}"
        found |= {"png": png(image), "width": image.width, "height": image.height, "style": style}
        return found | ({"ariaLabel": str(alt)} if alt else {})

    @staticmethod
    def made_of(given):
        """A picture of a Pillow image or a matplotlib figure."""
        pillow = sys.modules.get("PIL.Image")
        is_image = pillow is not None and isinstance(given, pillow.Image)
        return Image(given) if is_image or hasattr(given, "savefig") else None

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        """Give the figures of matplotlib of all states one canvas, so that their axes stand still.

        Each was cut where its labels end, which may be elsewhere in another state.
        """
        found = [spec["content"] for spec in specs if "at" in spec["content"]]
        boxes = [(*one.pop("at"), one["width"], one["height"]) for one in found]
        if len(set(boxes)) < 2:
            return
        left, top = np.min(boxes, axis=0)[:2].tolist()
        width = max(x + wide for x, _, wide, _ in boxes) - left
        height = max(y + high for _, y, _, high in boxes) - top
        for content, (x, y, wide, _) in zip(found, boxes, strict=True):
            image = padded(unpacked(content["png"]), (width, height), (x - left, y - top))
            content |= {"png": png(image), "width": width, "height": height}
            if content["style"] == f"width:{on_page(wide)}px":  # not an author's own width
                content["style"] = f"width:{on_page(width)}px"

    @staticmethod
    def describe(spec):
        """What it shows, in words."""
        alt = spec["content"].get("ariaLabel", "")
        return say("picture: {alt}", alt=alt) if alt else say("picture")

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        content = panel["content"]
        pixels, _, _ = content["style"].removeprefix("width:").partition("px")
        wide = min(WIDE, float(pixels) / DPI * DENSITY)
        return 0.1, wide, wide * content["height"] / content["width"]

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Show the picture in the still picture."""
        image = unpacked(panel["content"]["png"])
        axes.set_axis_off()
        axes.imshow(np.asarray(image.convert("RGBA")), aspect="auto")


def as_image(picture, what):
    """A Pillow image of an array; raise if it is no picture."""
    from PIL import Image as Pillow

    if isinstance(picture, Pillow.Image):
        return as_shown(picture, what)
    array = as_array(picture)
    if array.ndim not in (2, 3) or 0 in array.shape or array.shape[2:] not in ((), (3,), (4,)):
        raise ValueError(
            f"{what}: expected a picture of shape (rows, columns) or (rows, columns, 3 or 4), got "
            f"shape {array.shape}"
        )
    if array.dtype.kind in "fb":
        if not ((array >= 0) & (array <= 1)).all():
            raise ValueError(
                f"{what}: a picture of floats must hold numbers from 0 to 1, got "
                f"{array.min():g} to {array.max():g}; Image({SCALED}) scales them"
            )
        array = np.rint(255 * array.astype(np.float64)).astype(np.uint8)
    if array.dtype != np.uint8:
        way = ""
        if array.dtype.kind in "iu":
            fits = array.min() >= 0 and array.max() <= 255
            way = "; Image(x.astype(np.uint8)) is it" if fits else f"; Image({SCALED}) scales it"
        raise TypeError(f"{what}: expected a picture of uint8 or of floats, got {array.dtype}{way}")
    return Pillow.fromarray(array)


def as_shown(picture, what):
    """A Pillow image in a mode that pages have; raise for numbers that are no shades."""
    if picture.mode in SHOWN:
        return picture
    if picture.mode.startswith(("I", "F")):
        raise TypeError(
            f"{what}: a picture of mode {picture.mode!r} holds numbers and no shades; "
            f"x = np.asarray(picture); Image({SCALED}) scales them"
        )
    try:
        return picture.convert(MODES.get(picture.mode, "RGB"))
    except ValueError as error:
        raise TypeError(
            f"{what}: expected a picture of mode {', '.join(SHOWN)}, got {picture.mode!r}, which "
            "Pillow does not convert; PIL.ImageCms.profileToProfile does"
        ) from error


def png(image):
    """The bytes of a PNG in base64."""
    stream = io.BytesIO()
    image.save(stream, "png", optimize=True)
    return base64.b64encode(stream.getvalue()).decode()


def unpacked(text):
    """The Pillow image of a PNG in base64."""
    from PIL import Image as Pillow

    return Pillow.open(io.BytesIO(base64.b64decode(text)))


def padded(image, size, at):
    """A Pillow image on a larger canvas of the colour that its corner has."""
    from PIL import Image as Pillow

    found = Pillow.new(image.mode, size, image.getpixel((0, 0)))
    if image.mode == "P":
        found.putpalette(image.getpalette())
    found.paste(image, at)
    return found


def on_page(dots):
    """Pixels of the page for dots of a drawn figure."""
    return round(dots / DENSITY)


def drawn(figure, what):
    """A Pillow image of a matplotlib figure as far as something is drawn, as notebooks show it.

    Returns
    -------
    tuple
        The image, and its left and top end in the figure, in dots.
    """
    from matplotlib.transforms import Bbox
    from PIL import Image as Pillow

    if not any(child is not figure.patch for child in figure.get_children()):
        raise ValueError(f"{what}: the figure has no axes; did plt.show() close it?")
    figure.draw_without_rendering()  # a layout moves axes
    box = figure.get_tightbbox()
    left, low, right, high = np.rint(DPI * box.padded(MARGIN).extents).astype(int).tolist()
    stream = io.BytesIO()
    # A dot counts if all of it is there.
    edges = Bbox([[left / DPI, low / DPI], [(right + 0.01) / DPI, (high + 0.01) / DPI]])
    figure.savefig(stream, format="png", dpi=DPI, bbox_inches=edges)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)  # or a notebook would show it once more
    top = round(DPI * figure.get_figheight()) - high
    return few_colors(Pillow.open(stream).convert("RGBA")), (left, top)


def few_colors(image):
    """A Pillow image in few colours where none is seen to change."""
    from PIL import Image as Pillow

    if image.getextrema()[3][0] < 255:
        return image
    image = image.convert("RGB")
    few = image.quantize(256, Pillow.Quantize.MAXCOVERAGE, dither=Pillow.Dither.NONE)
    off = np.asarray(few.convert("RGB"), int) - np.asarray(image)
    return few if np.abs(off).max() <= NEAR else image


def words_of(figure):
    """What a matplotlib figure says of itself: its titles, or the names of its axes."""
    over_all = figure.get_suptitle() if hasattr(figure, "get_suptitle") else ""
    titles = [over_all, *(axes.get_title() for axes in figure.axes)]
    sides = [(axes.get_ylabel(), axes.get_xlabel()) for axes in figure.axes]
    names = [
        say("{up} over {across}", up=up, across=across) for up, across in sides if up or across
    ]
    return say("; ").join(filter(None, titles)) or say("; ").join(names)
