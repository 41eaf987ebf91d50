"""Figures with sliders: how fast a move is painted, and what one costs beside other tools'.

python -m benchmarks.figures

The other tools are installed from PyPI into an environment of their own in the temporary folder.
Each makes the same figure: a (2, 10) heatmap, two sliders of ten values, no kernel, no network.
"""

import gzip
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import torch
from playwright.sync_api import sync_playwright

from .measure import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "book"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
import chromium
import examples

from chapters import numbered, stored_figures

PEERS = [
    "panel==1.9.4",
    "altair==6.3.0",
    "vl-convert-python==1.9.0.post1",
    "plotly==7.1.0",
    "numpy",
]

# What every peer's script starts with: the same 100 heatmaps, states[i][j].
STATES = """
import json, sys, time
import numpy as np
scores = np.array(json.loads(sys.argv[1]))
def weights(*lengths):
    e = np.exp(scores) * (np.arange(10) < np.array(lengths)[:, None])
    return e / e.sum(-1, keepdims=True)
"""

SCRIPTS = {
    "Panel, embed": """
import bokeh.plotting, bokeh.models, panel as pn
start = time.perf_counter()
def draw(one, two):
    w = weights(one, two)
    y, x = np.indices(w.shape)
    plot = bokeh.plotting.figure(width=480, height=160)
    color = bokeh.transform.linear_cmap("w", "Reds256", 1, 0)
    data = bokeh.models.ColumnDataSource(dict(x=x.ravel(), y=y.ravel(), w=w.ravel()))
    plot.rect("x", "y", 1, 1, source=data, color=color)
    return plot
one, two = (pn.widgets.DiscreteSlider(options=list(range(1, 11))) for _ in range(2))
pane = pn.Column(one, two, pn.bind(draw, one, two))
pane.save(sys.argv[2], embed=True, max_states=100, max_opts=10, resources="inline", progress=False)
""",
    "Vega-Altair, bound parameters": """
import altair as alt
start = time.perf_counter()
alt.data_transformers.disable_max_rows()
rows = [dict(one=a, two=b, query=q + 1, key=k + 1, weight=round(float(w), 4))
    for a in range(1, 11) for b in range(1, 11) for (q, k), w in np.ndenumerate(weights(a, b))]
one, two = (alt.param(name, 1, bind=alt.binding_range(min=1, max=10, step=1))
    for name in ("a", "b"))
chart = alt.Chart(alt.Data(values=rows)).mark_rect().encode(
    x="key:O", y="query:O", color=alt.Color("weight:Q", scale=alt.Scale(scheme="reds")),
).transform_filter("datum.one == a && datum.two == b").add_params(one, two)
chart.save(sys.argv[2], inline=True)
""",
    "Plotly, frames": """
import plotly.graph_objects as go
start = time.perf_counter()
frames = [go.Frame(data=[go.Heatmap(z=weights(a, b), colorscale="Reds")], name=f"{a}, {b}")
    for a in range(1, 11) for b in range(1, 11)]
steps = [dict(method="animate", label=f.name, args=[[f.name]]) for f in frames]
figure = go.Figure(frames[0].data, frames=frames, layout=dict(sliders=[dict(steps=steps)]))
figure.write_html(sys.argv[2], include_plotlyjs=True)
""",
}
# How many sliders move one figure together, by what each tool's page offers.
TOGETHER = {"Panel, embed": 2, "Vega-Altair, bound parameters": 2, "Plotly, frames": 1}


def environment(folder):
    """An environment with the other tools; None, and a sentence, when it can't be had."""
    python = folder / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = folder / "venv" / "ready"
    if not ready.exists():
        print(f"Installing {', '.join(PEERS[:4])} into {folder} ...", flush=True)
        venv.create(folder / "venv", with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS]
        done = subprocess.run(pip, capture_output=True, text=True)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:]
            print(f"The other tools could not be installed, so nothing is compared: {last}")
            return None
        ready.touch()
    return python


def weigh(text):
    return [len(text) / 1000, len(gzip.compress(text)) / 1000]


def compare():
    """One figure, made by each tool: kilobytes, seconds, sliders that work together."""
    examples.html_of(examples.figure(examples.kernels))  # imports are not counted for anyone
    start = time.perf_counter()
    page = examples.page_of(examples.html_of(examples.figure(examples.lengths))).encode()
    rows = [["explore", *weigh(page), time.perf_counter() - start, "2"]]
    folder = Path(tempfile.gettempdir()) / "d2lmini-figures"
    folder.mkdir(exist_ok=True)
    python = environment(folder)
    for name, script in SCRIPTS.items() if python else ():
        path = folder / "page.html"
        path.unlink(missing_ok=True)
        code = f"{STATES}{script}\nprint('took', time.perf_counter() - start)"
        scores = json.dumps(examples.SCORES.tolist())
        command = [python, "-c", code, scores, path]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        if done.returncode:
            print(f"{name} failed: {done.stderr.strip().splitlines()[-1]}")
            continue
        seconds = float(done.stdout.split("took")[-1])
        rows.append([name, *weigh(path.read_bytes()), seconds, str(TOGETHER[name])])
    head = ["100 states of a (2, 10) heatmap", "kB", "gzipped", "seconds", "sliders together"]
    table("The same figure by other tools, as a page that needs no network", head, rows)


# One move in each frame: some control to some other option. A message after the frame comes when
# it is painted.
MOVES = """async (count) => {
  const host = document.querySelector(".d2lmini-figure > div");
  const root = host?.shadowRoot ?? document;
  root.querySelector(".quiz button")?.click();
  const controls = [...root.querySelectorAll("input, select")];
  let seed = 7;
  const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
  const move = (control) => {
    if (control.type === "checkbox") return control.click();
    const count = control.options?.length ?? Number(control.max) + 1;
    const place = control.selectedIndex ?? Number(control.value);
    const next = (place + 1 + random(count - 1)) % count;
    control[control.options ? "selectedIndex" : "value"] = next;
    control.dispatchEvent(new Event(control.options ? "change" : "input"));
  };
  const times = [];
  for (let i = 0; i < count; i++)
    await new Promise((done) => requestAnimationFrame(() => {
      const start = performance.now();
      move(controls[random(controls.length)]);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { times.push(performance.now() - start); done(); };
      channel.port2.postMessage(0);
    }));
  return times.slice(10);
}"""

# What no figure can beat here: the browser's own slider with the number beside it.
ALONE = """<input type="range" max="9" value="0"
  oninput="this.nextSibling.textContent = this.value"><output>0</output>"""


def of_the_book(count=3):
    """The book's largest figures by cells drawn: [(name, HTML), ...], largest first."""
    found = []
    for html, state in (figure for page in numbered() for figure in stored_figures(page)):
        shapes = [panel["shape"] for panel in state["panels"]]
        found.append((sum(map(math.prod, shapes)), named(state["title"], shapes), html))
    return [(name, html) for _, name, html in sorted(found, reverse=True)[:count]]


def named(title, shapes):
    return f"{title} ({', '.join('x'.join(map(str, shape)) for shape in shapes)})"


def paint(slow=4, count=210):
    """Milliseconds from a move to its painting, on a slowed-down processor."""
    pages = [("the browser's own slider, nothing drawn", ALONE)]
    for function in (examples.lengths, examples.steps, examples.kernels, examples.large):
        figure = examples.figure(function)
        shapes = [panel["shape"] for panel in figure._state["panels"]]
        pages.append((named(function.__name__, shapes), examples.html_of(figure)))
    pages += of_the_book()
    rows = []
    with sync_playwright() as playwright:
        path = chromium.find() or sys.exit("The benchmarks of figures need a Chromium.")
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        for name, body in pages:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_content(examples.page_of(body))
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
            times = page.evaluate(MOVES, count)
            p95 = statistics.quantiles(times, n=20)[-1]
            rows.append([name, statistics.median(times), p95])
            page.close()
        browser.close()
    head = ["figure (panels)", "median", "95th percentile"]
    table(f"Milliseconds from a move to its painting, processor {slow} times slower", head, rows)


def main():
    paint()
    compare()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
