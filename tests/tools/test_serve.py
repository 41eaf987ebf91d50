"""The page that an author sees shows what code gives that was changed and not run, and what was saved else."""

from threading import Event

import nbformat
import pytest

from tools import serve


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
    with pytest.raises(SystemExit, match=f"CHAPTER is one page, .*, not '{name}'"):
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
