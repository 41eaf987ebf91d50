"""What a change may take is time of the processor: a busy machine uses up none of it."""

import subprocess
import sys

import chapters

# Without the packages that change code, which are installed for `make mutants` alone.
TRY = """
import os, sys, time
from unittest.mock import MagicMock
names = "libcst libcst.matchers libcst.metadata mutmut mutmut.mutation mutmut.mutation.mutators"
sys.modules |= dict.fromkeys(names.split(), MagicMock(CSTVisitor=object))
from tests import mutants
mutants.COMPUTE = 1
if (waited := mutants.fork()) is None:
    time.sleep(1.5)
    os._exit(0)
if (computed := mutants.fork()) is None:
    while True:
        pass
print(waited, computed)
"""


def test_who_waits_has_time_and_who_computes_for_ever_is_ended():
    command = [sys.executable, "-c", TRY]
    assert subprocess.check_output(command, cwd=chapters.ROOT, text=True) == "False True\n"
