"""A configuration is validated once and whole: what is wrong is told with the file, the field and what is allowed.

Broken configurations are in ``tests/bad_input``. The blocks of a grid partition its cells, and their names depend on
coordinates alone. The sources of truth are written out by hand.
"""

from itertools import product
from math import prod
from pathlib import Path

import pytest
import yaml
from bad_input.support import REMOVED, STUDY, listed, naive, study_with, write

from ockham.errors import ConfigError
from ockham.networks.family import FAMILY
from ockham.networks.scorers import em
from ockham.studies.grids import study_class
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

REPOSITORY = Path(__file__).parents[3]
Study = study_class(FAMILY)


def test_every_problem_is_told_at_once(tmp_path):
    path = write(tmp_path / "tiny.yaml", study_with(("root_seed", -1), ("sizes", [0]), ("extra", 1)))
    with pytest.raises(ConfigError) as caught:
        load(path)
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["root_seed", "sizes.0", "extra"]


def test_the_valid_ones_are_valid(tmp_path):
    study = load(write(tmp_path / "tiny.yaml", STUDY))
    assert list(study.models) == ["1-1", "0-1"]
    assert study.replicates.indices() == [1, 2]
    assert study.scorer_settings["em"] == em.Settings(tolerance=1e-5)
    assert list(load(write(tmp_path / "tiny.yaml", listed())).models) == ["one", "two"]
    mixtures = study_with(("structures", naive()), ("only", REMOVED), ("true_structure", "classes-3"))
    assert list(load(write(tmp_path / "tiny.yaml", mixtures)).models) == ["classes-2", "classes-3"]
    with pytest.raises(ValueError, match="frozen"):
        study.root_seed = 4


@pytest.mark.parametrize("path", sorted(REPOSITORY.glob("config/**/*.yaml")), ids=str)
def test_the_configurations_of_the_repository_load(path):
    if path.name == "workflow.yaml":
        studies = yaml.safe_load(path.read_text())["studies"]
        assert all((path.parent / f"{name}.yaml").is_file() for name in studies)
    else:
        names = [load(source).name for source in conditions_of(path)]
        assert names == [path.stem] or [name.split("/")[0] for name in names] == [path.stem] * len(names)


def test_the_small_twin_differs_in_its_extent_alone():
    """The same entries with the same scorers, and every structure, of fewer replicates, sizes, runs and steps."""
    full, small = (load(REPOSITORY / folder / "beal_ghahramani_2006.yaml") for folder in ("config", "config/smoke"))
    extent = {"replicates", "sizes", "scorers"}
    assert full.model_dump(exclude=extent) == small.model_dump(exclude=extent)
    assert set(small.sizes) <= set(full.sizes)
    assert set(small.replicates.indices()) <= set(full.replicates.indices())
    for study in (full, small):
        assert list(study.scorers)[:6] == ["em", "vb", "vb_from_cs", "exact", "ais", "ais_replicates"]
    for name, grid in small.scorers.items():
        extent = {"replicates", "sizes", "split", "settings"}
        assert grid.model_dump(exclude=extent) == full.scorers[name].model_dump(exclude=extent)
        assert grid.settings.keys() == full.scorers[name].settings.keys()


def grid_cells(study, scorer):
    """Every cell of every block of a scorer, structures apart."""
    return [c for b in study.blocks(scorer).values() for c in product(b.replicates, b.sizes, b.runs)]


@pytest.mark.parametrize(
    "split",
    [{}, {"replicate": 1}, {"n": 1}, {"run": 1}, {"run": 1, "replicate": 1}, {"n": 2, "run": 1},
     {"replicate": 4, "n": 3, "run": 2}, {"replicate": 1, "n": 1, "run": 1}],
    ids=str,
)  # fmt: skip
def test_blocks_partition_the_cells(split):
    study = Study(
        **study_with(("scorers.em.split", split), ("sizes", [5, 10, 100_000]), ("replicates.prior_draws", 1001))
    )
    cells = grid_cells(study, "em")
    expected = set(product(range(1, 1002), [5, 10, 100_000], range(2)))
    assert len(cells) == len(expected)
    assert set(cells) == expected
    extents = {"replicate": 1001, "n": 3, "run": 2}
    blocks = study.blocks("em")
    assert len(blocks) == prod(-(-extents[dimension] // step) for dimension, step in split.items())
    assert all(block.name == name and block.scorer == "em" for name, block in blocks.items())


def test_a_scorer_may_take_a_part_of_the_grid():
    study = Study(**STUDY)
    assert grid_cells(study, "exact") == [(1, 5, 0)]
    assert list(study.blocks("exact")) == ["replicate-001"]


@pytest.mark.parametrize("split", [{}, {"replicate": 1}, {"replicate": 1, "n": 1, "run": 1}], ids=str)
def test_names_of_blocks_survive_additions(split):
    first = {0: "all", 1: "replicate-001", 3: "replicate-001_n-00005_run-00"}[len(split)]
    before = Study(**study_with(("scorers.em.split", split))).blocks("em")
    assert next(iter(before)) == first
    more = [("sizes", [2, 5, 7, 10, 20_000]), ("replicates.prior_draws", 1001), ("scorers.em.runs", 3)]
    after = Study(**study_with(("scorers.em.split", split), *more)).blocks("em")
    assert set(before) <= set(after)
    for name, block in before.items():
        for field in ("replicates", "sizes", "runs"):
            assert set(getattr(block, field)) <= set(getattr(after[name], field))


def test_the_digest_follows_what_the_numbers_depend_on():
    digest = Study(**STUDY).digest
    assert Study(**STUDY).digest == digest
    for path, value in (
        ("root_seed", 4), ("structures.prior", 0.5), ("sizes", [5]), ("scorers.em.runs", 3), ("true_structure", "0-1")
    ):  # fmt: skip
        assert Study(**study_with((path, value))).digest != digest


CONDITIONS = {name: value for name, value in STUDY.items() if name != "sizes"} | {
    "conditions": {"few": {"sizes": [5]}, "more": {"sizes": [5, 50], "streams": "few"}}
}


def test_a_condition_gives_its_keys_in_place_of_the_files(tmp_path):
    path = write(tmp_path / "tiny.yaml", CONDITIONS)
    few, more = (load(source) for source in conditions_of(path))
    assert (few.sizes, more.sizes) == ([5], [5, 50])
    assert (few.name, more.name) == (f"{few.study}/few", f"{few.study}/more")
    assert few.stream_name == more.stream_name == f"{few.study}/few"


@pytest.mark.parametrize(
    ("conditions", "name", "message"),
    [
        ({"few": {"sizes": [5]}}, "", r"conditions: give the file with one of its conditions.*tiny\.yaml:few"),
        ({"few": {"sizes": [5]}}, ":many", r"conditions: give the file with one of its conditions.*tiny\.yaml:few"),
        ({"few": [5]}, ":few", "conditions: must map names to the keys"),
        ({}, ":few", "conditions: must map names to the keys"),
        ({"Few": {"sizes": [5]}}, ":Few", r"conditions\.Few: names consist of at most 100 small letters"),
        ({"few": {"sizes": [5], "streams": "nope"}}, ":few", "streams: 'nope' is not one of the conditions"),
    ],
)
def test_conditions_that_are_refused(tmp_path, conditions, name, message):
    path = write(tmp_path / "tiny.yaml", CONDITIONS | {"conditions": conditions})
    with pytest.raises(ConfigError, match=message):
        load(f"{path}{name}")


def test_the_model_of_a_file(tmp_path):
    """Absent means discrete networks."""
    assert load(write(tmp_path / "tiny.yaml", STUDY | {"model": "discrete_network"})) == load(
        write(tmp_path / "tiny.yaml", STUDY)
    )
    path = write(tmp_path / "tiny.yaml", STUDY | {"model": "discrete"})
    with pytest.raises(ConfigError, match="model: 'discrete' is unknown; known are discrete_network"):
        load(path)
