"""What distributions register is found by name, and refused in one sentence when it is unknown, twice there, or broken.

Sources of truth: the names in ``pyproject.toml``; entry points planted beside them, whose modules break one part of
their contract at a time.
"""

import re
import sys
import tomllib
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from math import inf
from pathlib import Path
from types import MappingProxyType, ModuleType, SimpleNamespace

import numpy as np
import pytest
from pydantic import Field, ValidationError

from ockham import contracts, families
from ockham.contracts import Array, Estimator, Evidence, Needs, Paper, Plan, Sampler, Shown
from ockham.errors import ConfigError, ModelError
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items.gaussian import Gaussian
from ockham.networks.family import Networks
from ockham.networks.settings import NetworkSettings
from ockham.networks.structure_space import naive_bayes
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.streams import Stream
from ockham.studies.loading import load

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
CACHED = (families.family, families.scorer, families.paper, families._points)
REMEDY = "correct it as docs/adding_a_scorer.md says, or uninstall it"


@pytest.fixture
def register(monkeypatch):
    """Plants an entry point of another distribution, and what it stands for, as a module of its own."""
    planted = []

    def points(*, group):
        return [*entry_points(group=group), *(point for point in planted if point.group == group)]

    def clear():
        for function in CACHED:
            function.cache_clear()

    def register(group, name, thing=None, distribution="plug", value=None):
        module = thing if isinstance(thing, ModuleType) else ModuleType("planted")
        if thing is not module:
            module.THING = thing
        monkeypatch.setitem(sys.modules, "planted", module)
        value = value or ("planted" if thing is module else "planted:THING")
        planted.append(EntryPoint(name, value, group)._for(SimpleNamespace(name=distribution)))
        clear()

    clear()
    monkeypatch.setattr(families, "entry_points", points)
    yield register
    clear()


def refusal(function, *arguments):
    """The message of the one error, which is one line."""
    with pytest.raises(ConfigError) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def place(group, name, value="planted:THING"):
    return f"distribution plug, entry point {name!r} of {group} ({value}): "


def changed(**attributes):
    """A family called ``mine``, with one part changed; ``None`` takes it away."""
    own = {
        "name": "mine",
        "settings": NetworkSettings,
        "default_scorer": "one",
        "summaries": "ockham.networks.summaries:summarise",
    }
    own = {name: value for name, value in (own | attributes).items() if value is not None}
    methods = {name: vars(Networks)[name] for name in ("draw", "prepare", "read")}
    return type("Mine", (contracts.Family,), methods | own)()


def scorer_module(**attributes):
    """A module of a scorer, with one part changed; ``None`` takes it away."""
    module = ModuleType("planted")
    own = {
        "ESTIMATES": {"mine": Estimator("Mine")},
        "Settings": type("Settings", (contracts.Settings,), {}),
        "score": lambda model, data, settings, stream: {},
    }
    vars(module).update({name: value for name, value in (own | attributes).items() if value is not None})
    return module


def test_the_names_are_those_of_the_project():
    groups = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["entry-points"]
    assert set(groups) == set(families.GROUPS)
    assert set(families.family_names()) >= set(groups["ockham.families"])
    assert set(families.paper_names()) >= set(groups["ockham.papers"])
    scorers = {f"{family}.{name}" for family in families.family_names() for name in families.scorer_names(family)}
    assert scorers >= set(groups["ockham.scorers"])
    assert families.check_one_name_each() is None


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (families.family, ("nope",), "model: 'nope' is unknown; known are discrete_network, "),
        (families.scorer, ("node_order", "nope"), "scorer: 'nope' is unknown; known are ais, blocks, exact, mc3"),
        (families.paper, ("nope",), "paper: 'nope' is unknown; known are beal_ghahramani_2006, "),
        (families.family_of, (3,), "model: int is of no family; give a model of one of: discrete_network, "),
    ],
    ids=["family", "scorer", "paper", "model"],
)
def test_what_is_unknown_is_refused_with_the_known_names(function, arguments, message):
    found = refusal(function, *arguments)
    assert found.startswith(message)
    group = {families.family: families.family_names(), families.paper: families.paper_names()}
    for name in group.get(function, ()):
        assert name in found


def test_what_another_distribution_registers_is_found(register):
    register("ockham.scorers", "mine.one", scorer_module())
    family = changed()
    register("ockham.families", "mine", family)
    assert "mine" in families.family_names()
    assert families.scorer_names("mine") == ("one",)
    assert families.family("mine") is family
    assert families.family_of(SimpleNamespace(family_name="mine")) is family
    register("ockham.scorers", "discrete_network.mine", scorer_module(ARRAYS={"a": Array(("k",), "A", "1")}))
    assert "mine" in families.scorer_names("discrete_network")
    assert list(families.scorer("discrete_network", "mine").ESTIMATES) == ["mine"]
    register("ockham.papers", "mine", replace(PAPER, name="mine"))
    assert families.paper("mine").name == "mine"


def test_names_are_known_without_an_import_and_one_that_is_broken_harms_no_other(register):
    for group, name in (("ockham.families", "b"), ("ockham.scorers", "discrete_network.b"), ("ockham.papers", "b")):
        register(group, name, value="no_such_module:THING")
    assert "b" in families.family_names()
    assert "b" in families.scorer_names("discrete_network")
    assert "b" in families.paper_names()
    families.check_one_name_each()
    assert families.family("discrete_network").name == "discrete_network"
    assert families.scorer("discrete_network", "em").ESTIMATES
    assert families.paper("beal_ghahramani_2006") is PAPER


NO_NAME = "does not consist of at most 100 small letters, digits and _"
BROKEN_FAMILIES = {
    "wrong type": (lambda: 3, "is not an instance of ockham.contracts.Family"),
    "the class itself": (lambda: type(changed()), "is not an instance of ockham.contracts.Family"),
    "no name": (lambda: changed(name=None), "has the name None, not 'mine'"),
    "another name": (lambda: changed(name="yours"), "has the name 'yours', not 'mine'"),
    "no settings": (lambda: changed(settings=None), "lacks the attribute 'settings'"),
    "no default": (lambda: changed(default_scorer=None), "lacks the attribute 'default_scorer'"),
    "no summaries": (lambda: changed(summaries=None), "lacks the attribute 'summaries'"),
    "settings of no family": (
        lambda: changed(settings=contracts.Settings), "settings: is not a subclass of ockham.contracts.FamilySettings",
    ),
    "settings that are no class": (
        lambda: changed(settings={"n": 3}), "settings: is not a subclass of ockham.contracts.FamilySettings",
    ),
    "no function": (lambda: changed(summaries="planted"), "summaries: 'planted' is not '<module>:<name>'"),
    "a function": (lambda: changed(summaries=len), f"summaries: {len!r} is not '<module>:<name>'"),
    "a measurement that would overwrite all scores": (
        lambda: changed(measurements={"scores": "json"}),
        "measurements: the name 'scores' is taken, by what Ockham itself stores",
    ),
    "a measurement that would overwrite summaries": (
        lambda: changed(measurements={"summaries": "json"}),
        "measurements: the name 'summaries' is taken, by what Ockham itself stores",
    ),
    **{
        f"a measurement called {name}": (
            lambda name=name: changed(measurements={name: "json"}), f"measurements: the name {name!r} {NO_NAME}",
        )
        for name in ("a/b", "{x}", "", "Few", "a" * 101, "a|b", 3)
    },
    "unknown default": (lambda: changed(default_scorer="two"), "default_scorer: 'two' is not one of its scorers"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN_FAMILIES)
def test_a_family_that_breaks_its_contract_is_refused(register, case, tmp_path):
    broken, problem = BROKEN_FAMILIES[case]
    register("ockham.scorers", "mine.one", scorer_module())
    register("ockham.families", "mine", broken())
    expected = f"{place('ockham.families', 'mine')}{problem}; {REMEDY}"
    assert refusal(families.family, "mine") == expected
    study = tmp_path / "study.yaml"
    study.write_text("model: mine")
    assert refusal(load, study) == f"{study}: {expected}"


NO_ESTIMATES = "ESTIMATES: does not map names to ockham.contracts.Estimator"
NO_ARRAYS = "ARRAYS: does not map names to ockham.contracts.Array"
BROKEN_SCORERS = {
    "no estimates": ({"ESTIMATES": None}, "lacks 'ESTIMATES'"),
    "no settings": ({"Settings": None}, "lacks 'Settings'"),
    "no score": ({"score": None}, "lacks 'score'"),
    "names without estimators": ({"ESTIMATES": ["mine"]}, NO_ESTIMATES),
    "estimators of another type": ({"ESTIMATES": {"mine": "Mine"}}, NO_ESTIMATES),
    "names that are no text": ({"ESTIMATES": {1: Estimator("Mine")}}, NO_ESTIMATES),
    "empty estimates": ({"ESTIMATES": {}}, "ESTIMATES: is empty"),
    "settings that are no class": ({"Settings": {"n": 3}}, "Settings: is not a subclass of ockham.contracts.Settings"),
    "settings of another class": ({"Settings": dict}, "Settings: is not a subclass of ockham.contracts.Settings"),
    "a number for a function": ({"score": 3}, "score: is not a function"),
    "names without arrays": ({"ARRAYS": ["a"]}, NO_ARRAYS),
    "arrays of another type": ({"ARRAYS": {"a": ("k",)}}, NO_ARRAYS),
    "an estimate called like a file": (
        {"ESTIMATES": {"a/b": Estimator("Mine")}},
        f"ESTIMATES: the name 'a/b' {NO_NAME}",
    ),
    "an estimate called like a dimension": (
        {"ESTIMATES": {"run": Estimator("Mine")}},
        "ESTIMATES: the name 'run' is taken, by what Ockham itself stores",
    ),
    "an array called like an estimate": (
        {"ARRAYS": {"mine": Array(("k",), "A", "1")}},
        "ARRAYS: the name 'mine' is taken, by what Ockham itself stores",
    ),
    "an array over replicates": (
        {"ARRAYS": {"a": Array(("replicate",), "A", "1")}},
        "ARRAYS.a.dimensions: the name 'replicate' is taken, by what Ockham itself stores",
    ),
    "an array of text": (
        {"ARRAYS": {"a": Array(("k",), "A", "1", "U3")}},
        "ARRAYS.a.kind: 'U3' is no type of numbers of NumPy",
    ),
    "an array of no type": (
        {"ARRAYS": {"a": Array(("k",), "A", "1", "whole")}},
        "ARRAYS.a.kind: 'whole' is no type of numbers of NumPy",
    ),
    "a number for a check": ({"check": 3}, "check: is not a function"),
    "a number for doubts": ({"doubted": 3}, "doubted: is not a function"),
    "a number for its turn": ({"goes_first": 3}, "goes_first: is not a function"),
}


@pytest.mark.parametrize("case", BROKEN_SCORERS)
def test_a_scorer_that_breaks_its_contract_is_refused(register, case):
    change, problem = BROKEN_SCORERS[case]
    register("ockham.scorers", "discrete_network.mine", scorer_module(**change))
    where = place("ockham.scorers", "discrete_network.mine", "planted")
    assert refusal(families.scorer, "discrete_network", "mine") == f"{where}{problem}; {REMEDY}"


def test_a_scorer_that_is_no_module_is_refused(register):
    """Its source could not be followed, nor what it declares be read where it stands."""
    register("ockham.scorers", "discrete_network.mine", SimpleNamespace(**vars(scorer_module())))
    expected = f"{place('ockham.scorers', 'discrete_network.mine')}is not a module; {REMEDY}"
    assert refusal(families.scorer, "discrete_network", "mine") == expected


@pytest.mark.parametrize("left", [{}, {"a": np.zeros(1)}, {"b": np.zeros(1)}])
def test_a_scorer_leaves_every_array_that_it_declares_with_every_evidence(left):
    both, names = {"a": np.zeros(1), "b": np.zeros(1)}, dict.fromkeys("ab", Array(("k",), "Some", "1"))

    def returning(*arrays):
        found = {name: Evidence(0.0, arrays=given) for name, given in zip(("mine", "too"), arrays, strict=True)}
        estimates = dict.fromkeys(found, Estimator("Mine"))
        return scorer_module(ESTIMATES=estimates, ARRAYS=names, score=lambda *given: found)

    assert set(families.run(returning(both, both), None, None, None, None)) == {"mine", "too"}
    missing = min(set(both) - set(left))
    expected = f"planted: score leaves no array {missing!r}, which ARRAYS names"
    for arrays in ((left, left), (both, left), (left, both)):
        assert refusal(families.run, returning(*arrays), None, None, None, None) == expected


def test_a_mapping_of_any_kind_will_do(register):
    estimates = MappingProxyType({"mine": Estimator("Mine")})
    register("ockham.scorers", "discrete_network.mine", scorer_module(ESTIMATES=estimates))
    assert families.scorer("discrete_network", "mine").ESTIMATES is estimates


def paper_with(**changes):
    return replace(Paper("mine", PAPER.folder), **changes)


NO_SHOWN = "is not an ockham.contracts.Shown"
BROKEN_PAPERS = {
    "wrong type": ({"name": "mine"}, "is not an instance of ockham.contracts.Paper"),
    "another name": (paper_with(name="yours"), "has the name 'yours', not 'mine'"),
    "a function of another type": (
        paper_with(tables={"two": Shown(len)}), f"tables.two: {len!r} is not '<module>:<name>'",
    ),
    "a figure of another type": (paper_with(figures={"one": "planted:one"}), f"figures.one: {NO_SHOWN}"),
    "a figure without a function": (
        paper_with(figures={"one": Shown("planted")}), "figures.one: 'planted' is not '<module>:<name>'",
    ),
    "a table of another type": (paper_with(tables={"two": Needs()}), f"tables.two: {NO_SHOWN}"),
    "a figure called like a path": (
        paper_with(figures={"a/b": Shown("json:b")}), f"figures: the name 'a/b' {NO_NAME}",
    ),
    "a table called like a pattern": (
        paper_with(tables={".*": Shown("json:b")}), f"tables: the name '.*' {NO_NAME}",
    ),
    "one name for two": (
        paper_with(figures={"one": Shown("json:b")}, tables={"one": Shown("json:c")}),
        "tables.one: is also the name of a figure",
    ),
    "a folder that is text": (paper_with(folder="numbers"), "folder: is not a pathlib.Path"),
    "a file that is not there": (
        paper_with(numbers={"one.csv": PAPER.numbers["numbers/table_3.csv"]}),
        f"numbers: there is no file {PAPER.folder / 'one.csv'}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN_PAPERS)
def test_a_paper_that_breaks_its_contract_is_refused(register, case):
    broken, problem = BROKEN_PAPERS[case]
    register("ockham.papers", "mine", broken)
    assert refusal(families.paper, "mine") == f"{place('ockham.papers', 'mine')}{problem}; {REMEDY}"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module", r"ModuleNotFoundError: No module named 'no_such_module'"),
        ("planted:NOTHING", r"AttributeError: .*NOTHING.*"),
        ("raising", r"ZeroDivisionError: division by zero"),
    ],
)
@pytest.mark.parametrize("group", families.GROUPS)
def test_what_cannot_be_imported_is_refused(register, group, value, reason, tmp_path, monkeypatch):
    (tmp_path / "raising.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    name, function, arguments = {
        "ockham.families": ("mine", families.family, ("mine",)),
        "ockham.scorers": ("discrete_network.mine", families.scorer, ("discrete_network", "mine")),
        "ockham.samplers": ("discrete_network.mine", families.plan_of, (families.family("discrete_network"),)),
        "ockham.papers": ("mine", families.paper, ("mine",)),
    }[group]
    register(group, name, value=value)
    where = re.escape(place(group, name, value))
    found = refusal(function, *arguments)
    assert re.fullmatch(rf"{where}cannot be imported \({reason}\); correct or uninstall it", found), found


def test_a_family_that_lacks_a_method_is_refused_at_its_import(register, tmp_path, monkeypatch):
    (tmp_path / "lacking.py").write_text(
        "from ockham.contracts import Family\nclass Mine(Family):\n    name = 'mine'\nFAMILY = Mine()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    register("ockham.families", "mine", value="lacking:FAMILY")
    found = refusal(families.family, "mine")
    assert found.startswith(place("ockham.families", "mine", "lacking:FAMILY") + "cannot be imported (TypeError: ")
    assert all(method in found for method in ("draw", "prepare", "read"))


@pytest.mark.parametrize(
    ("group", "name"),
    [
        ("ockham.families", "discrete_network"),
        ("ockham.scorers", "discrete_network.vb"),
        ("ockham.papers", "beal_ghahramani_2006"),
    ],
)
def test_two_distributions_with_one_name_are_refused_and_both_are_named(register, group, name, tmp_path):
    register(group, name, 3)
    expected = (
        f"entry point {name!r} of {group}: is registered by two distributions, ockham and plug; uninstall one of them"
    )
    assert refusal(families.check_one_name_each) == expected
    study = tmp_path / "study.yaml"
    study.write_text("study: tiny")
    assert refusal(load, study) == f"{study}: {expected}"


def test_one_distribution_that_is_found_twice_is_one(register):
    """As beside an editable install, which has the source tree's metadata too."""
    known = next(iter(entry_points(group="ockham.families", name="discrete_network")))
    register("ockham.families", known.name, distribution="ockham", value=known.value)
    assert families.family("discrete_network").name == "discrete_network"


@pytest.mark.parametrize(
    ("model", "of_sparse"),
    [
        (lambda prior: naive_bayes([2], [2], prior=prior)["classes-2"], {"bridge", "tempered_smc", "ais_from_vb"}),
        (lambda prior: FiniteMixture(2, {"x": Gaussian(0.0, 1.0)}, prior), {"bridge"}),
    ],
    ids=["networks", "mixtures"],
)
def test_samplers_that_doubt_every_estimate_under_sparse_priors_are_known_beforehand(model, of_sparse):
    def doubted(prior):
        samplers = families.sources(model(prior), None, Stream(1)).samplers
        return {source.scorer for source in samplers if source.always_doubted}

    assert (doubted(0.1), doubted(0.09)) == (set(), of_sparse)
    assert doubted(0.049) - {"ais_completions", "smc"} == of_sparse


def test_a_setting_is_doubled_no_further_than_it_may_be():
    plan = families.plan_of(families.family("discrete_network"))
    found = families.sources(naive_bayes([2], [2])["classes-2"], None, Stream(1))
    for sampler, source in zip(plan.samplers, found.samplers, strict=True):
        if not sampler.doubled:
            assert source.most == inf
            continue
        kind, first = families.scorer("discrete_network", sampler.scorer).Settings, sampler.settings[sampler.doubled]
        kind(**{sampler.doubled: first * 2 ** (source.most - 1)})
        with pytest.raises(ValidationError, match=sampler.doubled):
            kind(**{sampler.doubled: first * 2**source.most})


@pytest.mark.parametrize(("n_rows", "n_starts"), [(10, 1024), (1000, 400), (10**5, None)])
def test_scorers_that_look_for_modes_look_from_more_starts_the_fewer_rows_there_are(n_rows, n_starts, monkeypatch):
    monkeypatch.setattr(families, "run", lambda *_: {})
    for own, expected in (({}, n_starts), ({"n_starts": 7}, 7)):
        data, plan = SimpleNamespace(counts=np.ones(n_rows)), Plan(samplers=(Sampler("bridge", own), Sampler("wbic")))
        bridge, wbic = families.sources(naive_bayes([2], [2])["classes-2"], data, Stream(1), plan).samplers
        assert bridge.run(1)[0].get("n_starts") == expected
        assert wbic.run(1)[0] == {}


@pytest.mark.parametrize(("most", "taken", "n_starts"), [(100, 100, 64), (2000, 130, 128), (2000, 3, None)])
def test_a_scorer_has_as_many_starts_as_it_takes(most, taken, n_starts, register, monkeypatch):
    class Own(contracts.Settings):
        n_starts: int = Field(default=4, le=most)

    def check(model, n, settings):
        if settings.n_starts > taken or n != 20:
            raise ModelError("too many")

    register("ockham.scorers", "discrete_network.mine", scorer_module(Settings=Own, check=check))
    monkeypatch.setattr(families, "run", lambda *_: {})
    data, plan = SimpleNamespace(counts=np.full(10, 2)), Plan(samplers=(Sampler("mine"),))
    (source,) = families.sources(naive_bayes([2], [2])["classes-2"], data, Stream(1), plan).samplers
    assert source.run(0)[0].get("n_starts") == n_starts


def test_the_samplers_whose_errors_see_both_directions_are_known_as_such():
    found = families.sources(naive_bayes([2], [2])["classes-2"], None, Stream(1))
    assert [source.scorer for source in found.samplers if source.two_sided] == ["tempered_smc", "ais_from_vb"]


@pytest.mark.parametrize("k", [2, 7])
def test_samplers_join_the_plan_of_a_family_last_or_first_where_they_are_made_for_the_model(k):
    found = families.sources(naive_bayes([k], [2])[f"classes-{k}"], None, Stream(1)).samplers
    own = [sampler.scorer for sampler in families.family("discrete_network").plan.samplers]
    assert [source.scorer for source in found] == (["ais_from_vb", *own] if k == 7 else [*own, "ais_from_vb"])
    assert [source.scorer for source in found if source.leads] == ["ais_from_vb"] * (k == 7)
    assert families.plan_of(families.family("finite_mixture")) == families.family("finite_mixture").plan


@pytest.mark.parametrize(
    ("sampler", "problem"),
    [(3, "is not an ockham.contracts.Sampler"), (Sampler("em"), "scorer: 'em' is not the name that it joins by")],
)
def test_what_joins_a_plan_and_is_no_sampler_of_its_name_is_refused(register, sampler, problem):
    register("ockham.samplers", "discrete_network.vb", sampler)
    found = refusal(families.plan_of, families.family("discrete_network"))
    assert found == f"{place('ockham.samplers', 'discrete_network.vb')}{problem}; {REMEDY}"


def test_modules_are_named_for_digests_of_their_source():
    assert families.module_name("ockham.networks.summaries:summarise") == "ockham.networks.summaries"
    assert families.module_name(families.family("discrete_network")) == "ockham.networks.family"
    assert families.module_name(families.scorer("discrete_network", "em")) == "ockham.networks.scorers.em"


def test_a_family_is_of_the_module_that_registers_it_and_of_that_of_its_class(register):
    family = changed(__module__="elsewhere")
    assert families.modules(family) == ("elsewhere",)
    register("ockham.families", "mine", family)
    assert families.modules(family) == ("planted", "elsewhere")
    assert families.modules(families.family("discrete_network")) == ("ockham.networks.family",)


@pytest.mark.parametrize(
    ("array", "found"),
    [
        (np.arange(3), "int64"),
        (np.zeros(3, "f4"), "float32"),
        (np.zeros(3, ">f8"), ">f8"),
        (np.array(["a"]), "<U1"),
        ([0.0, 1.0], "list"),
    ],
    ids=["whole numbers", "single precision", "other byte order", "text", "list"],
)
def test_an_array_of_another_type_than_declared_is_refused(array, found):
    def result(array):
        return {"mine": Evidence(0.0, arrays={"a": array})}

    broken = scorer_module(ARRAYS={"a": Array(("k",), "A", "1")}, score=lambda *_: result(array))
    sound = scorer_module(ARRAYS={"a": Array(("k",), "A", "1")}, score=lambda *_: result(np.zeros(3)))
    arguments = None, None, sound.Settings(), None
    assert families.run(sound, *arguments)["mine"].arrays["a"].size == 3
    assert refusal(families.run, broken, *arguments) == f"planted: array 'a': is of type {found}, not 'f8'"
