"""What a legend tells apart by colour, the colour-blind tell apart, too."""

import itertools
import re

import numpy as np

import chapters

# What is left of red, green and blue where one kind of cone is missing (Machado and others, 2009).
VISIONS = {
    "no long waves": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no middle waves": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "no short waves": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def seen(color, vision):
    """A colour such as #1f6fd0 in CIE L*a*b*, where equal distances look about equally large."""
    shares = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    light = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(XYZ @ np.clip(vision @ light, 0, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def sign(entry):
    """A patch, or a line that is whole, dashed or dotted."""
    return re.match(r"[\W ]*", entry)[0]


def distance(first, second, vision):
    return np.linalg.norm(seen(first, np.array(vision)) - seen(second, np.array(vision)))


def test_what_colour_tells_apart_everybody_tells_apart():
    for page in chapters.pages():
        panels = [p for _, state in chapters.stored_figures(page) for p in state.get("panels", [])]
        legends = (panel.get("legend") or [] for panel in panels)
        pairs = (pair for legend in legends for pair in itertools.combinations(legend, 2))
        for (one, colors), (other, others) in pairs:
            for first, second in zip(colors, others, strict=True):  # on a light page, on a dark one
                if sign(one) == sign(other) and distance(first, second, np.eye(3)) > 10:
                    for kind, vision in VISIONS.items():
                        assert distance(first, second, vision) > 10, (page.stem, one, other, kind)
