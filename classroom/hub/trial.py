"""A class on a JupyterHub: what a student waits for, and what it costs the machine.

    python -m classroom.hub.trial STUDENTS [--within SECONDS] [--lti] [--keep]

Starts the hub of `classroom/hub` on this machine (`make hub STUDENTS=40` sets it up first) with an
assignment of chapter 4. Each student, who comes within the given seconds, logs in, starts a server,
opens JupyterLab, fetches the assignment with nbgrader, answers it, runs all cells in a kernel and
submits. All stay until the last has done so. Then nbgrader collects, classroom/grade.py grades, and
the points go into the gradebook. Some answer wrongly or not at all: the points are compared with
what each has written. It ends with an error if anything failed. With `--lti` students come from a
platform such as Moodle, which classroom/hub/campus.py plays, and have no password here.
"""

import csv
import json
import os
import secrets
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from urllib.parse import urlencode

import nbformat
import psutil
import requests
import websocket
from lxml import html

from classroom.files import command as parser_of

ROOT = Path(__file__).resolve().parents[2]
HUB = ROOT / ".venv-hub" / "bin"
CHAPTER = ROOT / "chapters" / "04_masked_softmax.ipynb"
WEEK, NOTEBOOK = "week4", "04"
LIMIT = 900  # seconds that any step may take
STEPS = ("log in", "server", "JupyterLab", "fetch", "kernel", "run all", "submit")
MB = 2**20
NEED = 470 * MB  # that a student takes, as measured


def free_ports(count):
    """The first of some ports in a row that nobody uses."""
    for start in range(18_000, 30_000, count):
        with suppress(OSError):
            for port in range(start, start + count):
                with socket.socket() as one:
                    one.bind(("127.0.0.1", port))
            return start
    raise OSError("no free ports")


def command(*parts, folder, environment):
    """Run a command; stop with what it says if it fails."""
    done = subprocess.run(
        [*map(str, parts)], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, parts))}\n{done.stdout}{done.stderr}")
    return done.stdout


# ---- the hub -------------------------------------------------------------------------------------


def environment_of(folder, port, password):
    """What jupyterhub_config.py reads, and nothing that this process has of Jupyter's."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTHON"))}
    proxy = ROOT / "node_modules" / "configurable-http-proxy" / "bin" / "configurable-http-proxy"
    node = ROOT / ".venv" / "bin" / "node"
    return {
        **kept,
        "CLASS": str(folder),
        "HOME": str(folder / "homes" / "teacher"),
        "JUPYTER_CONFIG_PATH": str(ROOT / "classroom" / "hub"),
        "KERNEL": sys.executable,
        "PASSWORD": password,
        "PATH": os.pathsep.join([str(HUB), os.environ["PATH"]]),
        "PORT": str(port),
        "PROXY": f"{shlex.quote(str(node))} {shlex.quote(str(proxy))}",
    }


def released(folder, environment):
    """Make and release the assignment; return what answers each exercise: {name: source}."""
    course = folder / "course"
    source = course / "source" / WEEK / f"{NOTEBOOK}.ipynb"
    for part in ("exchange", "course", "homes/teacher"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "exchange").chmod(0o777)
    tool = [sys.executable, "-m", "classroom.assignment", CHAPTER, source, "--points", "works=2"]
    command(*tool, folder=ROOT, environment=os.environ)
    for step in ("generate_assignment", "release_assignment"):
        command(HUB / "nbgrader", step, WEEK, folder=course, environment=environment)
    cells = nbformat.read(source, as_version=4).cells
    marks = ((cell.metadata.get("nbgrader", {}), cell.source) for cell in cells)
    return {mark["grade_id"]: text for mark, text in marks if mark.get("solution")}


@contextmanager
def running(folder, environment, port):
    """The hub, and at the end nothing of what it has started."""
    with (folder / "hub.log").open("w") as log:
        hub = subprocess.Popen(
            [HUB / "jupyterhub", "-f", ROOT / "classroom" / "hub" / "jupyterhub_config.py"],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    mine = psutil.Process(hub.pid)
    try:
        address = f"http://127.0.0.1:{port}/hub/api/"
        wait_for(lambda: hub.poll() is not None or answers(address), 120, "the hub")
        if hub.poll() is not None:
            raise RuntimeError((folder / "hub.log").read_text()[-3000:])
        yield mine
    finally:
        family = tree(mine)
        with suppress(psutil.NoSuchProcess):
            mine.send_signal(signal.SIGTERM)
        _, left = psutil.wait_procs(family, timeout=20)
        for process in {*left, *(child for one in left for child in tree(one))}:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        hub.wait()


@contextmanager
def platform(environment, port):
    """A platform beside the hub; the hub is told of it."""
    issuer = f"http://127.0.0.1:{port + 3}"
    known = {"issuer": issuer, "client_id": "hub"}
    known |= {"authorize_url": f"{issuer}/authorize", "jwks_endpoint": f"{issuer}/jwks"}
    environment["LTI"] = json.dumps(known)
    script, hub = Path(__file__).with_name("campus.py"), f"http://127.0.0.1:{port}"
    with subprocess.Popen([HUB / "python", script, str(port + 3), hub]) as process:
        try:
            wait_for(lambda: answers(known["jwks_endpoint"]), 60, "the platform")
            yield known
        finally:
            process.terminate()


def tree(process):
    """A process and all that it has started, as far as they still run."""
    with suppress(psutil.NoSuchProcess):
        return [process, *process.children(recursive=True)]
    return []


def answers(address):
    with suppress(requests.RequestException):
        return requests.get(address, timeout=5).ok
    return False


def wait_for(ready, seconds, what):
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} is not ready after {seconds} s")
        time.sleep(0.5)


# ---- a student -----------------------------------------------------------------------------------


class Student:
    """One browser: what it asks the hub for, and how long it waits."""

    def __init__(self, number, port, password, lti=None):
        self.number, self.name = number, f"student-{number:02}"
        self.hub, self.password, self.lti = f"http://127.0.0.1:{port}", password, lti
        self.own = f"{self.hub}/user/{self.name}"
        self.session, self.seconds = requests.Session(), {}

    @contextmanager
    def timed(self, step):
        start = time.monotonic()
        yield
        self.seconds[step] = time.monotonic() - start

    def ask(self, method, address, **more):
        reply = self.session.request(method, address, timeout=LIMIT, **more)
        if not reply.ok:
            raise RuntimeError(
                f"{self.name}: {method} {address}: {reply.status_code} {reply.text[:300]}"
            )
        return reply

    def come(self, solutions):
        """All that a student does in a lesson."""
        with self.timed("log in"):
            self.log_in()
        with self.timed("server"):
            wait_for(self.asks_for_server, LIMIT, "a place among those that start")
            wait_for(self.has_server, LIMIT, f"the server of {self.name}")
        with self.timed("JupyterLab"):
            self.ask("GET", f"{self.own}/lab")
            self.ask("GET", f"{self.own}/lab/api/settings")
        with self.timed("fetch"):
            self.assignment("fetch")
        notebook = self.answered(solutions)
        with self.timed("kernel"):
            kernel = self.kernel()
        with self.timed("run all"):
            self.failed = self.run(kernel, notebook)
        with self.timed("submit"):
            self.assignment("submit")

    def log_in(self):
        """Log in as a person does, then ask for a token, as scripts need one."""
        page = f"{self.hub}/hub/login"
        self.come_from_platform() if self.lti else self.fill_in(page)
        xsrf = self.session.cookies.get("_xsrf", path="/hub/")
        tokens = f"{self.hub}/hub/api/users/{self.name}/tokens"
        token = self.ask("POST", tokens, json={}, headers={"X-XSRFToken": xsrf, "Referer": page})
        self.token = {"Authorization": f"token {token.json()['token']}"}
        self.session.headers.update(self.token)

    def fill_in(self, page):
        """The form with a name and a password."""
        self.ask("GET", page)
        xsrf = self.session.cookies.get("_xsrf", path="/hub/")
        form = {"username": self.name, "password": self.password, "_xsrf": xsrf}
        self.ask("POST", page, data=form, allow_redirects=False)

    def come_from_platform(self):
        """A press of the link in the platform, which sends a signed form to the hub."""
        known = {"iss": self.lti["issuer"], "client_id": self.lti["client_id"]}
        known |= {"login_hint": self.name, "target_link_uri": f"{self.hub}/hub/home"}
        start = f"{self.hub}/hub/lti13/oauth_login?{urlencode(known)}"
        (form,) = html.fromstring(self.ask("GET", start).text).forms
        home = self.ask("POST", form.action, data=dict(form.fields))
        if f">{self.name}<" not in "".join(home.text.split()):
            raise RuntimeError(f"{self.name} came to {home.url} as somebody else")

    def asks_for_server(self):
        """A hub that starts many servers already sends others away for some seconds."""
        reply = self.session.post(f"{self.hub}/hub/api/users/{self.name}/server", timeout=LIMIT)
        if not reply.ok and reply.status_code != 429:
            raise RuntimeError(f"{self.name}: no server: {reply.status_code} {reply.text[:300]}")
        if not reply.ok:
            time.sleep(2)
        return reply.ok

    def has_server(self):
        servers = self.ask("GET", f"{self.hub}/hub/api/users/{self.name}").json()["servers"]
        return servers.get("", {}).get("ready")

    def assignment(self, action):
        """What a press of nbgrader's button does."""
        what = {"course_id": "attention", "assignment_id": WEEK}
        reply = self.ask("POST", f"{self.own}/assignments/{action}", json=what).json()
        if not reply["success"]:
            raise RuntimeError(f"{self.name}: {action}: {reply['value']}")

    def answered(self, solutions):
        """Fill in the notebook, less one answer, and save it; its cells of code."""
        self.slip = list(solutions)[self.number % len(solutions)].removeprefix("answer-")
        place = f"{self.own}/api/contents/{WEEK}/{NOTEBOOK}.ipynb"
        notebook = nbformat.from_dict(self.ask("GET", place).json()["content"])
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            if name == f"answer-{self.slip}":
                cell.source = self.wrong(cell.source)
            elif name in solutions:
                cell.source = solutions[name]
        self.ask("PUT", place, json={"type": "notebook", "format": "json", "content": notebook})
        return [cell.source for cell in notebook.cells if cell.cell_type == "code"]

    def wrong(self, source):
        """One student in three gives no answer, one a wrong one, one makes a mistake of syntax."""
        self.expected = ("missing", "wrong", "wrong")[self.number % 3]
        if self.expected == "missing":
            return source
        return f"check.{self.slip}({'None + 1' if self.number % 3 == 1 else '('})"

    def kernel(self):
        """Start a kernel, and wait until it has done something."""
        what = {"path": f"{WEEK}/{NOTEBOOK}.ipynb", "type": "notebook", "name": NOTEBOOK}
        what["kernel"] = {"name": "python3"}
        kernel = self.ask("POST", f"{self.own}/api/sessions", json=what).json()["kernel"]["id"]
        self.run(kernel, ["1"])
        return kernel

    def run(self, kernel, cells):
        """Run cells one after the other; how many of them ended with an error."""
        address = f"{self.own}/api/kernels/{kernel}/channels".replace("http", "ws", 1)
        connection = websocket.create_connection(address, header=self.token, timeout=LIMIT)
        try:
            return sum(self.cell(connection, source) != "ok" for source in cells)
        finally:
            connection.close()

    def cell(self, connection, source):
        """Run one cell; what its reply says."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3"}
        header |= {"username": self.name, "session": self.name, "date": ""}
        content = {"code": source, "silent": False, "store_history": True, "stop_on_error": False}
        content |= {"user_expressions": {}, "allow_stdin": False}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        connection.send(json.dumps({**message, "channel": "shell", "buffers": []}))
        while True:
            reply = json.loads(connection.recv())
            own = reply["parent_header"].get("msg_id") == header["msg_id"]
            if own and reply["msg_type"] == "execute_reply":
                return reply["content"]["status"]


# ---- the machine ---------------------------------------------------------------------------------


class Watch(threading.Thread):
    """The memory of the hub's processes, every other second."""

    def __init__(self, hub):
        super().__init__(daemon=True)
        self.hub, self.peak, self.done = hub, 0, threading.Event()

    def run(self):
        while not self.done.wait(2):
            self.peak = max(self.peak, memory(tree(self.hub)))


def memory(processes):
    """Bytes that processes hold together: what they share counts once."""
    total = 0
    for process in processes:
        with suppress(psutil.Error):
            total += (
                process.memory_full_info().pss
                if sys.platform == "linux"
                else process.memory_info().rss
            )
    return total


def processor(processes):
    """Seconds of a processor that processes have taken."""
    total = 0
    for process in processes:
        with suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])  # with children that have ended
    return total


def alone(processes):
    """Bytes that processes hold as if nobody shared with them: what a container takes."""
    total = 0
    for process in processes:
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total


def lesson(students, within, hub, solutions):
    """All students at work; return what the hub's processes have taken."""
    before_memory, before_cpu = memory(tree(hub)), processor(tree(hub))
    watch = Watch(hub)
    watch.start()

    failed = []

    def come(student):
        time.sleep(within * student.number / max(1, len(students) - 1))
        try:
            student.come(solutions)
        except Exception as error:
            failed.append(error)

    start = time.monotonic()
    # As daemons: what stops this program does not wait for them.
    threads = [threading.Thread(target=come, args=[one], daemon=True) for one in students]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(within + 2 * LIMIT)
    seconds = time.monotonic() - start
    if failed or any(thread.is_alive() for thread in threads):
        raise RuntimeError(f"{len(failed)} of {len(students)} failed: {failed[:3]}")
    watch.done.set()
    watch.join()
    servers = [one for one in hub.children() if "singleuser" in " ".join(one.cmdline())]
    return {
        "lesson": seconds,
        "hub": before_memory,
        "peak": watch.peak - before_memory,
        "processor": processor(tree(hub)) - before_cpu,
        "alone": [alone(tree(server)) for server in servers],
    }


# ---- after the lesson ----------------------------------------------------------------------------


def graded(folder, environment, students):
    """Collect, grade, and take the points over; stop if they are not those that were earned."""
    course = folder / "course"
    start = time.monotonic()
    command(HUB / "nbgrader", "collect", WEEK, folder=course, environment=environment)
    collected = time.monotonic()
    pages = sorted(course.glob(f"submitted/*/{WEEK}/{NOTEBOOK}.ipynb"))
    table = course / "points.csv"
    source = course / "source" / WEEK / f"{NOTEBOOK}.ipynb"
    tool = [sys.executable, "-m", "classroom.grade", source, *pages, "--csv", table]
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    command(*tool, folder=course, environment=own)
    finished = time.monotonic()
    points = [
        HUB / "python",
        ROOT / "classroom" / "hub" / "points.py",
        table,
        WEEK,
        course / "gradebook.db",
    ]
    command(*points, folder=course, environment=environment)
    command(HUB / "nbgrader", "export", folder=course, environment=environment)
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    compare(rows, students)
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        totals = {
            row["student_id"]: (float(row["score"]), float(row["max_score"]))
            for row in csv.DictReader(file)
        }
    for student in students:
        own = [row for row in rows if row["student"] == student.name]
        earned = tuple(sum(float(row[what]) for row in own) for what in ("points", "of"))
        if totals[student.name] != earned:
            raise RuntimeError(f"{student.name} has {totals[student.name]} points, not {earned}")
    return {"collect": collected - start, "grade": (finished - collected) / len(pages)}


def compare(rows, students):
    """Stop unless each student has each verdict that the answer deserves."""
    verdicts = {(row["student"], row["exercise"]): row["verdict"] for row in rows}
    names = {row["exercise"] for row in rows}
    wanted = {
        (student.name, name): student.expected if name == student.slip else "right"
        for student in students
        for name in names
    }
    if verdicts != wanted:
        off = {
            key: (verdicts.get(key), wanted[key])
            for key in wanted
            if verdicts.get(key) != wanted[key]
        }
        raise RuntimeError(f"verdicts that were not earned, and those that were: {off}")


def report(students, taken, after):
    """Print what was measured."""
    count = len(students)
    print(f"{count} students, {os.cpu_count()} processors; a student waits, in seconds:\n")
    print(f"{'':12}{'median':>8}{'worst':>8}")
    for step in STEPS:
        waited = [student.seconds[step] for student in students]
        print(f"{step:12}{statistics.median(waited):8.1f}{max(waited):8.1f}")
    total = [sum(student.seconds.values()) for student in students]
    print(f"{'in all':12}{statistics.median(total):8.1f}{max(total):8.1f}")
    print(f"\nThe lesson took {taken['lesson']:.0f} s. Each student:")
    print(f"{taken['peak'] / count / MB:8.0f} MB of memory, where all share one machine")
    print(f"{statistics.median(taken['alone']) / MB:8.0f} MB in a container of their own")
    print(f"{taken['processor'] / count:8.1f} s of one processor")
    print(f"The hub itself: {taken['hub'] / MB:.0f} MB.")
    print(f"Afterwards: {after['collect']:.0f} s to collect, {after['grade']:.1f} s to grade each.")


def main(arguments=None):
    parser = parser_of(__doc__)
    parser.add_argument("students", type=int)
    parser.add_argument("--within", type=float, default=60)
    parser.add_argument("--lti", action="store_true")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args(arguments)
    if not (HUB / "jupyterhub").exists():
        sys.exit("hub: no environment of the hub: run `make hub` first")
    free = psutil.virtual_memory().available
    if free < options.students * NEED:
        room = f"{free // MB} MB are free, room for {free // NEED} students"
        sys.exit(
            f"hub: {options.students} students take {options.students * NEED // MB} MB; {room}"
        )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("hub: stopped"))  # and clean up
    folder, port, password = (
        Path(tempfile.mkdtemp(prefix="hub-")),
        free_ports(4),
        secrets.token_hex(),
    )
    try:
        environment = environment_of(folder, port, password)
        solutions = released(folder, environment)
        with platform(environment, port) if options.lti else nullcontext() as lti:
            students = [Student(n, port, password, lti) for n in range(options.students)]
            with running(folder, environment, port) as hub:
                taken = lesson(students, options.within, hub, solutions)
        after = graded(folder, environment, students)
        report(students, taken, after)
    finally:
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
