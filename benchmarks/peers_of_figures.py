"""The same figure made with other tools: lines, bytes, and what works without a kernel.

python -m benchmarks.peers_of_figures

The tools are no part of this project. They are installed into `_build/compare`, an environment of
their own, which is made when it is missing (about 500 MB; delete the folder to be rid of it).
Each program below writes a page that needs no network where the tool can write one. The page is
opened from the disk in Chromium without a network; its slider is moved; did the picture change?
"""

import subprocess
import sys
import tempfile
import textwrap
import venv
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools import chromium

from . import ROOT, kilobytes, table

HOME = ROOT / "_build" / "compare"

# What every program begins with: eleven matrices of weights, one for each place of a slider.
SETUP = """\
import numpy as np
scores = np.random.default_rng(0).normal(size=(6, 8))
steps = [round(0.5 * i, 1) for i in range(11)]
def weights(sharpness=1.0):
    e = np.exp(sharpness * scores)
    return e / e.sum(-1, keepdims=True)
"""

MARIMO = "import marimo\napp = marimo.App()\nwith app.setup:\n"

# The lines that an author writes after that, then the line that saves a page.
PROGRAMS = {
    "explore": (
        f"kernelfree=={version('kernelfree')}",
        """\
from kernelfree import explore
figure = explore(weights, sharpness=steps)
""",
        "figure.save(path)",
    ),
    "interact": (
        "ipywidgets==8.1.9",
        """\
from ipywidgets import interactive
from matplotlib import pyplot as plt
def draw(sharpness=1.0):
    plt.imshow(weights(sharpness), cmap="Reds", vmin=0, vmax=1)
    plt.xlabel("Keys")
    plt.ylabel("Queries")
    plt.colorbar(label="Weight")
    plt.show()
figure = interactive(draw, sharpness=(0, 5, 0.5))
""",
        "from ipywidgets.embed import embed_minimal_html; embed_minimal_html(path, [figure])",
    ),
    "Plotly": (
        "plotly==7.1.0",
        """\
import plotly.express as px
stack = np.stack([weights(sharpness) for sharpness in steps])
labels = {"x": "Keys", "y": "Queries", "color": "Weight", "animation_frame": "sharpness"}
figure = px.imshow(stack, animation_frame=0, zmin=0, zmax=1, labels=labels,
                   color_continuous_scale="Reds")
for step, sharpness in zip(figure.layout.sliders[0].steps, steps):
    step.label = str(sharpness)
""",
        "figure.write_html(path, include_plotlyjs=True)",
    ),
    "Altair": (
        "altair==6.3.0",
        """\
import altair as alt
cells = [
    {"sharpness": s, "query": q + 1, "key": k + 1, "weight": w}
    for s in steps
    for (q, k), w in np.ndenumerate(weights(s))
]
slider = alt.binding_range(min=0, max=5, step=0.5, name="sharpness ")
chosen = alt.selection_point(fields=["sharpness"], bind=slider, value=1.0)
scale = alt.Scale(scheme="reds", domain=[0, 1])
figure = (
    alt.Chart(alt.Data(values=cells))
    .mark_rect()
    .encode(x="key:O", y="query:O", color=alt.Color("weight:Q", scale=scale))
    .add_params(chosen)
    .transform_filter(chosen)
)
""",
        "figure.save(path, inline=True)",
    ),
    "Panel": (
        "panel==1.9.4",
        """\
import panel as pn
from matplotlib.figure import Figure
pn.extension()
def draw(sharpness):
    axes = (figure := Figure()).subplots()
    axes.set(xlabel="Keys", ylabel="Queries")
    image = axes.imshow(weights(sharpness), cmap="Reds", vmin=0, vmax=1)
    figure.colorbar(image, label="Weight")
    return pn.pane.Matplotlib(figure)
slider = pn.widgets.DiscreteSlider(name="sharpness", options=steps)
figure = pn.Column(slider, pn.bind(draw, slider))
""",
        "figure.save(path, embed=True, resources='inline', progress=False)",
    ),
    "Bokeh": (
        "bokeh==3.9.2",
        """\
from bokeh.layouts import column
from bokeh.models import ColorBar, CustomJS, LinearColorMapper, Slider
from bokeh.palettes import Reds256
from bokeh.plotting import figure as sheet
colors = LinearColorMapper(palette=Reds256[::-1], low=0, high=1)
plot = sheet(x_axis_label="Keys", y_axis_label="Queries", x_range=(0, 8), y_range=(6, 0))
drawn = plot.image([weights(1.0)], x=0, y=0, dw=8, dh=6, color_mapper=colors)
plot.add_layout(ColorBar(color_mapper=colors, title="Weight"), "right")
slider = Slider(title="sharpness", start=0, end=5, step=0.5, value=1)
move = "source.data = {image: [all[Math.round(2 * slider.value)]]}"
given = {"source": drawn.data_source, "slider": slider, "all": [weights(s) for s in steps]}
slider.js_on_change("value", CustomJS(args=given, code=move))
figure = column(slider, plot)
""",
        "from bokeh.embed import file_html; from bokeh.resources import INLINE; "
        "from pathlib import Path; Path(path).write_text(file_html(figure, INLINE))",
    ),
    "marimo": (
        "marimo==0.25.2",
        """\
@app.cell
def slide():
    import marimo as mo
    slider = mo.ui.slider(steps=steps, value=1.0, label="sharpness")
    return mo, slider
@app.cell
def draw(mo, slider):
    from matplotlib import pyplot as plt
    plt.imshow(weights(slider.value), cmap="Reds", vmin=0, vmax=1)
    plt.xlabel("Keys")
    plt.ylabel("Queries")
    plt.colorbar(label="Weight")
    return mo.vstack([slider, plt.gca()])
""",
        "",
    ),
}


def environment():
    """The Python of the compared tools, and what Altair and the others draw with."""
    python = HOME / "bin" / "python"
    if not python.exists():
        venv.create(HOME, with_pip=True)
    tools = [tool for name, (tool, *_) in PROGRAMS.items() if name != "explore"]  # it is here
    install = [python, "-m", "pip", "install", "-q", *tools, "vl-convert-python", "matplotlib"]
    subprocess.run(install, check=True)
    return python


# What the slider changes, without the slider: pixels, pictures, and the colours of what SVG fills.
DRAWN = "canvas, img, image, svg path[fill]"
READ = """(nodes) => nodes.map((node) =>
  node.toDataURL?.() ?? node.src ?? node.getAttribute("href") ?? node.getAttribute("fill"))"""
# A click far along one of these moves a tool's slider.
RAILS = "input[type=range], .noUi-target, .slider-rail-touch-rect"


def works(browser, path):
    """Whether a page from the disk, without a network, shows a picture that the slider changes."""
    with browser.new_page() as page:
        page.context.set_offline(True)
        page.goto(path.as_uri())
        page.wait_for_timeout(8000)  # Plotly's picture first moves by itself
        before = page.locator(DRAWN).evaluate_all(READ)
        for rail in page.locator(RAILS).all()[:1]:
            x, y, wide, high = rail.bounding_box().values()
            page.mouse.click(x + 0.75 * wide, y + high / 2)
        page.wait_for_timeout(1500)
        after = page.locator(DRAWN).evaluate_all(READ)
    return "shows nothing" if not before else "yes" if after != before else "the picture stays"


def main():
    rows, others = [], environment()
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        chromium.launched(playwright) as browser,
    ):
        for name, (tool, lines, save) in PROGRAMS.items():
            path = Path(folder, f"{name}.html")
            python = sys.executable if name == "explore" else others
            program = f"path = {str(path)!r}\n{SETUP}{lines}{save}\n"
            command = [python, "-c", program]
            if name == "marimo":  # its notebooks are files
                notebook = path.with_suffix(".py")
                notebook.write_text(MARIMO + textwrap.indent(SETUP, "    ") + lines)
                command = [python, "-m", "marimo", "export", "html", notebook, "-o", path]
            subprocess.run(command, check=True, capture_output=True)
            sizes = [f"{size:,.0f}" for size in kilobytes(path.read_text(encoding="utf-8"))]
            label = f"{name} ({tool.replace('==', ' ')})"
            rows.append([label, str(len(lines.splitlines())), *sizes, works(browser, path)])
    head = ["tool", "lines", "kB", "kB gzipped", "moves without kernel and network"]
    table("One heatmap of 6 x 8 and a slider of 11 values, as a page", head, rows)


if __name__ == "__main__":
    main()
