"""Every setting that is a number has an upper bound, and no scorer begins what memory has no room for.

Sources of truth: the schemas of all settings that are registered, of studies and of the workflow; the largest whole
number that a kernel takes, that of ``Py_ssize_t``, far above the bounds.
"""

import numpy as np
import pytest
from contracts.tiny import TINY
from reference.tiny_study import NETWORKS, study_of

import ockham
from ockham import families
from ockham.estimation import memory
from ockham.machines.inference import contrastive_divergence
from ockham.networks.inference import expectation
from ockham.studies.grids import study_class
from ockham.studies.workflow import Workflow

LARGEST = 10**13
CLASSES = {
    **{
        f"{family}.{name}": families.scorer(family, name).Settings
        for family in families.family_names()
        for name in families.scorer_names(family)
    },
    **{
        f"{family}, {name}": families.measurement(family, name).Settings
        for family in families.family_names()
        for name in families.family(family).measurements
    },
    **{f"study of {family}": study_class(families.family(family)) for family in families.family_names()},
    "workflow": Workflow,
}
NETWORK_SCORERS = sorted(set(ockham.scorers(ockham.naive_bayes([2], [2])["classes-2"])) - {"exact"})
"""But for the exact sum, whose terms depend on how often each row occurs."""
SEEDS = ("root_seed",)
"""Whole numbers up to 2^63 - 1, which no kernel takes."""


def numbers(schema, definitions, place=(), above=()):
    """Every number of a schema of JSON with its place."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in above:
            yield from numbers(definitions[name], definitions, place, (*above, name))
        return
    if schema.get("type") in ("integer", "number"):
        yield ".".join(place), schema
    parts = [part for key in ("anyOf", "oneOf", "allOf", "prefixItems") for part in schema.get(key, [])]
    parts += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for part in parts:
        yield from numbers(part, definitions, place, above)
    for name, part in schema.get("properties", {}).items():
        yield from numbers(part, definitions, (*place, name), above)


def unbounded(schema):
    """Places of numbers without an upper bound, or with one that a kernel does not take."""
    found = []
    for place, number in numbers(schema, schema.get("$defs", {})):
        bound = number.get("maximum", number.get("exclusiveMaximum", np.inf))
        if not bound <= (2**63 if place in SEEDS else LARGEST):
            found.append(place)
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_every_number_has_an_upper_bound(name):
    assert unbounded(CLASSES[name].model_json_schema()) == []


def test_a_number_without_one_is_found():
    def schema(number):
        return {
            "properties": {"n": {"anyOf": [{"type": "null"}, {"items": {"$ref": "#/$defs/N"}}]}},
            "$defs": {"N": number},
        }

    assert unbounded(schema({"type": "integer", "minimum": 1})) == ["n"]
    assert unbounded(schema({"type": "integer", "maximum": 2**63 - 1})) == ["n"]
    assert unbounded(schema({"type": "number", "exclusiveMaximum": 3})) == []


LARGE = ockham.RestrictedBoltzmann(784, 500)
ROWS = (np.random.default_rng(1).random((1000, 784)) < 0.3).astype(int)
FEW = {"n_steps": 1, "n_particles": 5, "n_samples": 5, "max_iterations": 1, "n_temperatures": 1, "n_annealed": 2}


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
@pytest.mark.parametrize("partition", ["exact", "annealed"])
@pytest.mark.parametrize("scorer", ockham.scorers(LARGE))
def test_a_large_machine_is_refused_before_it_is_fitted_or_scored(scorer, partition, monkeypatch):
    def begun(*_, **__):
        raise AssertionError("the fit has begun")

    given = {} if scorer == "ais" else {"partition": partition}
    if partition == "annealed" and scorer in ("bic", "cross_validation"):
        found = ockham.score(LARGE, ROWS[:8], scorer, runs=1, **given, **FEW, **NO_FOLDS.get(scorer, {}))
        assert all(np.isfinite(evidence.log_evidence) for evidence in found.values())
        return
    monkeypatch.setattr(contrastive_divergence, "sample_start", begun)
    with pytest.raises(
        ockham.ModelError, match=r"exact sum over 500|GB, 8 are allowed; .*bic with partition: annealed"
    ):
        ockham.score(LARGE, ROWS, scorer, **given)


NO_FOLDS = {"cross_validation": {"n_folds": 2}}


@pytest.mark.parametrize(
    ("scorer", "settings"),
    [
        ("bic", {"partition": "annealed", "n_samples": 10**8}),
        ("laplace", {"n_particles": 10**7, "n_annealed": 10**7, "partition": "annealed"}),
        ("langevin", {"n_draws": 10**7, "n_chains": 1000}),
        ("langevin", {"n_prior_draws": 10**7, "n_draws": 10**6}),
    ],
)
def test_settings_that_memory_has_no_room_for_are_refused(scorer, settings):
    with pytest.raises(ockham.ModelError, match="GB, 8 are allowed"):
        ockham.score(ockham.RestrictedBoltzmann(100, 10), ROWS[:, :100], scorer, **settings)


@pytest.mark.parametrize(
    ("scorer", "settings"),
    [
        ("smc", {"n_chains": 10**5, "n_states": 10**5}),
        ("bridge", {"n_chains": 256, "n_draws": 10**6}),
        ("tempered_smc", {"n_states": 10**5, "n_walks": 10**5}),
    ],
)
def test_draws_that_memory_has_no_room_for_are_refused(scorer, settings):
    with pytest.raises(ockham.ModelError, match="GB, 8 are allowed"):
        ockham.score(ockham.naive_bayes([2], [2] * 4)["classes-2"], [[0, 1, 0, 1]], scorer, **settings)


@pytest.mark.parametrize("scorer", NETWORK_SCORERS)
def test_a_large_network_is_refused_before_it_is_laid_out(scorer, monkeypatch):
    def begun(*_):
        raise AssertionError("the layout has begun")

    monkeypatch.setattr(expectation, "_factors", begun)
    model, rows = TINY["discrete_network"].large
    if scorer == "ais_completions":  # lays out the ways to complete single rows, and there is one row
        assert np.isfinite(ockham.score(model, rows, scorer, n_steps=1, n_chains=1)[scorer].log_evidence)
        return
    with pytest.raises(
        ockham.ModelError, match=r"65,536 hidden .* GB, 8 are allowed|out of reach|Hessian of .* limit is 5000"
    ):
        ockham.score(model, rows, scorer)


def test_what_memory_has_no_room_for_after_all_is_refused(monkeypatch):
    def full(*_, **__):
        raise MemoryError("Unable to allocate 1.13 TiB")

    monkeypatch.setattr(families.scorer("discrete_network", "em"), "score", full)
    with pytest.raises(ockham.ModelError, match=r"memory has no room for it .Unable to allocate 1\.13 TiB"):
        ockham.score(ockham.naive_bayes([2], [2])["classes-2"], [[0]], "em")


def test_a_fit_whose_matrix_has_no_decomposition_is_refused(monkeypatch):
    def diverges(*_, **__):
        raise np.linalg.LinAlgError("Matrix is not positive definite")

    monkeypatch.setattr(families.scorer("restricted_boltzmann", "laplace"), "score", diverges)
    with pytest.raises(ockham.ModelError, match=r"laplace: a matrix has no decomposition .* take a wider prior"):
        ockham.score(ockham.RestrictedBoltzmann(2, 3, 0.03), [[1, 0], [0, 1]], "laplace", runs=1)


def test_a_budget_of_orders_that_memory_has_no_room_for_is_refused():
    space = ockham.OrderSpace(5, 2)
    rows = np.zeros((100, 5), dtype=int)
    for settings in ({"steps": 10**12, "length": 10**8}, {"steps": 10**12, "merge": 10**8}, {"graphs": 10**12}):
        with pytest.raises(ockham.ModelError, match=r"steps: a schedule of .* GB, 8 are allowed"):
            ockham.score(space, rows, "ais", **settings)


SMALL = {
    "bridge": {"n_starts": 8, "n_chains": 2, "n_burn_in": 10, "n_draws": 100, "max_draws": 100},
    "smc": {"n_passes": 2, "n_chains": 2, "n_states": 20},
    "tempered_smc": {"n_starts": 8, "n_chains": 2, "n_burn_in": 10, "n_draws": 100, "n_passes": 2, "n_walks": 4},
    "ais": {"n_steps": 10, "strength": 20.0},
    "candidate": {"n_selection": 10, "n_sweeps": 40},
}


def is_refused(function, *arguments, **settings):
    try:
        function(*arguments, **settings)
    except ockham.ModelError:
        return True
    return False


@pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
@pytest.mark.parametrize("scorer", [*NETWORK_SCORERS, "exact"])
def test_a_network_is_refused_beforehand_where_it_would_be_with_rows_that_all_differ(scorer, monkeypatch):
    """At any limit, so that a check predicts what a run would refuse, by the same formulas."""
    network = ockham.bipartite([2, 2], [2, 2, 2])["12-12-12"]
    rows = [[i, j, k] for i in range(2) for j in range(2) for k in range(2)]
    module, refused = families.scorer("discrete_network", scorer), []
    settings = module.Settings(**SMALL.get(scorer, {}))
    for limit in 10.0 ** np.arange(2, 7.1, 0.25):
        monkeypatch.setattr(memory, "MAX_BYTES", limit)
        beforehand = is_refused(module.check, network, len(rows), settings)
        assert beforehand == is_refused(ockham.score, network, rows, scorer, **SMALL.get(scorer, {}))
        refused.append(beforehand)
    assert refused == sorted(refused, reverse=True)
    assert {True, False} == set(refused)


@pytest.mark.parametrize(
    ("entry", "settings", "message"),
    [
        ("em", {"n_starts": 4096}, "4,096 starts of .* parameters: .* GB, 8 are allowed; take fewer n_starts"),
        ("candidate", {}, "E step of 64 hidden configurations and 4,194,304 distinct rows: .* GB, 8 are"),
        ("smc", {"n_chains": 10**5, "n_states": 10**5}, "particles of .* GB, 8 are allowed; take fewer n_chains"),
        ("bridge", {"n_chains": 256, "n_draws": 10**6}, "draws of .* GB, 8 are allowed; take fewer n_chains"),
        (
            "tempered_smc",
            {"n_walks": 10**5, "n_states": 10**5},
            "particles of .* GB, 8 are allowed; take fewer n_chains",
        ),
        ("exact", {}, r"completions of 5,000,000 rows, with up to .* GB, 8 are"),
        ("laplace", {}, "the Hessian of .* parameters takes"),
    ],
)
def test_a_study_of_networks_that_memory_has_no_room_for_is_refused_when_it_is_read(entry, settings, message):
    """With its field, before anything is drawn; one with modest settings is not."""
    classes, features = (64, [2] * 22) if entry == "candidate" else (40, [40] * 40)
    study = NETWORKS | {
        "only": None, "sizes": [5_000_000], "scorers": {entry: {"settings": settings}},
        "structures": {"space": "naive_bayes", "classes": [classes], "feature_cardinalities": features},
        "true_structure": f"classes-{classes}",
    }  # fmt: skip
    with pytest.raises(ValueError, match=rf"scorers\.{entry}\.settings: .*{message}"):
        study_of(study)
    assert study_of(study | {"sizes": [100], "scorers": {"em": {}}}).sizes == [100]
