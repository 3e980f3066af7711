"""Random networks are of the kinds that they are named after, and another in every replicate of a study.

Source of truth: what each kind says, counted in networks and rows.
"""

import numpy as np
import pytest

from ockham import families
from ockham.networks.data.random_networks import KINDS, LEAST_ROWS, MAX_OBSERVED, SPARSE, random_problem
from ockham.networks.family import FAMILY
from ockham.networks.scorers import exact
from ockham.streams import Stream
from ockham.studies.cells import complete_block, draw_replicate, expected_keys
from ockham.studies.grids import study_class
from ockham.studies.records import empty_block, read_draw, write_draw

LARGEST = dict.fromkeys(KINDS, 12) | {"larger_graphs": 300, "surveys": 200}
SEEDS = range(30)


def problems(kind):
    return [random_problem(kind, LARGEST[kind], Stream(seed, "a network")) for seed in SEEDS]


def study_of(kind, **more):
    keys = {
        "study": "tiny", "root_seed": 1, "structures": {"space": "random", "kind": kind}, "sizes": [LARGEST[kind]],
        "replicates": {"prior_draws": 3}, "scorers": {"exact": {"split": {}}},
    }  # fmt: skip
    return study_class(FAMILY)(**keys | more)


def n_classes(problem):
    return problem.network.cardinalities[problem.network.hidden[0]]


SAYS = {
    "graphs": lambda p: p.network.prior.min() >= 0.1,
    "mixtures": lambda p: p.network.prior.min() >= 0.1 and p.network.parents[1:] == ((0,),) * len(p.cardinalities),
    "sparse_graphs": lambda p: p.network.prior.max() < 0.1,
    "sparse_mixtures": lambda p: p.network.prior.max() < 0.1,
    "tiny_priors": lambda p: (p.network.prior == 1e-6).all(),
    "spare_classes": lambda p: n_classes(p) > len(p.rows.rows),
    "empty_classes": lambda p: n_classes(p) > len(p.states),
    "one_row": lambda p: len(p.states) == 1,
    "rows_alike": lambda p: len(p.rows.rows) == 1,
    "larger_graphs": lambda p: len(p.states) >= 40 and 4 <= p.network.n_variables <= 8,
    "surveys": lambda p: len(p.states) >= 100 and 2 <= n_classes(p) <= 5,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_what_it_says(kind):
    for found in problems(kind):
        assert SAYS[kind](found)
        assert len(found.states) <= LARGEST[kind]
        assert found.states.shape[1] == len(found.cardinalities) <= MAX_OBSERVED
        assert found.network.relevant.hidden
    assert len({found.network.digest for found in problems(kind)}) > len(SEEDS) / 3


def test_another_kind_does_not_pass_for_it():
    """The negative control."""
    assert not all(SAYS["spare_classes"](found) for found in problems("mixtures"))
    assert not any(SAYS["graphs"](found) for found in problems("sparse_graphs"))
    assert max(SPARSE) < 0.1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in LEAST_ROWS])
def test_the_evidence_of_few_rows_is_a_sum_of_few_terms(kind):
    settings = exact.Settings(max_completions=10**6)
    for found in problems(kind)[:10]:
        value = exact.score(found.network, found.rows, settings, Stream(0))["exact"].log_evidence
        assert np.isfinite(value)
        assert value <= 1e-9


def test_every_replicate_has_a_network_of_its_own(tmp_path):
    """A block has of each what the scorer says of it alone, under a key of its own."""
    study = study_of("mixtures")
    draws = {replicate: draw_replicate(study, replicate) for replicate in (1, 2, 3)}
    models = {replicate: FAMILY.model_of(study, draw, "random") for replicate, draw in draws.items()}
    assert len({model.digest for model in models.values()}) == 3
    block = study.blocks("exact")["all"]
    values = empty_block(study, block)
    assert complete_block(study, block, draws, values) == 3
    assert len(set(expected_keys(study, block, draws).ravel())) == 3
    scorer = families.scorer(FAMILY.name, "exact")
    for place, (replicate, model) in enumerate(models.items()):
        data = FAMILY.prepare(study, draws[replicate], LARGEST["mixtures"])
        alone = scorer.score(model, data, scorer.Settings(), Stream(0))["exact"].log_evidence
        assert values.scores["exact"][place, 0, 0, 0] == alone
    write_draw(tmp_path / "draw.nc", study, draws[2])
    again = read_draw(tmp_path / "draw.nc", study)
    assert FAMILY.model_of(study, again, "random").digest == models[2].digest
    found = FAMILY.of_scores(study, study.sizes, draws.values())
    assert found["n_rows"].values == [int((draw.states[:, 0] >= 0).sum()) for draw in draws.values()]
    assert found["hyperparameter"].values == [model.prior.min() for model in models.values()]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sizes": [6, 12]}, "sizes: random networks have a number of rows of their own"),
        ({"sizes": [1]}, "set one, from 2 on"),
        ({"true_structure": "random"}, "true_structure: .* not allowed with real data, a table or random networks"),
        ({"data": {"source": "mixture"}}, "data: random networks bring their rows; leave it out"),
        ({"structures": {"space": "random", "kind": "odd"}}, "kind"),
        ({"measurements": {"certified": {"networks": 4}}}, "measurements.certified: needs as many random networks"),
    ],
    ids=str,
)
def test_what_does_not_go_with_random_networks_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        study_of("graphs", **change)
