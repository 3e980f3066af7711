"""Studies of Boltzmann machines: what a file may say, and what is refused with its field.

Sources of truth: the keys of config/README.md; the files of the repository, one the small twin of the other.
"""

from pathlib import Path

import numpy as np
import pytest
import yaml

from ockham.errors import ConfigError, DataError
from ockham.machines.data import newsgroups
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution
from ockham.studies import load
from ockham.studies.cells import complete_block
from ockham.studies.kinds import KINDS
from ockham.studies.records import empty_block, read_block, read_draw, write_block, write_draw

REPOSITORY = Path(__file__).parents[3]
STUDY = {
    "model": "restricted_boltzmann",
    "study": "small",
    "root_seed": 1,
    "data": {"source": "simulated", "n_visible": 3, "n_hidden": 2},
    "n_hidden": [1, 2],
    "replicates": {"prior_draws": 2},
    "sizes": [10, 40],
    "scorers": {
        "ais": {"settings": {"n_steps": 5, "n_chains": 2, "n_tuning": 2}, "split": {"structure": 1}},
        "back": {
            "scorer": "ais", "from_truth": True, "structures": ["hidden-02"],
            "settings": {"n_steps": 5, "n_chains": 2, "n_tuning": 2},
        },
    },
}  # fmt: skip


def study(tmp_path, **changes):
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(STUDY | changes))
    return load(path)


def test_machines_and_jobs_are_those_that_the_file_says(tmp_path):
    found = study(tmp_path, deviation=0.5)
    machines = {"hidden-01": RestrictedBoltzmann(3, 1, 0.5), "hidden-02": RestrictedBoltzmann(3, 2, 0.5)}
    assert found.networks == machines
    assert found.true_structure == "hidden-02"
    assert list(found.blocks("ais")) == ["structure-hidden-01", "structure-hidden-02"]
    assert found.blocks("ais")["structure-hidden-02"].structures == ["hidden-02"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_hidden": [2, 1]}, "n_hidden: numbers of hidden units must increase"),
        ({"n_hidden": [0]}, "n_hidden.0"),
        ({"deviation": 0.0}, "deviation"),
        ({"hidden": [1]}, "hidden: unknown key"),
        ({"replicates": {}}, "replicates: give prior_draws"),
        ({"replicates": {"published": True, "prior_draws": 1}}, "no published ones"),
        ({"data": {"source": "simulated", "n_visible": 30, "n_hidden": 2}}, "give at most 24"),
        ({"data": {"source": "simulated", "n_visible": 50, "n_hidden": 50}}, r"2\^50 x 50 terms"),
        ({"data": {"source": "newsgroups", "words": 101}}, "words"),
        ({"data": {"source": "newsgroups", "words": 5}, "sizes": [20_000]}, "16242 documents"),
        ({"scorers": {"em": {}}}, "unknown scorer 'em'"),
        ({"scorers": {"ais": {"settings": {"n_chains": 1}}}}, "scorers.ais.settings.n_chains"),
        ({"scorers": {"laplace": {"from_truth": True, "structures": ["hidden-02"]}}}, "does not take a starting point"),
        ({"scorers": {"ais": {"structures": ["hidden-03"]}}}, "hidden-03"),
    ],
)
def test_what_cannot_be_run_is_refused_with_its_field(tmp_path, changes, message):
    with pytest.raises(ConfigError, match=message):
        study(tmp_path, **changes)


def test_the_small_twin_has_the_conditions_and_entries_of_the_study():
    def shape(folder):
        conditions = yaml.safe_load((REPOSITORY / folder / "chen_welling_2013.yaml").read_text())["conditions"]
        return {name: list(content["scorers"]) for name, content in conditions.items()}

    assert shape("config") == shape("config/smoke")
    for folder in ("config", "config/smoke"):
        for name in shape(folder):
            assert load(REPOSITORY / folder / f"chen_welling_2013.yaml:{name}").scorers


def test_simulated_rows_have_the_distribution_of_the_machine(tmp_path):
    found = study(tmp_path, sizes=[40_000])
    draw = KINDS[found.model].draw(found, 1)
    probabilities = visible_distribution(found.truth, draw.parameters)
    counts = np.array([(draw.states == row).all(axis=1).sum() for row in states(3)])
    assert (((counts - 40_000 * probabilities) ** 2) / (40_000 * probabilities)).sum() < 27  # 7 degrees, p = 3e-4
    assert not np.allclose(probabilities, 1 / 8, atol=0.02)
    longer = KINDS[found.model].draw(study(tmp_path), 1)
    np.testing.assert_array_equal(longer.states, KINDS[found.model].draw(study(tmp_path), 1).states)


def test_documents_are_drawn_until_every_word_occurs(tmp_path, monkeypatch):
    documents = (np.random.default_rng(1).random((500, 4)) < [0.5, 0.4, 0.1, 0.05]).astype(np.uint8)
    monkeypatch.setattr(newsgroups, "read", lambda n_words: documents[:, :n_words])
    data = {"source": "newsgroups", "words": 4, "every_word": True}
    found = study(tmp_path, data=data, scorers={"ais": {}})
    draw = KINDS[found.model].draw(found, 1)
    assert draw.states[:10].any(axis=0).all()
    assert np.isnan(draw.parameters).all()
    assert found.true_structure is None
    monkeypatch.setattr(newsgroups, "read", lambda n_words: 0 * documents[:, :n_words])
    monkeypatch.setattr("ockham.machines.cells.MAX_ATTEMPTS", 10)
    with pytest.raises(DataError, match="every_word: no 10 documents with all 4 words"):
        KINDS[found.model].draw(found, 1)


@pytest.mark.parametrize("entry", ["ais", "back"])
def test_stored_cells_are_those_computed_and_are_not_computed_again(tmp_path, entry):
    found = study(tmp_path)
    kind = KINDS[found.model]
    draws = {replicate: kind.draw(found, replicate) for replicate in (1, 2)}
    write_draw(tmp_path / "draw.nc", found, draws[1])
    read = read_draw(tmp_path / "draw.nc", found)
    np.testing.assert_array_equal(read.states, draws[1].states)
    np.testing.assert_array_equal(read.parameters, draws[1].parameters)
    block = next(iter(found.blocks(entry).values()))
    values = empty_block(found, block)
    assert complete_block(found, block, draws, values, kind=kind) == block.n_cells
    assert complete_block(found, block, draws, values, kind=kind) == 0
    write_block(tmp_path / "block.nc", found, block, values)
    again = read_block(tmp_path / "block.nc", found, block)
    for name, array in values.variables().items():
        np.testing.assert_array_equal(again.variables()[name], array)
