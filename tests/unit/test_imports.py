"""A scoring process imports nothing that is slow to import and that it does not use.

Source of truth: the modules that a fresh process has after reading studies of every family, with their scorers and
measurements. The contracts of pyproject.toml see only what is written as an import.
"""

import subprocess
import sys
from pathlib import Path

import pytest

CONFIG = Path(__file__).parents[2] / "config/smoke"
SLOW = {"xarray", "pandas", "matplotlib", "scipy", "snakemake"}
READ = """
import sys
from ockham import cli
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of
for path in sys.argv[1:]:
    for source in conditions_of(path):
        study = load(source)
        study.scorer_settings, study.measurement_settings
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def imported(program, *arguments):
    done = subprocess.run((sys.executable, "-c", program, *arguments), capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_reading_studies_of_every_family_imports_nothing_slow():
    studies = [path for path in CONFIG.glob("*.yaml") if path.name != "workflow.yaml"]
    assert any("measurements:" in path.read_text() for path in studies)
    found = imported(READ, *map(str, studies))
    assert "ockham" in found
    assert found & SLOW == set()


@pytest.mark.parametrize("name", ["xarray", "matplotlib"])
def test_a_slow_import_would_be_seen(name):
    assert name in imported(f"import {name}\n{READ}")
