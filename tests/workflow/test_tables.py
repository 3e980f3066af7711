"""A table of the user's own goes from ``ockham init`` to figures, and what rests on it follows its changes.

Source of truth: the numbers of cells that the jobs log, counted by hand from each change; the rules of a dry run.
"""

import re
import sys

import pytest
import xarray as xr
from reference.tiny_study import NETWORKS

from ockham.io.yaml_files import read_yaml

ROWS = ["yes,0,a", "no,1,b", "yes,0,", "no,1,a", "yes,1,b", "no,0,b", "yes,0,a", "no,1,b"]
OCKHAM = (sys.executable, "-P", "-m", "ockham.cli")
STUDY = "config/survey.yaml"
COMPUTED = re.compile(r"(\w+) \S+: computed (\d+) of (\d+) cells")


def write_table(folder, rows):
    (folder.path / "survey.csv").write_text("\n".join(["q1,q2,q3", *rows]) + "\n")


def smaller(folder, sizes):
    """The study that was written, with two numbers of classes and two scorers, so that it takes seconds."""
    text = (folder.path / STUDY).read_text()
    text = re.sub(r"classes: \[.*\]", "classes: [1, 2]", text)
    text = re.sub(r"sizes: \[.*?\]", f"sizes: {sizes}", text)
    text = re.sub(r"runs: 5", "runs: 2", re.sub(r"  bridge: .*\n", "", text))
    (folder.path / STUDY).write_text(text)


@pytest.fixture(scope="module")
def folder(new_folder):
    """A clone of the workflow that lists another study, and a table."""
    made = new_folder(NETWORKS)
    write_table(made, ROWS)
    return made


def computed(folder):
    logs = (folder.path / "results/logs/survey/score").glob("*/*.log")
    return {
        name: (int(n), int(whole)) for log in logs for name, n, whole in [COMPUTED.search(log.read_text()).groups()]
    }


def test_a_study_is_written_that_can_be_checked(folder):
    said = folder.call(*OCKHAM, "init", "survey.csv")
    assert said.returncode == 0, said.stderr
    commands = [line.strip() for line in said.stdout.splitlines()[1:]]
    assert commands == [f"ockham check {STUDY}", "snakemake --cores 2 survey"]
    checked = folder.call(*OCKHAM, *commands[0].split()[1:])
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.startswith(
        f"{STUDY}: survey, 6 structures, 1 sizes, 1 replicates\n  em: 30 cells in 1 jobs\n"
    )
    assert list(read_yaml(folder.path / STUDY)["scorers"]) == ["em", "vb", "bridge"]


def test_it_runs_though_no_other_file_was_touched(folder):
    smaller(folder, [8])
    folder.snakemake("survey")
    assert computed(folder) == {"em": (4, 4), "vb": (4, 4)}
    assert not (folder.path / "results/tiny").exists()
    shown = {path.name for path in (folder.path / "figures/survey").iterdir()}
    assert shown >= {"evidence.pdf", "probability.png", "evidences.csv", "cost.md", "page.html", "manifest.json"}
    page = (folder.path / "figures/survey/page.html").read_text(encoding="utf-8")
    assert page.count("<img ") == 2
    assert "<td>classes-2</td>" in page
    with xr.open_datatree(folder.path / "results/survey/summaries.nc") as tree:
        assert tree["best/log_evidence"].sel(score="variational_bayes").notnull().all()
        assert tree["best"].structure.values.tolist() == ["classes-1", "classes-2"]


def test_one_more_size_computes_its_own_cells(folder):
    smaller(folder, [4, 8])
    folder.snakemake("results/survey/scores.nc")
    assert computed(folder) == {"em": (4, 8), "vb": (4, 8)}


def test_an_edited_table_makes_what_rests_on_it_stale(folder):
    def stale():
        said = folder.snakemake("--dry-run", "results/survey/scores.nc")
        return set(re.findall(r"^(?:local)?rule (\w+):", said, re.MULTILINE))

    assert stale() == set()
    write_table(folder, [*ROWS[:-1], "yes,0,a"])
    assert {"draw", "score", "collect"} <= stale()
    write_table(folder, ROWS)
    assert stale() == set()


def test_a_table_of_mixed_items_runs_as_well(folder):
    rows = [f"{q},{0.3 * k:.1f},{k % 4}" for k, q in enumerate("abbabaab")]
    (folder.path / "mixed.csv").write_text("\n".join(["q,size,visits", *rows]) + "\n")
    said = folder.call(*OCKHAM, "init", "mixed.csv", "--items", "visits=count")
    assert said.returncode == 0, said.stderr
    text = (folder.path / "config/mixed.yaml").read_text()
    text = re.sub(r"classes: \[.*\]", "classes: [1, 2]", text).replace("runs: 5", "runs: 2")
    (folder.path / "config/mixed.yaml").write_text(re.sub(r"  bridge: .*\n", "  exact: {}\n", text))
    folder.snakemake("mixed")
    page = (folder.path / "figures/mixed/page.html").read_text(encoding="utf-8")
    assert "<td>classes-2</td>" in page
    with xr.open_datatree(folder.path / "results/mixed/summaries.nc") as tree:
        best = tree["best/log_evidence"]
        assert (best.sel(score="exact") > best.sel(score="variational_bayes")).sel(structure="classes-2").all()


def test_a_target_that_is_no_study_gets_a_sentence(folder):
    said = folder.snakemake("--dry-run", "surveys", status=1)
    assert "target 'surveys': is no study, for there is no file config/surveys.yaml; write it" in said
    assert "Traceback" not in said
