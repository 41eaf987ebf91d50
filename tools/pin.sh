#!/bin/sh
# Writes requirements.txt: every package of the book's environment, pinned, for Python 3.10 and later.
# torch brings its own exact CUDA packages where its wheel needs them, so they are not repeated here:
# a CPU wheel then installs without them.
set -eu
{
    echo "# The book's whole environment, pinned for Python 3.10 and later. Written by \`make pins\` from pyproject.toml."
    uv pip compile pyproject.toml --quiet --universal --python-version 3.10 \
        --group book --group test --no-annotate --no-header |
        grep -vE '^(nvidia-|cuda-|triton)'
} > requirements.tmp
mv requirements.tmp requirements.txt
