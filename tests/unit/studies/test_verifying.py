"""``ockham verify`` passes a folder of results that is what it says, and names whatever is not.

Source of truth: a small study computed here by the ``ockham`` command and collected as the workflow does, then changed
in one place at a time. Every cell is recomputed but where the sample is what is tested.
"""

import shutil

import netCDF4
import numpy as np
import pytest
import yaml
from reference.stored_studies import compute, edit, last_bit, ockham, verify

from ockham.io.netcdf import write
from ockham.studies import load
from ockham.studies.collecting import collect
from ockham.studies.study_files import conditions_of

CONFIG = {
    "study": "tiny",
    "root_seed": 3,
    "structures": {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 3]},
    "true_structure": "1-1",
    "replicates": {"prior_draws": 2},
    "sizes": [3, 8],
    "scorers": {
        "em": {"runs": 2},
        "exact": {"sizes": [3]},
        "ais": {"runs": 2, "split": {"n": 1, "run": 1}, "settings": {"n_steps": 4}},
    },
}
N_CELLS = {"em": 2 * 2 * 4, "exact": 2 * 4, "ais": 2 * 2 * 4 * 2}


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("computed")
    (folder / "config").mkdir()
    source = folder / "config/tiny.yaml"
    source.write_text(yaml.safe_dump(CONFIG, sort_keys=False))
    compute(folder / "results", source)
    return folder


@pytest.fixture
def place(computed, tmp_path, monkeypatch):
    """A copy of the folder with the configuration and the results, as the working folder."""
    shutil.copytree(computed, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy/results/tiny"


def wrong(*arguments):
    """The lines that a verification has besides those of an untouched folder."""
    return [line for line in verify(*arguments, status=1) if not line.startswith("results/tiny: ")]


def test_an_untouched_folder_passes_and_stays_as_it_is(place):
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    lines = verify()
    assert lines[0] == "results/tiny: 2 of 2 data sets are as drawn anew"
    assert lines[1:] == [
        f"results/tiny: {scorer}: {blocks} of {blocks} blocks are sound; "
        f"{n} of {n} cells that were recomputed are the same"
        for scorer, blocks, n in (("em", 2, 16), ("exact", 2, 8), ("ais", 4, 32))
    ]
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("block", "variable"),
    [
        ("em/replicate-002", "map"),
        ("em/replicate-002", "n_iterations"),
        ("exact/replicate-001", "exact"),
        ("ais/n-00008_run-01", "annealed_importance_sampling"),
        ("ais/n-00003_run-00", "acceptance"),
    ],
)
def test_one_bit_of_one_value_is_found(block, variable, place):
    """In the block and in the store of all scores alike, so that nothing but the recomputation can tell."""
    path = place / f"scores/{block}.nc"
    with netCDF4.Dataset(path) as file:
        old = float(file[variable][0, 0, 1, 0])
    edit(path, variable, (0, 0, 1, 0), last_bit)
    study = load("config/tiny.yaml")
    scorers = {s: [place / f"scores/{s}/{b}.nc" for b in study.blocks(s)] for s in study.scorers}
    write(place / "scores.nc", collect(study, scorers), write_inherited_coords=True)
    (line,) = wrong()
    assert line.startswith(f"results/tiny/scores/{block}.nc: variable {variable}: replicate ")
    assert line.endswith(f"stored {float(np.nextafter(old, 0))!r}, now {old!r}: DIFFERENT")


def test_one_bit_of_the_store_of_all_scores_is_found(place):
    edit(place / "scores.nc", "cheeseman_stutz", (1, 1, 2, 1), last_bit, group="em")
    (line,) = wrong("--cells", 0)
    assert line == "results/tiny/scores.nc: group em, variable cheeseman_stutz: DIFFERENT from " \
        "results/tiny/scores/em/replicate-002.nc"  # fmt: skip


@pytest.mark.parametrize(("variable", "index"), [("states", (7, 2)), ("parameters", 3)])
def test_one_state_or_parameter_of_the_data_is_found(variable, index, place):
    edit(place / "data/replicate-001.nc", variable, index, lambda x: 1 - x)
    (line,) = wrong("--cells", 0)
    assert line == f"results/tiny/data/replicate-001.nc: {variable}: DIFFERENT from what is drawn anew; draw it again"


def test_a_key_of_other_data_is_found(place):
    edit(place / "scores/em/replicate-001.nc", "key", (0, 1, 3, 1), lambda x: x ^ 1)
    lines = wrong("--cells", 0)
    assert (
        "replicate-001.nc: variable key: 1 of 16 cells are missing or come from other data, settings or code"
        in lines[0]
    )
    assert "scores.nc: group em, variable key: DIFFERENT" in lines[1]


@pytest.mark.parametrize("name", ["data/replicate-001.nc", "scores/em/replicate-002.nc", "scores.nc"])
@pytest.mark.parametrize("damage", ["missing", "truncated", "foreign"])
def test_a_file_that_is_missing_or_broken_is_named(name, damage, place):
    path = place / name
    whole = path.read_bytes()
    path.unlink()
    if damage == "truncated":
        path.write_bytes(whole[:1000])
    elif damage == "foreign":
        netCDF4.Dataset(path, "w").close()
    lines = wrong("--cells", 0)
    assert lines
    assert all(line.startswith(f"results/tiny/{name}: ") for line in lines)


def test_files_that_no_study_has_are_named(place):
    (place / "notes.txt").write_text("hello")
    (place / "scores/em/.replicate-001.nc.77.tmp").touch()
    netCDF4.Dataset(place.parent / "other.nc", "w").close()
    (place.parent / "logs").mkdir()
    (place.parent / "logs/log.txt").touch()
    lines = wrong("--cells", 0)
    names = ["other.nc", "tiny/notes.txt", "tiny/scores/em/.replicate-001.nc.77.tmp"]
    assert [line.split(":")[0] for line in lines] == [f"results/{name}" for name in names]
    assert verify("--config", "config/tiny.yaml", status=1)[0].startswith("results/tiny/notes.txt: belongs to none")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"root_seed": 4}, "attribute specification"),
        ({"sizes": [3, 9]}, "attribute specification"),
        (
            {"scorers": CONFIG["scorers"] | {"em": {"runs": 2, "settings": {"tolerance": 0.1}}}},
            "em/replicate-001.nc: attr",
        ),
    ],
    ids=str,
)
def test_results_of_another_configuration_are_found(change, message, place):
    (place.parents[1] / "config/tiny.yaml").write_text(yaml.safe_dump(CONFIG | change))
    lines = wrong("--cells", 0)
    assert any(message in line for line in lines)
    assert any("scores.nc: attribute configuration_digest" in line for line in lines)


def test_the_sample_is_random_and_as_large_as_asked_for(place):
    """A value that is wrong is found in as many samples of half the cells as chance has it; 24 seeds, 4 deviations."""
    edit(place / "scores/exact/replicate-002.nc", "exact", (0, 0, 2, 0), last_bit)
    found = 0
    for seed in range(24):
        lines = ockham("verify", "results", "--cells", 4, "--seed", seed, status=1).stdout.splitlines()
        assert lines[-1].endswith("4 of 4 cells that were recomputed are the same")
        found += any("replicate-002.nc: variable exact" in line for line in lines)
    assert abs(found - 12) < 4 * np.sqrt(24 * 0.25)


def test_conditions_are_verified_together_or_one_by_one(tmp_path, monkeypatch):
    """Of mixtures, whose stores have the separation of the classes too."""
    monkeypatch.chdir(tmp_path)
    content = {name: value for name, value in CONFIG.items() if name != "sizes"} | {
        "structures": {"space": "naive_bayes", "classes": [1, 2], "feature_cardinalities": [2, 3]},
        "true_structure": "classes-2", "data": {"source": "mixture"}, "scorers": {"em": {}},
        "conditions": {"few": {"sizes": [3]}, "more": {"sizes": [8]}},
    }  # fmt: skip
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(content))
    for source in conditions_of("tiny.yaml"):
        compute(tmp_path / "results", source)
    lines = verify("--config", "tiny.yaml")
    assert [line.split(":")[0] for line in lines] == ["results/tiny/few"] * 2 + ["results/tiny/more"] * 2
    (tmp_path / "results/tiny/more/scores.nc").unlink()
    verify("--config", "tiny.yaml:few")
    verify("--config", "tiny.yaml:more", status=1)


def test_what_cannot_be_verified_ends_in_one_line(place):
    (place.parents[1] / "config/other.yaml").write_text("study: other\nmodel: another\n")
    for arguments, message in (
        (("nowhere",), "nowhere: is not a folder; give the folder of results"),
        (("config",), "config: has no folder of a study in config; name the study's file"),
        (("results", "--config", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
        (("results", "--config", "config/other.yaml"), "config/other.yaml: model: 'another' is unknown"),
    ):
        result = ockham("verify", *arguments, status=2)
        assert result.stderr.startswith(f"ockham: {message}")
        assert result.stdout == ""
