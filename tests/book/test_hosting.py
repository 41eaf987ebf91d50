"""What the page for those who host the book says: its lines are run."""

import gzip
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from lxml import html

import chapters
from pages import model, policy, single
from tools import relink

ROOT = chapters.ROOT
HTML = ROOT / "_build" / "html"
TEXT = "\n".join(chapters.cells(ROOT / "chapters" / "hosting.ipynb", "markdown"))
BUILT = "import pathlib as p; (h := p.Path('_build/html')).mkdir(parents=True, exist_ok=True); "
BUILT += "(h / 'index.html').write_text(p.Path('text').read_text())\n"


def block(kind, holding):
    [found] = [code for code in re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL) if holding in code]
    return found


def run(lines, folder, **environment):
    """Run lines of the page with this Python's own programs before all others."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, **environment}
    done = subprocess.run(["bash", "-ec", lines], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def small(tmp_path):
    """The repository with an environment that is there, and a book of one word."""
    folder = tmp_path / "attention"
    own = ("_*.yml", ".gitignore", "Makefile", "requirements.txt", "requirements/*", "tools/*.py")
    for place in (*own, *relink.PLACES):
        for path in ROOT.glob(place):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    (folder / "tools" / "build.py").write_text(BUILT)
    (folder / "text").write_text("first")
    with_environment(folder)
    return folder


def with_environment(folder):
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / ".venv" / "book").touch()


def test_the_first_lines_write_the_address_and_build(small):
    lines = block("sh", "git clone").splitlines()
    assert lines[:2] == [f"git clone {chapters.REPOSITORY}", "cd attention"]
    run("\n".join(lines[2:]), small)
    assert relink.wanted(small).book == lines[2].split()[-1]
    assert relink.wanted(small).repository == chapters.REPOSITORY
    # It is built again when the model comes, and only then.
    run("make -q _build/html/index.html", small)
    (small / "text").write_text("second")
    ready = small / ".venv" / "ready"
    ready.touch()
    os.utime(ready, (time.time() + 1, time.time() + 1))
    run("make book", small)
    assert (small / "_build" / "html" / "index.html").read_text() == "second"


def test_what_an_address_says_of_a_version_changes_with_the_file():
    """Else a browser that keeps it for a year shows an old style with a new page."""
    stamped = set()
    for path in (path for path in HTML.rglob("*.html") if path.name != single.NAME):
        tree = html.document_fromstring(path.read_text(encoding="utf-8"))
        places = "//link/@href | //script/@src | //@data-parts | //@data-weights"
        for parts in map(urlsplit, tree.xpath(places)):
            if parts.query and not parts.scheme:
                file = (path.parent / parts.path).resolve()
                assert parts.query.startswith("v="), parts
                stamped.add((file, *parse_qs(parts.query, keep_blank_values=True)["v"]))
    assert {"site.css", "book.js", "figures.js"} <= {file.name for file, _ in stamped}
    for file, stamp in stamped:
        assert hashlib.sha256(file.read_bytes()).hexdigest().startswith(stamp or "none"), file
    assert len(stamped) == len({file for file, _ in stamped})


def test_a_page_that_is_finished_again_has_one_style_sheet_of_its_own(tmp_path):
    app, page, shared = SimpleNamespace(outdir=tmp_path), tmp_path / "page.html", "_static/site.css"
    (tmp_path / "_static").mkdir()
    page.write_text(f'<link rel="stylesheet" href="{shared}?v="><p style="height:1em"></p>')
    for edition in ("first", "second"):
        (tmp_path / shared).write_text(edition)
        page.write_text(page.read_text() + f'<p style="--edition:{edition}"></p>')
        policy.finish(app)
    links = html.parse(page).xpath("//link/@href")
    assert links == [f"{name}?v={model.stamp(tmp_path / name)}" for name in (shared, "page.css")]


SIZES = {"Chapter 6": "chapters/06_scaled_dot_product_attention.html", "one file": single.NAME}


@pytest.mark.parametrize("what", SIZES)
def test_sizes_that_the_page_quotes(what):
    data = (HTML / SIZES[what]).read_bytes()
    raw, unit, small = re.search(rf"{what} is ([\d.]+) (kB|MB), ([\d.]+) ", TEXT).groups()
    for size, said in {len(data): raw, len(gzip.compress(data, 6)): small}.items():
        assert size == pytest.approx(float(said) * {"kB": 1e3, "MB": 1e6}[unit], rel=0.05)


WRAPPED = """
daemon off;
pid {folder}/pid;
user {user};
events {{}}
http {{
    access_log off;
    {temporary}
    types {{ text/html html; text/css css; application/javascript js; font/woff2 woff2; }}
    {shared}
    server {{ listen 127.0.0.1:{port}; {server} }}
}}
"""


@pytest.fixture
def nginx(tmp_path):
    """The page's lines in an nginx; its address."""
    program = shutil.which("nginx") or pytest.skip("no nginx here")
    folder = tmp_path / "courses" / "attention"
    folder.parent.mkdir()
    folder.symlink_to(HTML)
    shared, server = block("nginx", "location").split("\n\n", 1)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert "/srv/books/attention/" in server
    own = {"folder": tmp_path, "user": "root" if os.geteuid() == 0 else "nobody", "port": port, "shared": shared}
    own["temporary"] = " ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    own["server"] = server.replace("/srv/books/attention/", f"{folder}/")
    (tmp_path / "nginx.conf").write_text(WRAPPED.format(**own))
    command = [program, "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "errors"]
    server = subprocess.Popen(command)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/courses/attention"
    server.terminate()
    server.wait()


def test_a_server_with_these_lines_sends_what_the_page_says(nginx):
    def get(address):
        request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            return answer.url, answer.headers, answer.read()

    url, first, data = get(nginx)
    assert url == f"{nginx}/"
    text = gzip.decompress(data).decode()
    assert text == (HTML / "index.html").read_text(encoding="utf-8")
    script = re.search(r'src="(_static/book\.js\?v=\w+)"', text)[1]
    sheet = re.search(r'href="(_static/site\.css\?v=\w+)"', text)[1]
    font = "_static/fonts/source-serif-4-latin-400-normal.woff2"
    for address, kind in ((script, "application/javascript"), (sheet, "text/css")):
        _, headers, _ = get(f"{nginx}/{address}")
        assert headers["Content-Encoding"] == "gzip"
        assert headers.get_content_type() == kind
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    _, headers, _ = get(f"{nginx}/{font}")
    for kept in (first, headers):
        assert kept["Cache-Control"] == "no-cache"
        assert kept["Content-Security-Policy"].startswith("default-src 'self'; script-src")
    with pytest.raises(urllib.error.HTTPError, match="404") as gone:
        urllib.request.urlopen(f"{nginx}/a/b/gone.html")
    with gone.value as answer:
        assert "There is nothing here" in answer.read().decode()


def test_no_file_of_the_book_has_an_unusual_ending():
    served = {path.suffix for path in HTML.rglob("*") if path.is_file()}
    known = {".html", ".css", ".js", ".json", ".png", ".svg", ".txt", ".woff2", ".xml", ".pdf", ".wasm", ".zip"}
    assert served <= known | {"", ".ipynb", ".buildinfo", ".inv"}  # nothing in a page asks for these but downloads


def test_publishing_waits_for_no_job_that_may_be_taken_out():
    jobs = yaml.safe_load((ROOT / ".github/workflows/book.yml").read_text("utf-8"))["jobs"]
    assert "elsewhere" in jobs
    assert not any("elsewhere" in str(job.get("needs")) for job in jobs.values())
    assert jobs["publish"]["needs"] == jobs["languages"]["needs"] == "book"
    for job in ("book", "publish"):
        assert jobs[job]["runs-on"] == "ubuntu-latest"
    assert "needs" not in jobs["book"]
    steps = [step.get("run") or step["uses"] for step in jobs["book"]["steps"]]
    wanted = "tools.relink --repository", "make test-all", "upload-pages-artifact"
    places = [next(n for n, step in enumerate(steps) if told in step) for told in wanted]
    assert places == sorted(places)


def test_the_lines_for_gitlab_build_what_it_publishes(small):
    job = yaml.safe_load(block("yaml", "pages:"))["pages"]
    address = "https://group.gitlab.example/attention"
    run("\n".join(job["script"]), small, CI_PAGES_URL=address)
    assert relink.wanted(small).book == f"{address}/"
    [published] = job["artifacts"]["paths"]
    assert (small / published / "index.html").is_file()


def test_the_lines_for_the_next_edition_leave_the_first_beside_it(small, tmp_path):
    own = "git -c user.name=a -c user.email=a@b.example"
    run(block("sh", "git clone").splitlines()[2], small)
    run(f"git init -q -b work && git add . && {own} commit -qm one && git branch main", small)
    books = tmp_path / "books"
    (books / "2026-09").mkdir(parents=True)
    (books / "2026-09" / "index.html").write_text("first")
    (books / "attention").symlink_to("2026-09")
    make_next, *lines = block("sh", "git worktree").replace("/srv/books", str(books)).splitlines()
    run(f"git tag autumn && {make_next}", small)
    with_environment(tmp_path / "next")
    (tmp_path / "next" / "text").write_text("second")
    run("\n".join(lines), small)
    assert relink.wanted(tmp_path / "next").book == "https://uni.example/courses/attention/"
    assert (books / "attention" / "index.html").read_text() == "second"
    run(f"ln -sfn 2026-09 {books}/attention", small)
    assert (books / "attention" / "index.html").read_text() == "first"


def wheel(folder, name):
    path = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.mark.beyond
def test_packages_of_a_folder_build_the_book_without_a_network(small, tmp_path):
    index, dead = tmp_path / "index", "http://127.0.0.1:9/simple"
    index.mkdir()
    first, model = wheel(index, "first"), wheel(index, "model")
    (small / "requirements.txt").write_text(f"{first}# To run and test chapters:\n")
    (small / "requirements" / "model.txt").write_text(model)
    (small / "requirements" / "torch.txt").write_text(wheel(index, "torch").split()[0] + "\n")
    run(block("sh", "pip download"), small, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(index))
    assert {path.name for path in (small / "wheels").iterdir()} == {p.name for p in index.iterdir()}
    shutil.rmtree(index)
    shutil.rmtree(small / ".venv")
    run(block("sh", "PIP_NO_INDEX"), small, PIP_INDEX_URL=dead, PIP_RETRIES="0")
    assert list(small.glob(".venv/lib/python*/site-packages/first.py"))
    assert (small / "_build" / "html" / "index.html").is_file()
