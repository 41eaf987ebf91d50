"""The same figure made with other tools: lines, bytes, and where it works.

python -m benchmarks.peers_of_figures

The tools are no part of this project. They are installed into `_build/compare`, an environment of
their own, which is made when it is missing (about 600 MB; delete the folder to be rid of it).
Each program below writes a page that needs no network where the tool can write one. The page is
opened in Chromium from a disk without a network, and, with its scripts in files beside it, from a
server whose policy is strict. Both sliders are moved by keys: did the picture change each time? And
are the sliders named, and numbers of the picture written, for a reader who does not see it?
"""

import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import venv
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright
from serving import Strict, serve

from tools import chromium

from . import ROOT, kilobytes, table

HOME = ROOT / "_build" / "compare"
NODE = "@observablehq/plot@0.6.17", "d3@7.9.0"
LIBRARIES = "d3/dist/d3.min.js", "@observablehq/plot/dist/plot.umd.min.js"

# What every program begins with: a matrix of weights for each of 100 places of two sliders.
SETUP = """\
import numpy as np
scores = np.random.default_rng(0).normal(size=(6, 8))
steps, slopes = [round(0.5 * i, 1) for i in range(10)], list(range(10))
def weights(sharpness=1.0, slope=0):
    e = np.exp(sharpness * scores - 0.1 * slope * np.arange(8))
    return e / e.sum(-1, keepdims=True)
"""

MARIMO = "import marimo\napp = marimo.App()\nwith app.setup:\n"

# The lines that an author writes after that, then the line that saves a page.
PROGRAMS = {
    "explore": (
        f"kernelfree {version('kernelfree')}",
        """\
from kernelfree import explore
figure = explore(weights, sharpness=steps, slope=slopes)
""",
        "figure.save(path)",
    ),
    "interact": (
        "ipywidgets==8.1.9",
        """\
from ipywidgets import interactive
from matplotlib import pyplot as plt
def draw(sharpness=1.0, slope=0):
    plt.imshow(weights(sharpness, slope), cmap="Reds", vmin=0, vmax=1)
    plt.xlabel("Keys")
    plt.ylabel("Queries")
    plt.colorbar(label="Weight")
    plt.show()
figure = interactive(draw, sharpness=(0, 4.5, 0.5), slope=(0, 9))
""",
        "from ipywidgets.embed import embed_minimal_html; embed_minimal_html(path, [figure])",
    ),
    "Plotly": (
        "plotly==7.1.0",
        """\
import json
import plotly.express as px
labels = {"x": "Keys", "y": "Queries", "color": "Weight"}
figure = px.imshow(weights(), zmin=0, zmax=1, labels=labels, color_continuous_scale="Reds")
every = json.dumps([[weights(a, b).tolist() for b in slopes] for a in steps])
script = f"const every = {every}, at = [2, 0];" + '''
const plot = document.getElementById("{plot_id}");
["sharpness", "slope"].forEach((name, n) => {
  const label = document.createElement("label"), input = document.createElement("input");
  Object.assign(input, {type: "range", max: 9, value: at[n]});
  input.oninput = () => {
    at[n] = input.value;
    Plotly.restyle(plot, {z: [every[at[0]][at[1]]]});
  };
  label.append(name, input);
  plot.before(label);
});
'''
""",
        "figure.write_html(path, include_plotlyjs=True, post_script=script)",
    ),
    "Altair": (
        "altair==6.3.0",
        """\
import altair as alt
cells = [
    {"sharpness": s, "slope": t, "query": q + 1, "key": k + 1, "weight": w}
    for s in steps
    for t in slopes
    for (q, k), w in np.ndenumerate(weights(s, t))
]
def slider(name, high, step, value):
    bound = alt.binding_range(min=0, max=high, step=step, name=name)
    return alt.selection_point(fields=[name], bind=bound, value=value)
sharpness, slope = slider("sharpness", 4.5, 0.5, 1.0), slider("slope", 9, 1, 0)
scale = alt.Scale(scheme="reds", domain=[0, 1])
figure = (
    alt.Chart(alt.Data(values=cells))
    .mark_rect()
    .encode(x="key:O", y="query:O", color=alt.Color("weight:Q", scale=scale))
    .add_params(sharpness, slope)
    .transform_filter(sharpness & slope)
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
def draw(sharpness, slope):
    axes = (figure := Figure()).subplots()
    axes.set(xlabel="Keys", ylabel="Queries")
    image = axes.imshow(weights(sharpness, slope), cmap="Reds", vmin=0, vmax=1)
    figure.colorbar(image, label="Weight")
    return pn.pane.Matplotlib(figure)
first = pn.widgets.DiscreteSlider(name="sharpness", options=steps, value=1.0)
second = pn.widgets.DiscreteSlider(name="slope", options=slopes)
figure = pn.Column(first, second, pn.bind(draw, first, second))
""",
        "figure.save(path, embed=True, resources='inline', progress=False)",
    ),
    "Observable Plot": (
        "Observable Plot 0.6.17",
        """\
import json
every = json.dumps([[weights(a, b).tolist() for b in slopes] for a in steps])
page = '''
<label>sharpness <input type="range" id="sharpness" max="4.5" step="0.5" value="1"></label>
<label>slope <input type="range" id="slope" max="9" value="0"></label>
<div id="figure"></div>
<script>
  function draw() {
    const cells = every[2 * sharpness.value][slope.value].flatMap((row, q) =>
      row.map((weight, k) => ({query: q + 1, key: k + 1, weight})));
    figure.replaceChildren(Plot.plot({
      color: {scheme: "Reds", domain: [0, 1], legend: true},
      marks: [Plot.cell(cells, {x: "key", y: "query", fill: "weight"})],
    }));
  }
  sharpness.oninput = slope.oninput = draw;
  draw();
</script>'''
""",
        "from pathlib import Path; both = [Path(one).read_text() for one in libraries]; "
        "both.append(f'const every = {every};'); "
        "scripts = ''.join(f'<script>{one}</script>' for one in both); "
        "Path(path).write_text(f'<!doctype html><meta charset=utf-8>{scripts}{page}')",
    ),
    "marimo": (
        "marimo==0.25.2",
        """\
@app.cell
def slide():
    import marimo as mo
    sharpness = mo.ui.slider(steps=steps, value=1.0, label="sharpness")
    slope = mo.ui.slider(steps=slopes, label="slope")
    return mo, sharpness, slope
@app.cell
def draw(mo, sharpness, slope):
    from matplotlib import pyplot as plt
    plt.imshow(weights(sharpness.value, slope.value), cmap="Reds", vmin=0, vmax=1)
    plt.xlabel("Keys")
    plt.ylabel("Queries")
    plt.colorbar(label="Weight")
    return mo.vstack([sharpness, slope, plt.gca()])
""",
        "",
    ),
}


def environment():
    """The Python of the compared tools, and what they draw with."""
    python = HOME / "bin" / "python"
    if not python.exists():
        venv.create(HOME, with_pip=True)
    tools = [tool for tool, *_ in PROGRAMS.values() if "==" in tool]
    install = [python, "-m", "pip", "install", "-q", *tools, "vl-convert-python", "matplotlib"]
    subprocess.run(install, check=True)
    if not (HOME / "node_modules").exists():
        # Node comes with this project's own environment.
        npm = shutil.which("npm", path=Path(sys.executable).parent) or "npm"
        subprocess.run([npm, "install", "--silent", "--prefix", HOME, *NODE], check=True)
    return python


# What the sliders change, without them: pixels, pictures, and the colours of what SVG fills.
DRAWN = "canvas, img, image, svg path[fill], svg rect[fill]"
READ = """(nodes) => nodes.map((node) =>
  node.toDataURL?.() ?? node.src ?? node.getAttribute("href") ?? node.getAttribute("fill"))"""
# What a browser runs; other scripts are data.
RUNS = (None, "module", "text/javascript", "application/javascript")
HEAD = ["tool", "lines", "kB", "gzipped", "other hosts", "moves alone", "strict policy"]
HEAD += ["named sliders", "numbers said"]
LABELS = "(nodes) => nodes.map((node) => node.getAttribute('aria-label'))"


def made(name, python, folder):
    """Write a tool's page; return its path."""
    _, lines, save = PROGRAMS[name]
    path = folder / f"{name.replace(' ', '_')}.html"
    libraries = [str(HOME / "node_modules" / one) for one in LIBRARIES]
    program = f"path, libraries = {str(path)!r}, {libraries}\n{SETUP}{lines}{save}\n"
    command = [sys.executable if name == "explore" else python, "-c", program]
    if name == "marimo":  # its notebooks are files
        notebook = path.with_suffix(".py")
        notebook.write_text(MARIMO + textwrap.indent(SETUP, "    ") + lines)
        command[1:] = ["-m", "marimo", "export", "html", notebook, "-o", path]
    subprocess.run(command, check=True, capture_output=True)
    return path


def without_inline_scripts(path):
    """Put what a strict policy refuses into files beside a page, in a folder of its own."""
    (folder := path.with_suffix("")).mkdir()
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    for number, script in enumerate(soup.find_all("script", src=None)):
        if script.get("type") in RUNS:
            script["src"] = f"{number}.js"
            (folder / script["src"]).write_text(script.string, encoding="utf-8")
            script.string = ""
    (folder / path.name).write_text(str(soup), encoding="utf-8")
    return folder


def moves(page):
    """Whether each of two sliders, moved by a key, changes the picture."""
    page.wait_for_timeout(5000)
    sliders, changed = page.get_by_role("slider").all(), []
    for slider in sliders:
        before = page.locator(DRAWN).evaluate_all(READ)
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(1500)
        changed.append(page.locator(DRAWN).evaluate_all(READ) != before)
    return len(changed) == 2 and all(changed)


def tried(browser, path):
    """What a page does: hosts that it asks, whether it moves, what it says; and under a policy."""
    with browser.new_page() as page, browser.new_page() as strict:
        asked = set()
        page.on("request", lambda request: asked.add(urlsplit(request.url).hostname))
        page.context.set_offline(True)
        page.goto(path.as_uri())
        alone, said = moves(page), page.locator("body").aria_snapshot()
        labels = " ".join(page.locator("[aria-label]").evaluate_all(LABELS))
        told = [len(re.findall('slider "', said)) == 2, re.search(r"\d\.\d{3}", said + labels)]
        with serve(without_inline_scripts(path), Strict) as address:
            strict.goto(f"{address}/{path.name}")
            allowed = moves(strict)
    hosts = asked - {None, ""}
    return [str(len(hosts)), *("yes" if one else "no" for one in (alone, allowed, *told))]


def main():
    rows, others = [], environment()
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        chromium.launched(playwright) as browser,
    ):
        for name, (tool, lines, _) in PROGRAMS.items():
            path = made(name, others, Path(folder))
            sizes = [f"{size:,.0f}" for size in kilobytes(path.read_text(encoding="utf-8"))]
            label = f"{name} ({tool.replace('==', ' ')})"
            rows.append([label, str(len(lines.splitlines())), *sizes, *tried(browser, path)])
    table("One heatmap of 6 x 8 and two sliders of ten values, as a page", HEAD, rows)


if __name__ == "__main__":
    main()
