"""A store of runs of node orders, or of exact values, that is not what it should be is refused, and left as it is.

Each case is a sound file of a small study with one thing changed. The source of truth is the list of what is wrong.
"""

import numpy as np
import pytest
from bad_input.support import (
    BYTES,
    attribute,
    changed,
    read_content,
    resized,
    retyped,
    snapshot,
    without,
    write,
    write_content,
)
from click.testing import CliRunner
from ockham.orders.collecting import collect

from ockham.cli import main
from ockham.errors import StoreError
from ockham.studies.loading import load

STUDY = {
    "study": "tiny",
    "model": "node_order",
    "root_seed": 3,
    "max_indegree": 2,
    "exact": {"orders": True, "graphs": True},
    "data": {"name": "random_network", "rows": 20, "variables": 5},
    "scorers": {
        "ais_1": {"sampler": "ais", "length": 1, "steps": 500, "runs": 2, "runs_per_job": 2, "graphs": 3},
        "mc3_2": {"sampler": "mc3", "ratios": 2, "thin": 2, "steps": 1800, "runs": 2, "runs_per_job": 2},
    },
}
KINDS = ("ais_1", "mc3_2", "exact")
AWAY = "move the file away"
ANY = {
    "no specification": (without("attributes", "specification"), f"has no attribute 'specification': .*{AWAY}"),
    "specification is a number": (attribute("specification", 1), "attribute 'specification' is .*, not str"),
    "another specification": (attribute("specification", "0" * 64), "attribute specification: .*run the workflow"),
}
SAMPLES = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("run", "seconds", "graph_seconds", "accepted")
    },
    "a run twice": (retyped("run", "i4", values=0), f"variable 'run': has the runs .*, not .*{AWAY}"),
    "a run too many": (resized(run=3), "variable 'run': has the runs .*, not"),
    "runs are fractions": (retyped("run", "f8", values=0.5), "variable 'run' is of type float64, not i"),
    "times are short": (retyped("seconds", "f4", values=0), "variable 'seconds' is of type float32, not f8"),
    "times are no numbers": (retyped("seconds", "f8", values=np.nan), f"variable 'seconds': has values that .*{AWAY}"),
}
ANNEALING = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("log_weight", "parents", "log_extensions")
    },
    "weights are no numbers": (retyped("log_weight", "f8", values=np.nan), "variable 'log_weight': has values that"),
    "weights are integers": (retyped("log_weight", "i4", values=0), "variable 'log_weight' is of type int32, not f8"),
    "weights are words": (retyped("log_weight", str), "variable 'log_weight' is of type .*, not f8"),
    "weights have no sample": (
        retyped("log_weight", "f8", ("run",), [0.0, 0.0]), "variable 'log_weight' has dimensions .*, not",
    ),
    "graphs are fractions": (retyped("parents", "f8", values=0.0), "variable 'parents' is of type float64, not u8"),
    "graphs are signed": (retyped("parents", "i8", values=0), "variable 'parents' is of type int64, not u8"),
    "more than memory holds": (
        lambda content: changed(
            content, ("dimensions.sample", 10**12),
            *((("variables", n), (*v[:2], None)) for n, v in content["variables"].items() if "sample" in v[0]),
        ),
        "variable 'log_weight' has 2,000,000,000,000 values, over 1,000,000,000",
    ),
}  # fmt: skip
TEMPERING = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("log_ratio", "arcs", "weighted_arcs", "log_inverse_extensions", "exchanged")
    },
    "ratios are no numbers": (retyped("log_ratio", "f8", values=np.nan), "variable 'log_ratio': has values that"),
    "arcs have their dimensions mixed": (
        retyped("arcs", "f8", ("run", "parent", "child", "block"), 0.0), "variable 'arcs' has dimensions .*, not",
    ),
}  # fmt: skip
EXACT = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("exact_log_evidence", "exact_arcs")
    },
    "a node too many": (resized(child=6), f"variable 'exact_arcs' has shape .2, 5, 6., not .2, 5, 5.; {AWAY}"),
    "a prior is missing": (resized(prior=1), "variable 'exact_log_evidence' has shape .1,., not .2,."),
    "arcs are short": (retyped("exact_arcs", "f4", values=0.0), "variable 'exact_arcs' is of type float32, not f8"),
    "arcs are one number": (retyped("exact_arcs", "f8", (), 1.0), "variable 'exact_arcs' has dimensions .*, not"),
}
CASES = [
    *((kind, name, *case) for kind in KINDS for name, case in ANY.items()),
    *((kind, name, *case) for kind in KINDS[:2] for name, case in SAMPLES.items()),
    *(("ais_1", name, *case) for name, case in ANNEALING.items()),
    *(("mc3_2", name, *case) for name, case in TEMPERING.items()),
    *(("exact", name, *case) for name, case in EXACT.items()),
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A folder with a sound study, and the contents of its files."""
    folder = tmp_path_factory.mktemp("sound")
    config, families = write(folder / "tiny.yaml", STUDY), folder / "families.nc"
    paths = {kind: folder / f"{kind}.nc" for kind in KINDS}
    for arguments in (
        ("families", config, "--output", families),
        ("exact-orders", config, families, "--output", paths["exact"]),
        *(("sample", config, kind, "run-000", families, "--output", paths[kind]) for kind in KINDS[:2]),
    ):
        result = CliRunner().invoke(main, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
    return {kind: (path.read_bytes(), read_content(path)) for kind, path in paths.items()}


@pytest.fixture
def paths(sound, tmp_path):
    write(tmp_path / "tiny.yaml", STUDY)
    return {kind: write(tmp_path / f"{kind}.nc", whole) for kind, (whole, _) in sound.items()}


def collected(paths):
    study = load(paths["exact"].with_name("tiny.yaml"))
    return collect(study, {kind: [paths[kind]] for kind in KINDS[:2]}, [paths["exact"]])


def check(paths, kind, message):
    before = snapshot(paths[kind].parent)
    with pytest.raises(StoreError, match=f"(?s){message}") as caught:
        collected(paths)
    assert str(caught.value).startswith(f"{paths[kind]}: ")
    assert snapshot(paths[kind].parent) == before


def test_sound_files_are_collected(paths):
    tree = collected(paths)
    assert (tree["ais_1"].sizes["run"], tree["mc3_2"].sizes["run"]) == (2, 2)
    assert np.isfinite(tree.exact_log_evidence).all()


@pytest.mark.parametrize(
    ("kind", "change", "message"), [(k, *rest) for k, _, *rest in CASES], ids=[f"{k}: {n}" for k, n, *_ in CASES]
)
def test_a_changed_file_is_refused(kind, change, message, sound, paths):
    write_content(paths[kind], change(sound[kind][1]))
    check(paths, kind, message)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", BYTES)
def test_a_damaged_file_is_refused(kind, damage, sound, paths):
    paths[kind].write_bytes(BYTES[damage](sound[kind][0]))
    check(paths, kind, "not a readable netCDF file .*move it away")
