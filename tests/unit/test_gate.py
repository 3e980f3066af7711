"""Who commits, who reads CONTRIBUTING.md and a server run what the gate runs.

Source of truth: .ci/run, the gate.
"""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
GATE = (ROOT / ".ci/run").read_text(encoding="utf-8")
LINTERS = [line for line in GATE.partition('step "linters"')[2].partition("\nstep ")[0].splitlines() if line]


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


def test_the_steps_of_the_image_are_run_by_the_gate():
    """In a clean folder the gate runs README's preview, which begins with the installation of the image."""
    steps = [line for line in (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines() if line[:1].isupper()]
    assert [step.split()[0] for step in steps] == ["FROM", "RUN", "WORKDIR", "COPY", "RUN", "ENV", "CMD"]
    (install,) = re.findall(r'^RUN requirements/locked\.sh "(.*)"$', "\n".join(steps), re.MULTILINE)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (preview,) = re.findall(r"^<!-- preview -->\n```sh\n(.*)\n```$", readme, re.MULTILINE)
    assert preview.startswith(f"{install} && ")
    assert '(\n    cd "$clean"\n    requirements/locked.sh "$(readme preview)"\n' in GATE
    assert 'requirements/locked.sh "$(readme tests)"' in GATE


def test_nothing_of_the_lock_is_fetched_without_its_hash():
    """Where pip may ask an index for it; both in the script of the gate and the image, and in the conda environment."""
    for name in ("requirements/locked.sh", "workflow/envs/ockham.post-deploy.sh"):
        lines = [
            line for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if re.search(r"pip (i|d)", line)
        ]
        installs = [line for line in lines if "--require-hashes" not in line and not line.startswith("#")]
        assert all("--no-index" in line for line in installs), name
        assert sum("--require-hashes" in line for line in lines) >= 2


def test_the_gate_builds_the_site_from_its_lock_without_a_warning():
    """As the pages say that it is built, but for the folder of the environment."""
    assert "pip install --quiet --require-hashes -r requirements/docs.txt" in GATE
    (build,) = re.findall(r"sphinx-build .*", GATE)
    for name in ("README.md", "CONTRIBUTING.md"):
        (shown,) = re.findall(r"sphinx-build [^`\n]*", (ROOT / name).read_text(encoding="utf-8"))
        assert set(shown.split()) <= set(build.split()), name


def test_the_conda_environment_pins_what_it_installs():
    environment = yaml.safe_load((ROOT / "workflow/envs/ockham.yaml").read_text(encoding="utf-8"))
    assert [name for name in environment["dependencies"] if not re.fullmatch(r"[\w-]+ =\d+(\.\d+)+", name)] == []


def test_the_server_runs_the_gate():
    jobs = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text(encoding="utf-8"))["jobs"]
    assert [step["run"] for step in jobs["gate"]["steps"] if "run" in step] == [".ci/run"]
