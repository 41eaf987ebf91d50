"""The page that an author sees shows what code gives that was changed and not run, and what was saved else."""

import os
import signal
import subprocess
import sys
from threading import Event
from types import SimpleNamespace

import nbformat
import psutil
import pytest

from tools import build, serve


def test_changed_code_is_run_unless_its_author_has():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"a = {n}\nprint(a)") for n in (1, 2)])

    def shown(count, second, saved="saved"):
        for cell in notebook.cells:
            cell.execution_count = count
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=saved)]
        notebook.cells[1].source = second
        own = nbformat.from_dict(notebook)
        times = len([*outputs.fill(own)])
        return [times, *(cell.outputs[0].text for cell in own.cells)]

    outputs = serve.Outputs("")
    second = notebook.cells[1].source
    assert shown(1, second) == [1, "saved", "saved"]
    assert shown(1, f"{second}  # a remark") == [1, "saved", "saved"]
    assert shown(1, "a += 4\nprint(a)") == [2, "1\n", "5\n"]
    assert shown(1, "a += 4\nprint(a)  # a remark") == [1, "1\n", "5\n"]
    assert shown(2, "a += 5\nprint(a)", "run") == [1, "run", "run"]
    assert outputs.client is None
    assert not [*outputs.ahead(notebook)]  # its author runs it


def test_what_a_change_will_need_is_run_ahead():
    outputs = serve.Outputs("")

    def notebook(*sources):
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])

    assert len([*outputs.fill(saved := notebook("a = [1]", "print(a)", "1 / 0", "a = 2"))]) == 1
    assert outputs.client is None
    assert len([*outputs.ahead(saved)]) == 2
    assert len([*outputs.fill(changed := notebook("a = [1]", "print(a)", "a.append(2)", "print(a)"))]) == 2
    assert [cell.outputs[0].text for cell in changed.cells[1::2]] == ["[1]\n", "[1, 2]\n"]  # each was run once


def test_another_language_is_run_whoever_has_run_the_english_notebook():
    outputs = serve.Outputs("zh")
    for count, source, text in ((1, "print(1)", "kept"), (2, "print(2)", "2\n"), (3, "print(3)", "3\n")):
        cell = nbformat.v4.new_code_cell(source, execution_count=count)
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="kept")]
        assert list(outputs.fill(notebook := nbformat.v4.new_notebook(cells=[cell])))
        assert notebook.cells[0].outputs[0].text == text


@pytest.mark.parametrize("name", ["", "99_no", "04_masked_softmax 05_batch_matrix_multiplication"])
def test_what_is_no_page_is_told(name):
    with pytest.raises(SystemExit, match=f"CHAPTER is a page of the book, .*, not '{name}'"):
        serve.main(name)


def test_only_the_page_and_its_pictures_take_the_place_of_the_built_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(serve, "HTML", tmp_path / "html")
    monkeypatch.setattr(serve, "OWN", tmp_path / "serve")
    for name in ("zh/chapters/one.html", "_images/one.png", "_static/site.css"):
        (serve.OWN / name).parent.mkdir(parents=True, exist_ok=True)
        (serve.OWN / name).touch()
    served = serve.Served.__new__(serve.Served)
    served.directory = str(serve.HTML)
    places = {
        "/zh/chapters/one.html?again": serve.OWN,
        "/chapters/one.html": serve.HTML,
        "/_images/one.png": serve.OWN,
        "/_static/site.css": serve.HTML,
    }
    for address, place in places.items():
        found = served.translate_path(address)
        assert found == str(place / address.partition("?")[0][1:])


def test_a_page_is_made_anew_where_a_browser_asks_for_it(monkeypatch):
    monkeypatch.setattr(serve.SimpleHTTPRequestHandler, "do_HEAD", lambda served: None)
    monkeypatch.setattr(serve, "ASKED", {"": Event(), "zh": Event()})
    served = serve.Served.__new__(serve.Served)
    served.path = "/zh/chapters/one.html"
    served.do_HEAD()
    assert [asked.is_set() for asked in serve.ASKED.values()] == [False, True]


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (["a = 1", "# 一 / 二\nb = (1"], "'(' was never closed, in line 2 of the cell '# &#19968; / &#20108;'"),
        (["a = 1", "b = 2\n1 / 0"], "ZeroDivisionError: division by zero, in the cell 'b = 2'"),
        (None, "page.ipynb is no notebook: Notebook does not appear to be JSON: ''"),
    ],
)
def test_why_a_page_is_not_shown_stands_above_it_and_goes_with_the_next(tmp_path, monkeypatch, capsys, cells, why):
    path, page = tmp_path / "page.ipynb", tmp_path / "serve" / "chapters" / "page.html"

    def save(cells):
        cells = map(nbformat.v4.new_code_cell, cells)
        nbformat.write(nbformat.v4.new_notebook(cells=[*cells]), path)

    def saved(*_):
        steps.pop(0)()

    steps = [lambda: save(cells) if cells else path.write_text(""), lambda: save(["a = 1"]), lambda: 1 / 0]
    monkeypatch.setattr(serve, "OWN", tmp_path / "serve")
    monkeypatch.setattr(serve, "sphinx", lambda *_: None)
    monkeypatch.setattr(
        serve, "show", lambda *_: shown.append(page.exists() and page.read_text()) or page.write_text("")
    )
    monkeypatch.setattr(serve.signal, "signal", lambda *_: None)
    shown = []
    save(["a = 1", "b = 2"])
    with pytest.raises(ZeroDivisionError):
        serve.watch("", path, SimpleNamespace(wait=saved, clear=lambda: None))
    told = capsys.readouterr().out
    assert [len(told.split("not shown")), page.read_text()] == [2, ""]
    assert shown[-1].count("</mark>") == 1
    assert f"not shown: {why}</mark>".replace("'", "&#x27;") in shown[-1].replace(f"{tmp_path}/", "")


RENDERS = """
import pathlib, pages, sys, tempfile
from sphinxcontrib.katex import KaTeXServer
process, _ = pages.start_math_renderer(KaTeXServer, pathlib.Path(tempfile.mkdtemp()), 5)
print(process.pid, flush=True)
input()
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_what_sets_formulas_ends_with_what_has_started_it(end):
    environment = {**os.environ, "PATH": os.pathsep.join([str(build.NODE), os.environ["PATH"]])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", RENDERS], cwd=build.ROOT, env=environment, **pipes) as one:
        node = psutil.Process(int(one.stdout.readline()))
        assert node.is_running()
        one.send_signal(end)
    psutil.wait_procs([node], timeout=20)
    assert not node.is_running() or node.status() == psutil.STATUS_ZOMBIE
