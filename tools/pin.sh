#!/bin/sh
# Writes requirements.txt, requirements-frameworks.txt and requirements-mxnet.txt: every package of
# the book's environments, pinned, for Python 3.10 and later; and their hashes, in tools/hashes.
# torch brings its own exact CUDA packages where its wheel needs them, so they are not repeated here:
# a CPU wheel then installs without them. For the same reason torch alone has no hash: there is a
# wheel of it for each kind of processor, from several places.
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
    hashes "$file"
}

# hashes FILE: the same pins with the hashes of their files, which tools/setup.py insists on.
hashes() {
    {
        echo "# The files of $1. Written by \`make pins\`."
        grep -vE '^(#|torch==)' "$1" |
            uv pip compile - --quiet --no-deps --universal --python-version 3.10 \
                --generate-hashes --no-annotate --no-header
    } > requirements.tmp
    mv requirements.tmp "tools/hashes/$1"
}

pin requirements.txt "The book's whole environment" pyproject.toml --group book --group test
pin requirements-frameworks.txt "JAX and TensorFlow beside PyTorch" pyproject.toml --group frameworks
pin requirements-mxnet.txt "MXNet by itself" --group mxnet
hashes requirements-model.txt
hashes requirements-firefox.txt
