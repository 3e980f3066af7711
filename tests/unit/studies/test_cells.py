"""A cell is the same bits alone, in its block, and in any order; sizes are prefixes of one draw.

Source of truth: each cell computed by itself, from data drawn anew.
"""

from pathlib import Path

import numpy as np
import pytest
from reference import tiny_study

from ockham.io.comparing import same_bits
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS
from ockham.studies.cells import complete_block, draw_replicate, score_cell
from ockham.studies.loading import load
from ockham.studies.records import empty_block

REPOSITORY = Path(__file__).parents[3]
CONFIG = tiny_study.NETWORKS | {
    "only": None,
    "scorers": {"em": {"runs": 2, "split": {}}, "vb": {"runs": 2, "split": {}}, "exact": {"split": {}}},
}
every_scorer = pytest.mark.parametrize("scorer", CONFIG["scorers"])


def study_of(**changes):
    return tiny_study.study_of(CONFIG | changes)


STUDY = study_of()


def draws_of(study):
    return {replicate: draw_replicate(study, replicate) for replicate in study.replicates.indices()}


def computed(study, scorer):
    block = study.blocks(scorer)["all"]
    values = empty_block(study, block)
    assert complete_block(study, block, draws_of(study), values) == values.keys.size
    return block, values


def coordinates(study, block):
    return np.ndindex(len(block.replicates), len(block.sizes), len(study.models), len(block.runs))


def cell_at(study, block, index):
    r, i, s, g = index
    return block.replicates[r], block.sizes[i], list(study.models)[s], block.runs[g]


def alone(study, scorer, cell):
    """A cell's numbers, from its own draw and nothing else."""
    replicate, n, *_ = cell
    source = draw_replicate(study, replicate)
    evidences = score_cell(study, scorer, study.family.prepare(study, source, n), source, cell)
    return {name: np.float64(evidence.log_evidence).tobytes() for name, evidence in evidences.items()}


@every_scorer
def test_a_cell_alone_is_the_cell_of_its_block(scorer):
    block, values = computed(STUDY, scorer)
    for index in reversed(list(coordinates(STUDY, block))):
        expected = {name: array[index].tobytes() for name, array in values.scores.items()}
        assert alone(STUDY, scorer, cell_at(STUDY, block, index)) == expected


@every_scorer
def test_a_larger_grid_has_the_same_cells(scorer):
    """Except where the data change: the largest size decides the draw, but not the rows before it."""
    larger = study_of(sizes=[2, 5, 7, 10], replicates={"prior_draws": 3})
    (small_block, small), (large_block, large) = computed(STUDY, scorer), computed(larger, scorer)
    where = np.ix_([0, 1], [1, 3], range(4), small_block.runs)
    assert (large.keys[where] == small.keys).all()
    for name, array in small.scores.items():
        assert large.scores[name][where].tobytes() == array.tobytes()
    assert large_block.sizes == [2, 5, 7, 10]


@every_scorer
def test_blocks_of_any_split_have_the_same_cells(scorer):
    _, whole = computed(STUDY, scorer)
    runs = CONFIG["scorers"][scorer].get("runs", 1)
    split = study_of(scorers={scorer: {"runs": runs, "split": {"replicate": 1, "n": 1, "run": 1}}})
    blocks = split.blocks(scorer).values()
    assert len(blocks) == 2 * 2 * runs
    for block in reversed(list(blocks)):
        values = empty_block(split, block)
        complete_block(split, block, draws_of(split), values)
        r, i, g = block.replicates[0] - 1, CONFIG["sizes"].index(block.sizes[0]), block.runs[0]
        np.testing.assert_array_equal(values.keys[0, 0, :, 0], whole.keys[r, i, :, g])
        for name, array in values.scores.items():
            assert array[0, 0, :, 0].tobytes() == whole.scores[name][r, i, :, g].tobytes()


def test_sizes_are_prefixes_of_one_draw():
    for replicate in STUDY.replicates.indices():
        short, long = draw_replicate(STUDY, replicate), draw_replicate(study_of(sizes=[5, 10, 500]), replicate)
        assert short.parameters.tobytes() == long.parameters.tobytes()
        assert (len(short.states), len(long.states)) == (10, 500)
        np.testing.assert_array_equal(short.states, long.states[:10])
        nested = STUDY.family.prepare(STUDY, long, 5)
        assert nested.n == 5
        rows, counts = np.unique(short.states[:5, STUDY.truth.observed], axis=0, return_counts=True)
        np.testing.assert_array_equal(nested.rows, rows)
        np.testing.assert_array_equal(nested.counts, counts)


def test_replicates_and_studies_have_their_own_data():
    data = [draw_replicate(study_of(**changes), replicate).parameters.tobytes()
            for changes in ({}, {"study": "other"}, {"root_seed": 4}) for replicate in (1, 2)]  # fmt: skip
    assert len(set(data)) == 6


def test_studies_of_one_paper_share_their_data():
    first, second = (study_of(study=name, paper="beal_ghahramani_2006") for name in ("one", "two"))
    np.testing.assert_array_equal(draw_replicate(first, 1).states, draw_replicate(second, 1).states)
    assert (draw_replicate(first, 1).parameters != draw_replicate(STUDY, 1).parameters).any()


def test_replicate_zero_has_the_published_parameters():
    study = study_of(
        paper="beal_ghahramani_2006", true_structure="1-12-12-2", replicates={"published": True},
        structures={"space": "bipartite", "hidden_cardinalities": [2, 2], "observed_cardinalities": [5, 5, 5, 5]},
    )  # fmt: skip
    parameters = draw_replicate(study, 0).parameters
    for i, name in enumerate(study.truth.names):
        np.testing.assert_array_equal(study.truth.family(i, parameters), PARAMETERS[name])


def test_a_complete_block_is_left_alone():
    block, values = computed(STUDY, "em")
    before = {name: array.tobytes() for name, array in values.scores.items()}
    assert complete_block(STUDY, block, draws_of(STUDY), values) == 0
    assert {name: array.tobytes() for name, array in values.scores.items()} == before


@every_scorer
def test_one_cell_can_be_forced_and_no_other_is_computed(scorer):
    block, values = computed(STUDY, scorer)
    before = {name: array.copy() for name, array in values.scores.items()}
    keys = values.keys.copy()
    for array in values.scores.values():
        array += 1.0  # a mark that only a computation takes away
    forced = np.zeros(keys.shape, dtype=bool)
    forced[1, 1, list(STUDY.models).index("0-1")] = True
    assert complete_block(STUDY, block, draws_of(STUDY), values, only=(2, 10, "0-1")) == len(block.runs)
    np.testing.assert_array_equal(values.keys, keys)
    for name, array in values.scores.items():
        np.testing.assert_array_equal(array[forced], before[name][forced])
        np.testing.assert_array_equal(array[~forced], before[name][~forced] + 1.0)


@pytest.mark.parametrize("chains", [(4, 1), (1, 4), (4, 5)], ids=str)
def test_outdated_cells_leave_nothing_behind(chains):
    """One chain has no error, several have one, and effective sizes: a block brought up to date is one made anew."""
    before, after = (
        study_of(scorers={"ais_completions": {"split": {}, "settings": {"n_chains": n, "n_steps": 20}}}) for n in chains
    )
    _, values = computed(before, "ais_completions")
    assert ("ais_completions_standard_error" in values.variables()) == (chains[0] > 1)
    complete_block(after, after.blocks("ais_completions")["all"], draws_of(after), values)
    _, anew = computed(after, "ais_completions")
    found, expected = ({**each.variables(), "key": each.keys} for each in (values, anew))
    assert found.keys() == expected.keys()
    assert [name for name in found if not same_bits(found[name], expected[name])] == []


def test_outdated_cells_of_a_new_size_leave_the_others_as_they_are():
    entry = {"ais_completions": {"split": {}, "settings": {"n_chains": 4, "n_steps": 20}}}
    block, values = computed(study_of(scorers=entry), "ais_completions")
    kept = {name: array.copy() for name, array in values.variables().items()}
    values.keys[:, 1] += 1
    assert complete_block(study_of(scorers=entry), block, draws_of(STUDY), values) == values.keys[:, 1].size
    assert [name for name, array in values.variables().items() if not same_bits(array, kept[name])] == []


@pytest.mark.parametrize(
    ("change", "share"),
    [
        ({"root_seed": 4}, 1.0),
        ({"structures": CONFIG["structures"] | {"prior": 0.5}}, 1.0),
        ({"scorers": {"em": {"runs": 2, "split": {}, "settings": {"tolerance": 1e-3}}}}, 1.0),
        ({"scorers": {"em": {"runs": 2, "split": {}, "settings": {"tolerance": 1e-8}}}}, 0.0),
        ({"scorers": {"em": {"runs": 2, "split": {}}}}, 0.0),
        ({"sizes": [10]}, 0.0),
    ],
    ids=str,
)
def test_a_change_makes_the_cells_stale_that_depend_on_it(change, share):
    """Asked of the keys alone: cells of the changed study that an old block's keys do not vouch for."""
    block, old = computed(STUDY, "em")
    study = study_of(**change)
    new_block, new = computed(study, "em")
    sizes = [block.sizes.index(n) for n in new_block.sizes]
    assert (old.keys[:, sizes] != new.keys).mean() == share


def test_runs_and_scorers_share_no_key():
    keys = np.concatenate([computed(STUDY, scorer)[1].keys.ravel() for scorer in CONFIG["scorers"]])
    assert len(set(keys.tolist())) == len(keys)


def test_a_run_from_the_truth_starts_inside_and_moves():
    """Two of the published probabilities are printed as .00; a chain that starts at 0 would stay there."""
    entry = {
        "scorer": "ais",
        "structures": ["1-12-12-2"],
        "sizes": [10],
        "from_truth": True,
        "settings": {"n_steps": 200, "strength": 2200.0},
    }
    study = load(REPOSITORY / "config/smoke/beal_ghahramani_2006.yaml")
    study = type(study)(**study.model_dump() | {"scorers": {"ais_truth": entry}})
    source = draw_replicate(study, 0)
    assert source.parameters.min() == 0.0
    data = study.family.prepare(study, source, 10)
    evidence = score_cell(study, "ais_truth", data, source, (0, 10, "1-12-12-2", 0))["annealed_importance_sampling"]
    assert evidence.diagnostics["acceptance"] > 0.3
