#!/usr/bin/env bash
# Runs a command, such as README's, in which pip finds the locked distributions in .venv and can fetch no other:
#   requirements/locked.sh "python3 -m venv .venv && . .venv/bin/activate && pip install ."
set -euo pipefail
python3 -m venv .venv
pip() { .venv/bin/python -m pip "$@" --quiet; }
pip download --require-hashes --only-binary :all: --dest .venv/locked -r requirements/build.txt
pip install --no-index --find-links .venv/locked --require-hashes -r requirements/build.txt
pip install --no-build-isolation --require-hashes -r requirements/run.txt # one comes as source only
PIP_NO_INDEX=1 PIP_FIND_LINKS="$PWD/.venv/locked" bash -euo pipefail -c "$1"
