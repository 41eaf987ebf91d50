#!/bin/sh
# Writes requirements.txt, requirements-frameworks.txt and requirements-mxnet.txt: every package of
# the book's environments, pinned, for Python 3.10 and later.
# torch brings its own exact CUDA packages where its wheel needs them, so they are not repeated here:
# a CPU wheel then installs without them.
set -eu

# pin FILE WHAT SOURCE...
pin() {
    file=$1 what=$2
    shift 2
    {
        echo "# $what, pinned for Python 3.10 and later. Written by \`make pins\` from pyproject.toml."
        uv pip compile "$@" --quiet --universal --python-version 3.10 --no-annotate --no-header |
            grep -vE '^(nvidia-|cuda-|triton)'
    } > requirements.tmp
    mv requirements.tmp "$file"
}

pin requirements.txt "The book's whole environment" pyproject.toml --group book --group test
pin requirements-frameworks.txt "JAX and TensorFlow beside PyTorch" pyproject.toml --group frameworks
pin requirements-mxnet.txt "MXNet by itself" --group mxnet
