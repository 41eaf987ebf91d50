#!/bin/sh
# Writes the requirements files: every package of the book's environments, pinned for Python 3.10 and
# later, with the hashes of its files. torch brings its own exact CUDA packages where its wheel needs
# them, so they are left out: a CPU wheel then installs without them. kernelfree is installed from here.
set -eu

compile() {
    uv pip compile "$@" --quiet --universal --python-version 3.10 --no-annotate --no-header
}
all() {
    compile pyproject.toml --group book --group run --group test "$@" -c requirements/torch.txt |
        grep -vE '^(nvidia-|cuda-|triton|torch==|kernelfree)'
}
# named KEPT FILE: the pins of those packages that a file has, or with KEPT=! those that it has not.
named() {
    awk -F== "FILENAME == ARGV[1] { known[\$1]; next } $1(\$1 in known)" "$2" -
}
hashed() {
    compile - --no-deps --generate-hashes
}
title() {
    echo "# $1, pinned for Python 3.10 and later. Written by \`make pins\` from pyproject.toml."
}

work=$(mktemp -d)
mkdir "$work/requirements"
trap 'rm -rf "$work"' EXIT
all > "$work/all"
compile --group book -c "$work/all" > "$work/book"
{
    title "The book's whole environment but torch"
    echo "# To build the book:"
    named "" "$work/book" < "$work/all" | hashed
    echo "# To run and test chapters:"
    named ! "$work/book" < "$work/all" | hashed
} > "$work/requirements.txt"
{
    title "JAX and TensorFlow on top of requirements.txt"
    all --group frameworks -c "$work/all" | named ! "$work/all" | hashed
} > "$work/requirements/frameworks.txt"
{
    title "Published models on top of requirements.txt"
    all --group models -c "$work/all" | named ! "$work/all" | hashed
} > "$work/requirements/models.txt"
{
    title "MXNet by itself"
    compile --group mxnet | hashed
} > "$work/requirements/mxnet.txt"
{
    title "Makers of pages from notebooks, for the tests of exports, and tables of other libraries"
    compile --group exports | hashed
} > "$work/requirements/exports.txt"
{
    title "A JupyterHub with nbgrader, for a class"
    compile --group hub | hashed
} > "$work/requirements/hub.txt"
# These are chosen by hand.
for file in requirements/model.txt requirements/firefox.txt requirements/mutants.txt; do
    { grep '^#' $file; hashed < $file; } > "$work/$file"
done
mv "$work/requirements.txt" .
mv "$work"/requirements/*.txt requirements
