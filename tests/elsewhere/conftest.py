"""What needs an environment, a processor or a browser of its own: a pytest of its own each.

Here only its verdict counts; its own summary is repeated at the end of the run.
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tested_in(record_property):
    def run(environment, *arguments, **variables):
        python = ROOT / environment / "bin" / "python"
        own = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        command = [python, "-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider", *arguments]
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run(command, cwd=ROOT, env={**own, **variables}, **output)
        assert done.returncode == 0, done.stdout[-8000:]
        record_property("elsewhere", done.stdout.strip().splitlines()[-1].strip("= "))

    return run
