"""Who commits, who reads CONTRIBUTING.md and a server run what the gate runs.

Source of truth: .ci/run, the gate.
"""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
GATE = (ROOT / ".ci/run").read_text(encoding="utf-8")
LINTERS = [line for line in GATE.partition('echo "== linters"')[2].partition('echo "==')[0].splitlines() if line]


def test_contributing_names_every_linter_of_the_gate():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = [line for line in LINTERS if not line.startswith(("add_extras", "export"))]
    assert {"ruff check .", "mypy"} <= set(commands)
    shown = page.partition("## Check")[2].split("```")[1]
    assert [command for command in commands if command not in shown] == []


def test_hooks_before_a_commit_are_linters_of_the_gate():
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    entries = {hook["entry"] for hook in local["hooks"]}
    assert local["repo"] == "local"  # nothing is fetched
    assert {"cython-lint src tests", "mypy"} <= entries
    assert entries <= set(LINTERS)


def test_the_type_checker_compares_every_scorer_with_the_contract():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for module in project["entry-points"]["ockham.scorers"].values():
        package, _, name = module.rpartition(".")
        checks = (ROOT / "src" / package.replace(".", "/") / "__init__.py").read_text(encoding="utf-8")
        check = rf"^    _{name}: \w*Scorer\[\w+, \w+, {name}\.Settings\] = {name}$"
        assert re.search(check, checks, re.MULTILINE), module


def test_the_server_runs_the_gate():
    jobs = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text(encoding="utf-8"))["jobs"]
    assert [step["run"] for step in jobs["gate"]["steps"] if "run" in step] == [".ci/run"]
