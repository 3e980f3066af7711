"""A data file that does not hold what it should is refused: tables, networks, and the files of the archives.

Each case is a sound file with one thing changed. The source of truth is the list of what is wrong; every refusal
names the file or the data set, the place and a remedy. The archives' files are no part of the project: stand-ins have
other values than the digests say.
"""

import tracemalloc

import pytest
from bad_input.support import REMOVED, refused, snapshot, study_with, write

from ockham.errors import DataError
from ockham.io import download
from ockham.io.bif import read_bif
from ockham.networks.data.real import DATA_SETS
from ockham.orders.data.reading import complete_table
from ockham.orders.data.structure_data import read_data_set
from ockham.streams import Stream

SOUND = b"a,b\n1,x\n2,y\n"
TABLES = {
    "nothing": (b"", "has 0 rows; need a row of names"),
    "names alone": (b"a,b\n", "has 1 rows; need a row of names and at least one row of states"),
    "empty lines": (b"\n\n\n", "has 0 rows"),
    "commas alone": (b",,,\n,,,\n", "line 1, column 1: has no name"),
    "no name": (b"a,,c\n1,2,3\n", "line 1, column 2: has no name; name every variable"),
    "blank name": (b"a, \n1,2\n", "line 1, column 2: has no name"),
    "name twice": (b"a,b,a\n1,2,3\n", "line 1, column 3: the name 'a' is given twice; rename one"),
    "name twice but for spaces": (b"a, a\n1,2\n", "line 1, column 2: the name 'a' is given twice"),
    "row too short": (SOUND + b"1\n", "line 4: has 1 cells, the first row names 2 variables; give every row"),
    "row too long": (SOUND + b"1,2,3\n", "line 4: has 3 cells"),
    "row too long after an empty line": (SOUND + b"\n1,2,3\n", "line 5: has 3 cells"),
    "semicolons": (b"a,b\n1;2\n", "line 2: has 1 cells"),
    "empty cell": (SOUND + b"1,\n", "1 of 3 rows have missing cells, in the columns 'b'; arcs need complete rows"),
    "blank cell": (SOUND + b" ,x\n", "1 of 3 rows have missing cells, in the columns 'a'"),
    "open quotation": (SOUND + b'"1,2\n', "not a CSV file"),
    "text after a quotation": (SOUND + b'"1"2,x\n', "not a CSV file"),
    "zero byte": (SOUND + b"1,\0\n", "not a CSV file|cannot be printed"),
    "escape sequence in a name": (b"a,\x1b[2J\n1,2\n", "line 1, column 2: .*cannot be printed"),
    "bell in a cell": (SOUND + b"1,\x07\n", "line 4, column 'b': .*cannot be printed"),
    "Latin-1": (SOUND + "1,é\n".encode("latin-1"), "not a CSV file in UTF-8"),
    "UTF-16": ("a,b\n1,2\n".encode("utf-16"), "not a CSV file in UTF-8"),
    "cell of 2,000 characters": (SOUND + b"1," + b"x" * 2000 + b"\n", "line 4, column 'b': has 2000 characters"),
    "cell of 200,000 characters": (SOUND + b"1," + b"x" * 200_000 + b"\n", "not a CSV file.*field larger"),
    "name of 2,000 characters": (b"a," + b"x" * 2000 + b"\n1,2\n", "line 1, column 2: has 2000 characters"),
    "100,000 names, the last one twice": (
        b",".join(b"x%d" % i for i in range(100_000)) + b",x99999\n1\n",
        "column 100001: the name 'x99999' is given twice",
    ),
    "more states than a column may have": (
        b"a\n" + b"\n".join(b"%d" % (i // 3) for i in range(6000)), "column 'a': has 2000 states, 1000 are allowed",
    ),
    "netCDF": (b"\x89HDF\r\n\x1a\n" + bytes(100), "not a CSV file in UTF-8"),
}  # fmt: skip
NETWORK = """network unknown {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable grass {
  type discrete [ 3 ] { wet, damp, dry };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( grass | rain ) {
  (yes) 0.9, 0.1, 0.0;
  (no) 0.0, 0.25, 0.75;
}
"""
MANY_PARENTS = (
    "network n { }\n" + "".join(f"variable v{i} {{ type discrete [ 2 ] {{ 0, 1 }}; }}\n" for i in range(41))
    + "probability ( v40 | " + ", ".join(f"v{i}" for i in range(40)) + " ) { default 0.5, 0.5; }\n"
)  # fmt: skip
MANY = "network n { }\n" + "".join(
    f"variable v{i} {{ type discrete [ 2 ] {{ 0, 1 }}; }}\nprobability ( v{i} ) {{ table 0.5, 0.5; }}\n"
    for i in range(20_001)
)
NETWORKS = {
    "nothing": (None, "", "not a network in BIF"),
    "a word": (None, "hello", "not a network in BIF"),
    "a table": (None, "a,b\n1,2\n", "not a network in BIF"),
    "zero bytes": (None, "\0" * 100, "not a network in BIF"),
    "half of it": (None, NETWORK[: len(NETWORK) // 2], "not a network in BIF"),
    "no variables": (None, "network unknown {\n}\n", "not a network in BIF .line 3: no variable"),
    "a variable twice": ("variable grass", "variable rain", "not a network in BIF"),
    "an unknown variable": ("( rain )", "( snow )", "not a network in BIF"),
    "an unknown parent": ("| rain )", "| snow )", "not a network in BIF"),
    "a variable as its own parent": ("| rain )", "| grass )", "not a network in BIF"),
    "an unknown state": ("(yes) 0.9", "(maybe) 0.9", "not a network in BIF"),
    "fewer states than said": ("[ 3 ]", "[ 4 ]", "not a network in BIF"),
    "a state twice": ("wet, damp", "wet, wet", "not a network in BIF"),
    "one state": ("[ 2 ] { yes, no }", "[ 1 ] { yes }", "not a network in BIF|grass|rain"),
    "a number of states that is none": ("[ 3 ]", "[ three ]", "not a network in BIF"),
    "a row that sums to 1.1": ("0.9, 0.1, 0.0", "0.9, 0.1, 0.1", "probabilities of 'grass' sum to 1.1 in a row"),
    "a row that sums to 0": ("0.9, 0.1, 0.0", "0.0, 0.0, 0.0", "probabilities of 'grass' sum to 0 in a row"),
    "a table that sums to 2": ("table 0.2", "table 1.2", "probabilities of 'rain' sum to 2 in a row"),
    "a negative probability": ("0.9, 0.1, 0.0", "1.2, -0.2, 0.0", "probabilities of 'grass' .*or are negative"),
    "a probability that is no number": ("0.9, 0.1", "nan, 0.1", "not a network in BIF|probabilities of 'grass'"),
    "a probability without bound": ("0.9, 0.1", "1e999, 0.1", "not a network in BIF|probabilities of 'grass'"),
    "a word as a probability": ("0.9, 0.1", "much, 0.1", "not a network in BIF"),
    "a missing row": ("  (no) 0.0, 0.25, 0.75;\n", "", "probabilities of 'grass' sum to 0|not a network in BIF"),
    "a missing probability": ("0.0, 0.25, 0.75", "0.0, 1.0", "not a network in BIF .line 14: 2 probabilities, not 3"),
    "no probabilities of a variable": (
        "probability ( rain ) {\n  table 0.2, 0.8;\n}\n", "", "probabilities of 'rain'|not a network in BIF",
    ),
    "Latin-1": ("0.9, 0.1", "0.9, \udcd2\udcce", "not text in UTF-8"),
    "a brace too few": ("0.75;\n}\n", "0.75;\n", "not a network in BIF"),
    "probabilities twice": ("probability ( grass", "probability ( rain ) {\n  table 0.3, 0.7;\n}\nprobability ( grass",
                            "line 12: the probabilities of this variable are given twice"),
    "a row twice": ("(no)", "(yes)", "line 14: a row is given twice"),
    "a table after rows": ("  (no) 0.0, 0.25, 0.75;", "  table 1, 0, 0, 1, 0, 0;", "'table' in place of one 'table'"),
    "two tables": ("table 0.2, 0.8;", "table 0.2, 0.8; table 0.2, 0.8;", "'table' in place of one 'table'"),
    "two defaults": ("(yes)", "default 1, 0, 0; default 1, 0, 0; (yes)", "'default' in place of one 'table'"),
    "a parent twice": ("| rain )", "| rain, rain )", "line 12: a parent is given twice"),
    "a row of another length": ("(yes)", "(yes, yes)", "line 13: a row of 2 states, not of 1"),
    "two that are each other's parents": (
        "( rain ) {\n  table", "( rain | grass ) {\n  default", "'(rain|grass)' is among its own ancestors",
    ),
    "too many probabilities": ("0.2, 0.8", "0.2, 0.8, 0.1", "more probabilities, not 2"),
    "100,000 states": ("[ 2 ] { yes", "[ 100000 ] { yes", "'100000' states of 'rain'; a variable has 2 to 32767"),
    "more digits than Python reads": ("[ 2 ]", "[ " + "9" * 900 + " ]", "states of 'rain'; a variable has 2 to 32767"),
    "a list of 100,000 states": (
        "{ yes, no }", "{ " + ", ".join(map(str, range(100_000))) + " }", "a list of more than 32767 names",
    ),
    "a name of 1 MB": ("variable rain", "variable " + "x" * 10**6, "line 3: .*has more than 1000 characters"),
    "a number of 1 MB": ("0.9, 0.1", "0." + "9" * 10**6 + ", 0.1", "line 13: .*has more than 1000 characters"),
    "an escape sequence in a name": ("variable rain", "variable \x1b[2J", "line 3: '.x1b' cannot be printed"),
    "a quotation without an end": ("network unknown", 'network "unknown', "line 1: a quotation without an end"),
    "a comment without an end": ("probability ( rain )", "/* probability ( rain )", "'rain' has no probabilities"),
    "many comments without an end": (None, "network " + "/* " * 10**6, "line 1: it ends here"),
    "40 parents": (None, MANY_PARENTS, "tables of more than 10,000,000 probabilities; give a smaller network"),
    "20,001 variables and none to follow": (None, MANY + "variable", "line 40004: it ends here"),
    "more than 20 MB": (None, NETWORK + "\n" * 20_000_000, "more than 20,000,000 bytes"),
}  # fmt: skip


def check(read, path, message):
    before = snapshot(path.parent)
    with pytest.raises(DataError, match=rf"(?s){message}") as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 2000
    assert snapshot(path.parent) == before


def test_the_sound_files_are_read(tmp_path):
    assert complete_table(write(tmp_path / "table.csv", SOUND)).states.tolist() == [[0, 0], [1, 1]]
    assert read_bif(write(tmp_path / "net.bif", NETWORK.encode())).parents == ((), (0,))
    assert len(read_bif(write(tmp_path / "many.bif", MANY.encode())).names) == 20_001


@pytest.mark.parametrize("case", TABLES)
def test_a_broken_table_is_refused(case, tmp_path):
    content, message = TABLES[case]
    check(complete_table, write(tmp_path / "table.csv", content), message)


def test_a_long_cell_makes_no_other_longer(tmp_path):
    path = write(tmp_path / "table.csv", LONG_CELL)
    tracemalloc.start()
    try:
        assert complete_table(path).states.sum(axis=0).tolist() == [1, 1]
        assert tracemalloc.get_traced_memory()[1] < 3e7  # an array of text would take 1.6e8
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("case", NETWORKS)
def test_a_broken_network_is_refused(case, tmp_path):
    old, new, message = NETWORKS[case]
    assert old is None or old in NETWORK
    text = new if old is None else NETWORK.replace(old, new)
    check(read_bif, write(tmp_path / "net.bif", text.encode(errors="surrogateescape")), message)


@pytest.mark.parametrize("read", [complete_table, read_bif])
def test_what_is_no_file_is_refused(read, tmp_path):
    check(read, tmp_path / "missing", "no such file|No such file")
    (tmp_path / "folder").mkdir()
    check(read, tmp_path / "folder", "no such file|[Ii]s a directory")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    check(read, tmp_path / "loop", "no such file|symbolic links")


ARCHIVE = {
    "nothing": b"",
    "one row": b"1,2,3\n",
    "rows of other lengths": b"1,2,3\n1,2\n",
    "other values": b"".join(b",".join([b"%d" % (i % 2)] * 36) + b"\n" for i in range(47)),
    "constant columns": b"".join(b",".join([b"1"] * 36) + b"\n" for _ in range(47)),
    "missing values alone": b"".join(b",".join([b"?"] * 36) + b"\n" for _ in range(47)),
    "Latin-1": "é,1\n".encode("latin-1"),
    "zero bytes": bytes(1000),
    "a page of the web": b"<!doctype html>\n<title>404</title>\n",
    "one long line": b"1," * 100_000 + b"1\n",
}
LONG_CELL = b"a,b\n" + b"0,1\n" * 19_999 + b"1," + b"x" * 1000 + b"\n"
PLACES = {"small_soybean": "soybean-small.data", "mushroom": "agaricus-lepiota.data", "promoters": "promoters.data"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OCKHAM_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    return tmp_path


def real_study(folder):
    size = DATA_SETS["small_soybean"].n
    return write(folder / "tiny.yaml", study_with(
        ("structures", {"space": "naive_bayes", "classes": [1, 2], "feature_cardinalities": "data"}),
        ("data", {"source": "data_set", "name": "small_soybean"}),
        ("only", REMOVED), ("true_structure", REMOVED), ("replicates.prior_draws", 1), ("sizes", [size]),
        ("scorers", {"em": {}}),
    ))  # fmt: skip


def check_archive(folder, name, message):
    if name in DATA_SETS:
        line = ("draw", real_study(folder), "--replicate", 1, "--output", folder / "draw.nc")
        assert len(refused(line, message, folder).splitlines()) == 1
    else:
        with pytest.raises(DataError, match=message):
            read_data_set(name, 10, Stream(1))


@pytest.mark.parametrize("name", PLACES)
def test_bytes_that_are_not_the_archives_are_refused_before_they_are_read(name, folder):
    for content, problem in (
        (b"1,2,3\n", "does not hold the expected bytes"),
        (bytes(10**7 + 1), "more than 10,000,000"),
    ):
        write(folder / "data" / PLACES[name], content)
        check_archive(folder, name, f"{PLACES[name]}: (has )?{problem}.*; remove it from .* and fetch https://.* again")


@pytest.mark.parametrize("case", ARCHIVE)
@pytest.mark.parametrize("name", PLACES)
def test_another_file_of_an_archive_is_refused_without_the_digest_of_its_bytes(name, case, folder, monkeypatch):
    monkeypatch.setattr(download, "DIGESTS", {})
    write(folder / "data" / PLACES[name], ARCHIVE[case])
    check_archive(folder, name, f"({name}|{PLACES[name]}).*: .*fetch .* again")


@pytest.mark.parametrize("name", PLACES)
def test_an_archive_that_is_not_there_is_refused(name, folder):
    check_archive(folder, name, f"{PLACES[name]}: cannot be read .*put https://.* there, or unset OCKHAM_DATA")
    (folder / "data" / PLACES[name]).mkdir()
    check_archive(folder, name, f"{PLACES[name]}: cannot be read .*directory")
