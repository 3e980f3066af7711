"""``python -m ockham``: the ``ockham`` command."""

from ockham.cli import main

main(prog_name="ockham")
