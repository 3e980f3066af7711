"""Tables for structure learning: what is read, and what is refused.

The files of the archives are no part of the project: small ones stand in, and where OCKHAM_DATA names a folder of the
real ones they are read too. Facts about those are the archives' own.
"""

import os

import numpy as np
import pytest

from ockham.errors import DataError
from ockham.io import download
from ockham.io.bif import read_bif
from ockham.orders.data import structure_data
from ockham.orders.data.structure_data import StructureData, read_data_set
from ockham.streams import Stream

STREAM = Stream(1, "test")

BIF = """network unknown {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable grass {
  type discrete [ 3 ] { wet, damp, dry };
}
variable sprinkler {
  type discrete [ 2 ] { on, off };
}
probability ( rain ) {
  table 0.2, 0.8001;
}
probability ( sprinkler ) {
  table 0.5, 0.5;
}
probability ( grass | sprinkler, rain ) {
  (on, yes) 0.9, 0.1, 0.0;
  (off, yes) 0.7, 0.2, 0.1;
  (on, no) 0.6, 0.3, 0.1;
  (off, no) 0.0, 0.25, 0.75;
}
"""


def table(names, *rows):
    """Data whose states are in the order of their text."""
    values = tuple(tuple(sorted(set(column))) for column in zip(*rows, strict=True))
    states = [[of.index(cell) for of, cell in zip(values, row, strict=True)] for row in rows]
    return StructureData(tuple(names), values, np.array(states, dtype=np.int16))


def test_rows_keep_the_states_of_the_whole_table():
    data = table("ab", "1x", "2y", "3x")
    some = data.rows(np.array([2, 0]))
    assert some.states.tolist() == [[2, 0], [0, 0]]
    assert some.cardinalities == (3, 2)
    chosen = data.variables(["b"])
    assert chosen.names == ("b",)
    assert chosen.states.tolist() == [[0], [1], [0]]
    with pytest.raises(DataError, match="unknown variable 'c': the data have a, b"):
        data.variables(["c"])


def test_the_digest_tells_names_states_and_rows():
    tables = [
        table("ab", "1x", "2y"), table("ac", "1x", "2y"), table("ab", "1x", "3y"), table("ab", "2y", "1x"),
        table("ab", "1x", "2x"),
    ]  # fmt: skip
    assert len({data.digest for data in tables}) == len(tables)


def test_a_network_in_bif(tmp_path):
    path = tmp_path / "small.bif"
    path.write_text(BIF)
    network = read_bif(path)
    assert network.names == ("rain", "grass", "sprinkler")
    assert network.values == (("yes", "no"), ("wet", "damp", "dry"), ("on", "off"))
    assert network.parents == ((), (0, 2), ())
    np.testing.assert_allclose(network.tables[0], [[0.2 / 1.0001, 0.8001 / 1.0001]], rtol=1e-7)
    for table in network.tables:
        np.testing.assert_allclose(table.sum(axis=1), 1, rtol=1e-15)
    # the first parent, rain, varies slowest
    expected = [[0.9, 0.1, 0.0], [0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.0, 0.25, 0.75]]
    np.testing.assert_allclose(network.tables[1], expected, atol=1e-7)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("0.9, 0.1, 0.0", "0.9, 0.1, 0.1"), r"small\.bif: probabilities of 'grass' sum to 1\.1 in a row"),
        (("probability ( sprinkler )", "probability sprinkler"), r"small\.bif: not a network in BIF"),
    ],
)
def test_a_broken_network_is_refused(tmp_path, change, message):
    path = tmp_path / "small.bif"
    path.write_text(BIF.replace(*change))
    with pytest.raises(DataError, match=message):
        read_bif(path)


def test_a_network_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"none\.bif: cannot be read \(No such file"):
        read_bif(tmp_path / "none.bif")


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Stand-ins for the archives' files, whose content is not what the digests say."""
    monkeypatch.setenv("OCKHAM_DATA", str(tmp_path))
    monkeypatch.setattr(download, "DIGESTS", {})
    row = ",".join("abcdefghijklmnopqrstuvw")
    (tmp_path / "agaricus-lepiota.data").write_text("".join(f"{row[:-1]}{last}\n" for last in "xyzx"))
    (tmp_path / "promoters.data").write_text(f"+,S10,\t\t{'acgt' * 14}a\n-,  867,\t{'tgca' * 14}c\n")
    (tmp_path / "alarm.bif").write_text(BIF)
    return monkeypatch


@pytest.mark.parametrize("name", structure_data.DATA_SETS)
def test_other_content_is_refused(archive, name):
    with pytest.raises(
        DataError, match=rf"{name}: the file does not hold the expected .*; remove it from .* and fetch .*"
    ):
        read_data_set(name, 2, STREAM)


def test_what_the_archives_files_mean(archive):
    archive.setattr(structure_data, "_checked", lambda _name, _path, data, _n: data)
    mushroom = read_data_set("mushroom", 4, STREAM)
    assert mushroom.names[0] == "cap-shape"
    assert mushroom.values[0] == ("b",)
    assert mushroom.values[21] == ("x", "y", "z")
    assert sorted(mushroom.states[:, 21].tolist()) == [0, 0, 1, 2]
    fewer = read_data_set("mushroom", 2, STREAM)
    assert fewer.states.tolist() == mushroom.states[:2].tolist()
    promoters = read_data_set("promoters", 2, STREAM)
    assert promoters.names[:2] == ("class", "base-50")
    assert promoters.names[-1] == "base+7"
    assert promoters.cardinalities == (2, *[2] * 57)
    assert promoters.values[0] == ("+", "-")


@pytest.mark.skipif("OCKHAM_DATA" not in os.environ, reason="OCKHAM_DATA does not name a folder of the archives' files")
def test_the_data_sets_are_what_the_archives_have():
    mushroom = read_data_set("mushroom", 8124, STREAM)
    root = mushroom.names.index("stalk-root")
    assert (mushroom.states[:, root] == mushroom.values[root].index("?")).sum() == 2480
    assert mushroom.cardinalities[mushroom.names.index("veil-type")] == 1
    promoters = read_data_set("promoters", 106, STREAM)
    assert promoters.states.shape == (106, 58)
    assert np.bincount(promoters.states[:, 0]).tolist() == [53, 53]
    alarm = read_data_set("alarm", 20_000, STREAM)
    assert len(alarm.names) == 37
    # P(HISTORY = TRUE) = .9 * .05 + .01 * .95 in the network
    history = alarm.states[:, alarm.names.index("HISTORY")] == alarm.values[alarm.names.index("HISTORY")].index("TRUE")
    expected = 0.9 * 0.05 + 0.01 * 0.95
    assert abs(history.mean() - expected) < 4 * np.sqrt(expected * (1 - expected) / 20_000)
    with pytest.raises(DataError, match="promoters: has 106 rows, not 107; ask for fewer"):
        read_data_set("promoters", 107, STREAM)
