"""The workflow runs in strange places: what a folder is called reaches no shell, and no environment is activated.

The source of truth is a run of the same study in plain folders.
"""

import os
import subprocess
import sys

import yaml
from reference.tiny_study import NETWORKS

NAMES = {"results": "-my $(touch X); it's `touch X`", "config": "-c; touch X #", "figures": 'Bilder & "more" | X'}


def test_folders_of_any_name_without_an_activated_environment(new_folder):
    plain, strange = new_folder(NETWORKS), new_folder(NETWORKS)
    plain.snakemake()
    (strange.path / "config").rename(strange.path / NAMES["config"])
    file = strange.path / NAMES["config"] / "workflow.yaml"
    settings = yaml.safe_load(file.read_text())
    settings["config"] = NAMES["config"]
    settings["pathvars"] |= {key: NAMES[key] for key in ("results", "figures")}
    (strange.path / "config").mkdir()
    file.rename(strange.path / "config/workflow.yaml").write_text(yaml.safe_dump(settings))

    environment = strange.environment | {"PATH": "/usr/bin:/bin"}
    command = (sys.executable, "-m", "snakemake", "--cores", "2")
    done = subprocess.run(command, cwd=strange.path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr

    made = {".snakemake", "cache", "config", "profiles", "Snakefile", "workflow"} | set(NAMES.values())
    assert set(os.listdir(strange.path)) <= made
    (strange.path / NAMES["results"]).rename(strange.path / "results")
    assert strange.differences(plain.stores()) == []
