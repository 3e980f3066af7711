"""A broken plug-in is one message that says which distribution, which field and what to do, before any work.

Each case is a distribution with one fault. The truth is what the contract in ockham.contracts asks for.
"""

from math import inf, nan

import numpy as np
import pytest
from plugin.conftest import HERE, Plugged, distribution

from ockham import families
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.errors import ConfigError
from ockham.estimation import evidence_checks
from ockham.studies import code_digests, records
from ockham.studies.code_digests import code_digest

CONFIG = {
    "study": "tiny", "model": "coins", "root_seed": 1, "structures": ["aa", "ab"], "truth": "ab",
    "replicates": {"prior_draws": 1}, "sizes": [5], "scorers": {"exact": {}},
}  # fmt: skip
PAPER = CONFIG | {"paper": "broken"}
NETWORKS = {
    "study": "tiny", "root_seed": 1, "sizes": [5], "replicates": {"prior_draws": 1}, "scorers": {"mine": {}},
    "structures": {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 2]},
    "true_structure": "1-1",
}  # fmt: skip
HEADS = CONFIG | {"measurements": {"heads": {}}}
SCORER = "from ockham.contracts import *\nESTIMATES = {'exact': Estimator('exact')}\ndef score(*given): pass\n"
FAMILY = "from ockham_coins.family import CoinFamily\nclass Broken(CoinFamily):\n    {}\nFAMILY = Broken()\n"
SOUND = {
    "families": {"coins": "ockham_coins.family:FAMILY"},
    "scorers": {"coins.exact": "ockham_coins.scorers.exact", "coins.monte_carlo": "ockham_coins.scorers.monte_carlo"},
}


def family(line):
    return {"families": {"coins": "broken:FAMILY"}, "scorers": SOUND["scorers"]}, FAMILY.format(line)


def scorer(text):
    return {**SOUND, "scorers": {"coins.exact": "broken"}}, text


def network_scorer(estimates):
    text = f"from ockham.contracts import *\nESTIMATES = {estimates}\nclass Settings(Settings): pass\nscore = print\n"
    return {"scorers": {"discrete_network.mine": "broken"}}, text


def paper(arguments):
    text = f"from pathlib import Path\nfrom ockham.contracts import *\nPAPER = Paper('broken', {arguments})\n"
    return {**SOUND, "papers": {"broken": "broken:PAPER"}}, text


CASES = {
    "a scorer without estimates": (CONFIG, *scorer("score = print"), "'coins.exact' of ockham.scorers (broken): lacks"),
    "a scorer without settings of its own kind": (
        CONFIG, *scorer(SCORER + "class Settings: pass"), "Settings: is not a subclass of ockham.contracts.Settings",
    ),
    "a scorer that cannot be imported": (CONFIG, *scorer("1 / 0"), "cannot be imported (ZeroDivisionError: division"),
    "a module that does not exist": (
        CONFIG, {**SOUND, "scorers": {"coins.exact": "gone"}}, "",
        "'coins.exact' of ockham.scorers (gone): cannot be imported (ModuleNotFoundError: No module named 'gone')",
    ),
    "a family that is none": (CONFIG, {**SOUND, "families": {"coins": "broken:F"}}, "F = 1", "is not an instance of"),
    "a default scorer that is not there": (
        CONFIG, *family("default_scorer = 'gone'"), "default_scorer: 'gone' is not one of its scorers",
    ),
    "summaries that are not there": (CONFIG, *family("summaries = 'gone:f'"), "summaries: there is no module 'gone'"),
    "summaries that are no place": (CONFIG, *family("summaries = 3"), "summaries: 3 is not '<module>:<name>'"),
    "a measurement that is not there": (
        HEADS, *family("measurements = {'heads': 'gone'}"), "measurements.heads: there is no module 'gone'",
    ),
    "a measurement that measures nothing": (
        HEADS, *family("measurements = {'heads': 'ockham_coins.scorers.exact'}"), "measurements.heads: lacks the func",
    ),
    "an estimate that is called as another": (
        NETWORKS, *network_scorer("{'exact': Estimator('mine')}"), "ESTIMATES: 'exact' is an estimate of discrete_netw",
    ),
    "an estimate whose runs become one by no rule": (
        NETWORKS, *network_scorer("{'mine': Estimator('mine', over_runs='average')}"),
        "ESTIMATES.mine: over_runs: 'average' is none of max, mean, median, median_without_error",
    ),
    "an estimate on no side": (
        NETWORKS, *network_scorer("{'mine': Estimator('mine', bound='lowr')}"), "bound: 'lowr' is none of none, lower,",
    ),
    "an estimate that is called as what is beside another": (
        NETWORKS, *network_scorer("{'a': Estimator('a'), 'a_doubt': Estimator('b')}"), "the name 'a_doubt' is taken",
    ),
    "a figure that is not there": (
        PAPER, *paper("Path(), figures={'f': Shown('gone:f')}"), "figures.f: there is no module 'gone'",
    ),
    "a folder that is no path": (PAPER, *paper("'here'"), "folder: is not a pathlib.Path"),
    "numbers that are not there": (PAPER, *paper("Path(), numbers={'a.csv': Columns('n')}"), "numbers: there is no"),
}  # fmt: skip
COMMANDS = {
    "ockham": (("ockham", "check", "config/tiny.yaml"), 2),
    "Snakemake": (("snakemake", "--cores", "1"), 1),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return Plugged(tmp_path_factory.mktemp("broken"), CONFIG)


@pytest.mark.parametrize("case", CASES)
def test_the_command_names_the_distribution_the_field_and_the_remedy(case, folder, tmp_path):
    config, points, text, message = CASES[case]
    folder.write(config)
    folder.plug(distribution(tmp_path, "ockham-broken", points, {"broken.py": text}), HERE / "coins")
    command, status = COMMANDS["ockham"]
    said = folder.refused(*command, status=status)
    assert said.startswith("ockham: config/tiny.yaml: ")
    assert said.count("\n") == 1
    assert "distribution ockham-broken, entry point '" in said
    assert message in said
    assert "uninstall it" in said
    assert not (folder.path / "results").exists()


@pytest.mark.parametrize("case", ["a scorer without estimates", "a default scorer that is not there"])
def test_snakemake_says_the_same(case, folder, tmp_path):
    config, points, text, message = CASES[case]
    folder.write(config)
    folder.plug(distribution(tmp_path, "ockham-broken", points, {"broken.py": text}), HERE / "coins")
    command, status = COMMANDS["Snakemake"]
    said = folder.refused(*command, status=status)
    assert "distribution ockham-broken, entry point '" in said
    assert message in said
    assert not (folder.path / "results").exists()


@pytest.mark.parametrize("by", COMMANDS)
@pytest.mark.parametrize("group", ["families", "scorers"])
def test_one_name_of_two_distributions_is_refused(by, group, folder, tmp_path):
    name = next(iter(SOUND[group]))
    other = distribution(tmp_path / "other", "ockham-other", {group: {name: "other:THING"}})
    folder.write(CONFIG)
    folder.plug(distribution(tmp_path / "coins", "ockham-coins", SOUND), other, HERE / "coins")
    command, status = COMMANDS[by]
    said = folder.refused(*command, status=status)
    expected = f"config/tiny.yaml: entry point '{name}' of ockham.{group}: is registered by two distributions, "
    assert f"{expected}ockham-coins and ockham-other; uninstall one of them" in said
    assert not (folder.path / "results").exists()


def test_a_broken_plug_in_is_nothing_to_other_studies(folder, tmp_path):
    points = {"families": {"broken": "gone:F"}, "scorers": {"broken.x": "gone"}, "papers": {"broken": "gone:P"}}
    folder.write(CONFIG)
    folder.plug(distribution(tmp_path / "a", "ockham-broken", points))
    folder.plug(tmp_path / "a", distribution(tmp_path / "b", "ockham-coins", SOUND), HERE / "coins")
    assert folder.call("ockham", "check", "config/tiny.yaml").returncode == 0


def test_a_draw_of_another_shape_is_told_where_it_is_drawn(folder, tmp_path):
    line = "def draw(self, *given):\n        d = super().draw(*given)\n        d.states.resize(5, 1)\n        return d"
    points, text = family(line)
    folder.write(CONFIG)
    folder.plug(distribution(tmp_path, "ockham-broken", points, {"broken.py": text}), HERE / "coins")
    said = folder.refused("ockham", "draw", "config/tiny.yaml", "--replicate", "1", "--output", "draw.nc")
    assert said == "ockham: family coins: draw: states and parameters have shapes (5, 1, 2), not (5, 2, 2)\n"


def test_a_key_of_every_study_is_no_familys(folder, tmp_path):
    text = (
        "from ockham_coins.family import CoinFamily, CoinSettings\nclass Own(CoinSettings):\n    sizes: int\n"
        "class Broken(CoinFamily):\n    settings = Own\nFAMILY = Broken()\n"
    )
    folder.write(CONFIG)
    points, _ = family("")
    folder.plug(distribution(tmp_path, "ockham-broken", points, {"broken.py": text}), HERE / "coins")
    said = folder.refused(*COMMANDS["ockham"][0])
    assert "family coins: settings: every study has a key 'sizes'; rename the family's" in said


class Scorer:
    """A scorer that returns what it is given."""

    __name__ = "broken"
    ESTIMATES = {"a": Estimator("a"), "b": Estimator("b")}  # noqa: RUF012

    def score(self, model, data, settings, stream):
        return model


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        (Evidence("-10"), "log_evidence: '-10' is no number"),
        (Evidence(np.array([-1.0])), r"log_evidence: array\(\[-1.\]\) is no number"),
        (Evidence(inf), "log_evidence: is infinite; NaN says that there is none"),
        (Evidence(0.0, -1.0), "standard_error: -1.0 is none; NaN says"),
        (Evidence(0.0, inf), "standard_error: inf is none"),
        (Evidence(0.0, 1.0, degrees_of_freedom=0.0), "degrees_of_freedom: 0.0 is not above 0"),
        (Evidence(0.0, 1.0, effective_sample_size=-5.0), "effective_sample_size: -5.0 is below 0"),
        (Evidence(0.0, n_evaluations=-3), "n_evaluations: -3 is no number of passes"),
        (Evidence(0.0, n_evaluations=1.5), "n_evaluations: 1.5 is no number of passes"),
        (Evidence(0.0, doubt="bad"), "doubt: 'bad' is no ockham.contracts.Doubt"),
        (Evidence(0.0, diagnostics=None), "diagnostics: None is no mapping"),
        (Evidence(0.0, diagnostics={"a b/c": 1.0}), "diagnostics: the name 'a b/c' does not consist of"),
        (Evidence(0.0, diagnostics={"key": 1.0}), "diagnostics: the name 'key' is taken, by what Ockham itself"),
        (Evidence(0.0, diagnostics={"b": 1.0}), "diagnostics: the name 'b' is taken"),
        (Evidence(0.0, diagnostics={"b_doubt": 1.0}), "diagnostics: the name 'b_doubt' is taken"),
        (Evidence(0.0, diagnostics={"ok": "high"}), "diagnostics: ok: 'high' is no number"),
    ],
)
def test_what_is_no_evidence_is_refused(evidence, message):
    with pytest.raises(ConfigError, match=f"broken: score: a: {message}"):
        families.run(Scorer(), {"a": evidence, "b": Evidence(0.0)}, None, None, None)


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(-inf), Evidence(nan, inf), Evidence(np.float32(-1.0), np.float64(0.0), np.int64(3)), Evidence(-1),
        Evidence(0.0, inf, doubt=Doubt.NOT_MIXED), Evidence(0.0, diagnostics={"ok": np.bool_(True), "n_parts": 3}),
    ],
)  # fmt: skip
def test_what_is_one_is_taken(evidence):
    found = {"a": evidence, "b": Evidence(0.0)}
    assert families.run(Scorer(), found, None, None, None) == found


def test_what_stores_have_beside_estimates_is_what_no_name_may_be():
    assert set(evidence_checks.BESIDE) == set(records.BESIDE)


@pytest.mark.parametrize("found", [None, {}, {"a": Evidence(0.0)}, {"a": Evidence(0.0), "b": 0.0}])
def test_what_a_scorer_does_not_declare_is_refused(found):
    with pytest.raises(ConfigError, match="broken: score must return an Evidence for each of a, b"):
        families.run(Scorer(), found, None, None, None)


def test_an_array_that_a_scorer_does_not_declare_is_refused():
    found = {"a": Evidence(0.0), "b": Evidence(0.0, arrays={"w": [1.0]})}
    with pytest.raises(ConfigError, match="broken: array 'w': ARRAYS must name it, with its dimensions"):
        families.run(Scorer(), found, None, None, None)


def test_digests_follow_the_other_packages_of_a_distribution(tmp_path, monkeypatch):
    """As a scorer's own; those of other distributions are libraries."""
    files = {"digested_scorer.py": "import digested_core.shift, digested_library\n", "digested_library.py": ""}
    files |= {"digested_core/__init__.py": "", "digested_core/shift.py": ""}
    for name, tops in (("ockham-own", "digested_scorer\ndigested_core\n"), ("library", "digested_library\n")):
        distribution(tmp_path, name, {}, {f"{name.replace('-', '_')}-1.0.dist-info/top_level.txt": tops})
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    def digest():
        code_digest.cache_clear()
        code_digests._imports.cache_clear()
        return code_digest("digested_scorer")

    seen = [digest()]
    for name in ("digested_core/shift.py", "digested_library.py"):
        (tmp_path / name).write_text("# a remark\n")
        seen.append(digest())
    code_digest.cache_clear()
    assert seen[0] != seen[1] == seen[2]


def test_digests_follow_relative_imports(tmp_path, monkeypatch):
    """What a scorer takes from beside it, or from above, counts; what it does not import does not."""
    files = {"__init__.py": "", "sub/__init__.py": "", "above.py": "", "sub/beside.py": "", "sub/other.py": ""}
    files["sub/scorer.py"] = "from ..above import a\nfrom . import beside\n"
    for name, text in files.items():
        path = tmp_path / "digested" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    def digest():
        code_digest.cache_clear()
        return code_digest("digested.sub.scorer")

    seen = [digest()]
    for name in ("above.py", "sub/beside.py", "sub/other.py"):
        (tmp_path / "digested" / name).write_text("# a remark\n")
        seen.append(digest())
    code_digest.cache_clear()
    assert len(set(seen[:3])) == 3
    assert seen[3] == seen[2]
