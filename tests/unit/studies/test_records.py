"""Stores keep what they were given, are written whole or not at all, and are refused when they cannot be trusted.

Sources of truth: the arrays that were written, read back by ``ockham.studies.records`` and, independently, by xarray.
"""

from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import scipy
import xarray as xr
from reference import tiny_study
from reference.stored_studies import edited

from ockham.contracts import Doubt, Evidence, OverRuns
from ockham.errors import StoreError
from ockham.io import netcdf as stores
from ockham.io import whole_files
from ockham.networks.structure_space import bipartite
from ockham.streams import cell_stream
from ockham.studies import keys, records
from ockham.studies.cells import draw_replicate

CONFIG = tiny_study.NETWORKS | {
    "only": None,
    "scorers": {"em": {"runs": 2, "split": {}}, "vb": {"split": {}}, "exact": {"split": {}}},
}
DIMENSIONS = ("replicate", "n", "structure", "run")


def study_of(**changes):
    return tiny_study.study_of(CONFIG | changes)


STUDY = study_of()
BLOCK = STUDY.blocks("em")["all"]


def filled(study, block, seed=1):
    """A block with a different number in every place."""
    rng = np.random.default_rng(seed)
    values = records.empty_block(study, block)
    for array in values.scores.values():
        array[...] = rng.normal(-50, 10, array.shape)
    last = list(values.scores)[-1]
    for name in ("n_iterations", "hit_cap", f"{last}_monte_carlo_error"):
        values.diagnostics[name] = rng.integers(0, 1000, values.keys.shape).astype(float)
    values.standard_errors[last] = rng.exponential(1.0, values.keys.shape)
    values.degrees_of_freedom[last] = rng.integers(1, 9, values.keys.shape).astype(float)
    values.effective_sample_sizes[last] = rng.exponential(100.0, values.keys.shape)
    for array in values.doubts.values():
        array[...] = rng.integers(0, 128, array.shape)
    values.keys[...] = rng.integers(1, 2**63, values.keys.shape)
    return values


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "scores" / "em" / "all.nc"
    records.write_block(path, STUDY, BLOCK, filled(STUDY, BLOCK))
    return path


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data" / "replicate-002.nc"
    records.write_draw(path, STUDY, draw_replicate(STUDY, 2))
    return path


def same_block(a, b):
    np.testing.assert_array_equal(a.keys, b.keys)
    for here, there in (
        (a.scores, b.scores),
        (a.standard_errors, b.standard_errors),
        (a.effective_sample_sizes, b.effective_sample_sizes),
        (a.doubts, b.doubts),
        (a.diagnostics, b.diagnostics),
    ):
        assert here.keys() == there.keys()
        for name in here:
            assert here[name].tobytes() == there[name].tobytes()


def test_a_block_comes_back_bit_for_bit(tmp_path):
    values = filled(STUDY, BLOCK)
    values.scores["map"].flat[:4] = np.nan, -np.inf, np.nextafter(-1, 0), -0.0
    values.keys.flat[:2] = records.NO_KEY, 2**63 - 1
    records.write_block(tmp_path / "all.nc", STUDY, BLOCK, values)
    same_block(records.read_block(tmp_path / "all.nc", STUDY, BLOCK), values)


def test_an_empty_block_comes_back_empty(tmp_path):
    empty = records.empty_block(STUDY, BLOCK)
    assert empty.keys.shape == (2, 2, 4, 2)
    assert (empty.keys == records.NO_KEY).all()
    assert all(np.isnan(array).all() for array in empty.scores.values())
    records.write_block(tmp_path / "all.nc", STUDY, BLOCK, empty)
    same_block(records.read_block(tmp_path / "all.nc", STUDY, BLOCK), empty)


def test_a_new_block_that_lacks_cells_has_no_specification_that_the_workflow_takes(tmp_path):
    """Or the workflow would find nothing to do, and what collects the cells would refuse it."""
    values = filled(STUDY, BLOCK)
    for key, complete in ((1, True), (0, False)):
        values.keys.flat[-1] = key
        records.write_block(tmp_path / "block.nc", STUDY, BLOCK, values)
        found = records.read_block(tmp_path / "block.nc", STUDY, BLOCK).specification
        assert (found == keys.block_specification(STUDY, BLOCK)) == complete


def test_a_draw_comes_back_bit_for_bit(data):
    written, read = draw_replicate(STUDY, 2), records.read_draw(data, STUDY)
    assert read.replicate == written.replicate == 2
    assert read.parameters.tobytes() == written.parameters.tobytes()
    np.testing.assert_array_equal(read.states, written.states)
    assert read.states.dtype == np.int16


@pytest.mark.parametrize("scorer", CONFIG["scorers"])
def test_xarray_reads_a_block_with_labels_and_units(scorer, tmp_path):
    block = STUDY.blocks(scorer)["all"]
    values = filled(STUDY, block)
    records.write_block(tmp_path / "all.nc", STUDY, block, values)
    with xr.open_dataset(tmp_path / "all.nc") as found:
        coordinates = {"replicate": [1, 2], "n": [5, 10], "structure": list(STUDY.models), "run": block.runs}
        assert {name: found[name].values.tolist() for name in found.coords} == coordinates
        (random,) = values.standard_errors
        beside = {f"{random}_{name}" for name in ("standard_error", "degrees_of_freedom", "effective_sample_size")}
        beside |= {f"{name}_doubt" for name in values.scores}
        assert set(found.data_vars) == {*values.scores, *beside, *values.diagnostics, "key"}
        error, labels = found[f"{random}_monte_carlo_error"].attrs, records.DIAGNOSTICS["monte_carlo_error"]
        assert (error["long_name"], error["units"]) == (f"{labels[0]}: {found[random].long_name}", labels[1])
        assert found[f"{random}_standard_error"].attrs["units"] == "nats"
        for name, array in values.doubts.items():
            about = found[f"{name}_doubt"]
            assert about.dtype == np.uint8
            assert about.attrs["flag_masks"].tolist() == [int(flag) for flag in Doubt]
            assert about.attrs["flag_meanings"].split() == [flag.name.lower() for flag in Doubt]
            np.testing.assert_array_equal(about.values, array)
        for name, array in values.scores.items():
            assert found[name].dims == DIMENSIONS
            assert found[name].dtype == np.float64
            assert found[name].attrs["units"] == "nats"
            assert found[name].attrs["bound"] in ("none", "lower", "upper")
            assert found[name].attrs["local"] in (0, 1)
            assert found[name].attrs["over_runs"] in get_args(OverRuns)
            np.testing.assert_array_equal(found[name].values, array)
        assert all(found[name].attrs["long_name"] for name in found.variables)
        assert all(found[name].attrs["units"] for name in found.variables if name != "structure")
        assert found["key"].dtype == np.int64
        expected = {"study": "tiny", "scorer": scorer, "block": "all", "root_seed": "3", **stores.provenance()}
        expected |= {"numpy_version": np.__version__, "scipy_version": scipy.__version__}
        assert expected.items() <= found.attrs.items()
        assert found.attrs["specification"] == keys.block_specification(STUDY, block)
        assert len(found.attrs["scorer_code"]) == 64


def test_xarray_reads_a_draw_with_labels_and_units(data):
    truth = STUDY.truth
    with xr.open_dataset(data) as found:
        assert found["states"].dims == ("row", "variable")
        assert found["states"].shape == (10, 3)
        assert found["variable"].values.tolist() == ["s1", "y1", "y2"]
        assert found["hidden"].values.tolist() == [1, 0, 0]
        assert all(found[name].attrs["long_name"] for name in found.variables)
        for variable, configuration, value, theta in zip(
            *(found[name].values for name in ("entry_variable", "entry_configuration", "entry_value", "parameters")),
            strict=True,
        ):
            assert theta == truth.family(variable, found["parameters"].values)[configuration, value]
        expected = {"study": "tiny", "replicate": 2, "true_structure": "1-1", "parameters_from": "drawn"}
        assert expected.items() <= found.attrs.items()


def by_coordinates(study, block, values):
    """Every number under its coordinates."""
    coordinates = product(block.replicates, block.sizes, study.models, block.runs)
    flat = {"key": values.keys.ravel(), **{name: array.ravel() for name, array in values.scores.items()}}
    flat |= {name: array.ravel() for name, array in values.diagnostics.items()}
    flat |= {f"{name} error": array.ravel() for name, array in values.standard_errors.items()}
    return {cell: {name: array[i] for name, array in flat.items()} for i, cell in enumerate(coordinates)}


@pytest.mark.parametrize(
    "change",
    [
        {"sizes": [2, 5, 7, 10, 12]},
        {"sizes": [10]},
        {"sizes": [3, 4]},
        {"replicates": {"prior_draws": 5}},
        {"replicates": {"prior_draws": 1}},
        {"only": ["1-1", "0-0"]},
        {"scorers": {"em": {"runs": 4, "split": {}}}},
        {"scorers": {"em": {"runs": 1, "split": {}, "sizes": [10], "replicates": [2]}}},
        {"sizes": [5, 20], "only": ["0-1", "1-0"], "scorers": {"em": {"runs": 3, "split": {}}}},
    ],
    ids=str,
)
def test_cells_are_found_by_their_coordinates(change, store):
    """What the grid still has is kept, what it dropped is gone, and what is new is empty."""
    written = by_coordinates(STUDY, BLOCK, filled(STUDY, BLOCK))
    study = study_of(**change)
    block = study.blocks("em")["all"]
    read = by_coordinates(study, block, records.read_block(store, study, block))
    assert len(read) == len(block.replicates) * len(block.sizes) * len(study.models) * len(block.runs)
    for cell, found in read.items():
        if cell in written:
            assert found == written[cell]
        else:
            assert found["key"] == records.NO_KEY
            assert all(np.isnan(value) for name, value in found.items() if name != "key")


def test_structures_are_found_by_label_in_any_order(store):
    study = study_of(only=list(reversed(bipartite([2], [2, 3]))))
    values, written = records.read_block(store, study, study.blocks("em")["all"]), filled(STUDY, BLOCK)
    np.testing.assert_array_equal(values.keys, written.keys[:, :, ::-1])


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize("failing", ["add_variable", "add_labels"])
def test_a_failed_write_leaves_what_was_there(existing, failing, tmp_path, monkeypatch):
    path = tmp_path / "all.nc"
    if existing:
        records.write_block(path, STUDY, BLOCK, filled(STUDY, BLOCK))
    before = path.read_bytes() if existing else None
    original, calls = getattr(records, failing), []

    def broken(*arguments):
        calls.append(arguments)
        if len(calls) == (4 if failing == "add_variable" else 1):
            raise OSError("no space left on device")
        return original(*arguments)

    monkeypatch.setattr(records, failing, broken)
    with pytest.raises(StoreError, match=r"all\.nc: cannot be written \(no space.*make room"):
        records.write_block(path, STUDY, BLOCK, filled(STUDY, BLOCK, seed=2))
    assert [p.name for p in tmp_path.iterdir()] == ["all.nc"] * existing
    assert (path.read_bytes() if existing else None) == before


def test_a_write_that_cannot_be_renamed_leaves_no_trace(store, monkeypatch):
    before = store.read_bytes()

    def broken(*_):
        raise PermissionError("read-only")

    monkeypatch.setattr(whole_files.os, "replace", broken)
    with pytest.raises(StoreError, match="cannot be written"):
        records.write_block(store, STUDY, BLOCK, filled(STUDY, BLOCK, seed=2))
    assert list(store.parent.iterdir()) == [store]
    assert store.read_bytes() == before


def test_a_write_replaces_the_whole_file(store):
    values = records.empty_block(STUDY, BLOCK)
    records.write_block(store, STUDY, BLOCK, values)
    same_block(records.read_block(store, STUDY, BLOCK), values)
    assert list(store.parent.iterdir()) == [store]


def read_as_block(path):
    return records.read_block(path, STUDY, BLOCK)


def read_as_draw(path):
    return records.read_draw(path, STUDY)


def refused(read, path, message):
    with pytest.raises(StoreError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.99])
@pytest.mark.parametrize(("kind", "read"), [("store", read_as_block), ("data", read_as_draw)])
def test_a_truncated_file_is_refused(share, kind, read, request):
    path = request.getfixturevalue(kind)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    refused(read, path, "not a readable netCDF file .* truncated or foreign: move it away")


@pytest.mark.parametrize("content", [b"n,score\n1,2\n", b"CDF\x09 something", b"\x89HDF\r\n\x1a\nnothing"], ids=str)
@pytest.mark.parametrize("read", [read_as_block, read_as_draw, stores.describe])
def test_what_is_no_netcdf_is_refused(content, read, tmp_path):
    path = tmp_path / "all.nc"
    path.write_bytes(content)
    refused(read, path, "not a readable netCDF file")


@pytest.mark.parametrize("read", [read_as_block, read_as_draw, stores.describe])
def test_a_missing_file_and_a_folder_are_refused(read, tmp_path):
    refused(read, tmp_path / "missing.nc", "(not a readable netCDF file|cannot be read) .*No such file")
    refused(read, tmp_path, "not a readable netCDF file")


@pytest.mark.parametrize(("read", "attribute"), [(read_as_block, "study"), (read_as_draw, "replicate")])
def test_a_foreign_netcdf_is_refused(read, attribute, tmp_path):
    path = tmp_path / "weather.nc"
    xr.Dataset({"temperature": ("day", [1.0, 2.0])}).to_netcdf(path)
    refused(read, path, "not a readable netCDF file .no digest at its end.; .* move it away")
    whole_files.seal(path)
    refused(read, path, f"has no attribute '{attribute}': not a store of Ockham; move the file away")


def edit(path, change):
    with edited(path) as file:
        change(file)


@pytest.mark.parametrize("name", ["study", "scorer", "block"])
def test_a_block_without_an_attribute_is_refused(name, store):
    edit(store, lambda file: file.delncattr(name))
    refused(read_as_block, store, f"has no attribute '{name}'")


@pytest.mark.parametrize("name", ["replicate", "specification"])
def test_a_draw_without_an_attribute_is_refused(name, data):
    edit(data, lambda file: file.delncattr(name))
    refused(read_as_draw, data, f"has no attribute '{name}'")


@pytest.mark.parametrize("name", ["key", "map", "n", "structure", "run", "replicate"])
def test_a_block_without_a_variable_is_refused(name, store):
    edit(store, lambda file: file.renameVariable(name, "elsewhere"))
    refused(read_as_block, store, f"has no variable '{name}': not a store of Ockham; move the file away")


@pytest.mark.parametrize("name", ["parameters", "states"])
def test_a_draw_without_a_variable_is_refused(name, data):
    edit(data, lambda file: file.renameVariable(name, "elsewhere"))
    refused(read_as_draw, data, f"has no variable '{name}'")


def test_the_block_of_another_study_scorer_or_name_is_refused(store):
    other = study_of(study="other")
    with pytest.raises(StoreError, match="attribute study is 'tiny', expected 'other'; move the file away"):
        records.read_block(store, other, other.blocks("em")["all"])
    with pytest.raises(StoreError, match="attribute scorer is 'em', expected 'vb'"):
        records.read_block(store, STUDY, STUDY.blocks("vb")["all"])
    split = study_of(scorers={"em": {}})
    with pytest.raises(StoreError, match="attribute block is 'all', expected 'replicate-001'"):
        records.read_block(store, split, split.blocks("em")["replicate-001"])


@pytest.mark.parametrize(
    "change",
    [
        {"root_seed": 4},
        {"study": "other"},
        {"sizes": [5, 20]},
        {"true_structure": "0-1"},
        {"structures": CONFIG["structures"] | {"prior": 2.0}},
    ],
    ids=str,
)
def test_a_draw_of_another_configuration_is_refused(change, data):
    def read(path):
        return records.read_draw(path, study_of(**change))

    refused(
        read, data, "attribute specification: the data were drawn under another .*remove the file and draw it again"
    )


def test_a_draw_given_another_number_is_refused(data):
    edit(data, lambda file: file.setncattr("replicate", 1))
    refused(read_as_draw, data, "attribute specification")


@pytest.mark.parametrize(
    "change",
    [{"sizes": [1, 2, 10]}, {"replicates": {"prior_draws": 9}}, {"only": ["1-1"]}, {"scorers": {"vb": {}}}],
    ids=str,
)
def test_what_the_data_do_not_depend_on_leaves_a_draw_valid(change, data):
    assert records.read_draw(data, study_of(**change)).replicate == 2


def test_specifications_of_blocks_follow_what_they_depend_on():
    first = keys.block_specification(STUDY, BLOCK)
    assert keys.block_specification(study_of(), study_of().blocks("em")["all"]) == first
    for change in (
        {"root_seed": 4},
        {"sizes": [5, 10, 11]},
        {"only": ["1-1"]},
        {"structures": CONFIG["structures"] | {"prior": 2.0}},
        {"scorers": {"em": {"runs": 3, "split": {}}}},
        {"scorers": {"em": {"runs": 2, "split": {}, "settings": {"tolerance": 0.1}}}},
    ):
        study = study_of(**change)
        assert keys.block_specification(study, study.blocks("em")["all"]) != first, change
    study = study_of(scorers=CONFIG["scorers"] | {"vb": {"settings": {"tolerance": 0.1}}})
    assert keys.block_specification(study, study.blocks("em")["all"]) == first


def test_keys_of_cells_differ_and_are_never_the_empty_one():
    cells = list(product(range(4), (1, 10, 101), ("1-1", "1-10"), range(3)))
    streams = [cell_stream(root, study, *cell) for root in (3, 4) for study in ("tiny", "other") for cell in cells]
    found = {keys.cell_key(base, stream) for base in ("a", "b") for stream in streams}
    assert len(found) == 2 * 2 * 2 * len(cells)
    assert all(0 < key < 2**63 for key in found)
    again = cell_stream(3, "tiny", 1, 10, "1-1", 0), cell_stream(3, "tiny", 1, 10, "1-1", 0)
    assert keys.cell_key("a", again[0]) == keys.cell_key("a", again[1])


LENGTHS = {(0, 0, 1, 0): (3, 2), (1, 0, 0, 1): (1, 4), (0, 1, 3, 1): (2, 1), (1, 1, 2, 0): (0, 0)}
"""Some cells of a block, and the shape of what each leaves: the second is longer one way and shorter the other."""


def grown(kind, order=LENGTHS):
    """A block into which arrays of these shapes were put, and what they were."""
    values, rng = records.empty_block(STUDY, BLOCK), np.random.default_rng(1)
    left = {index: rng.integers(1, 9, shape).astype(kind) for index, shape in LENGTHS.items()}
    for index in order:
        evidence = Evidence(-1.0, arrays={"trace": left[index]}, diagnostics={"acceptance": 0.5})
        values.put(index, dict.fromkeys(values.scores, evidence))
    return values, left


@pytest.mark.parametrize("kind", ["f8", "u8", "i4"])
def test_arrays_make_room_for_the_longest(kind):
    """Each is in the corner of its place, and the rest is NaN, or 0 in whole numbers, cells never put included."""
    values, left = grown(kind)
    trace = values.arrays["trace"]
    assert (trace.shape, trace.dtype) == ((2, 2, 4, 2, 3, 4), np.dtype(kind))
    for index in np.ndindex(BLOCK.shape):
        rows, columns = left[index].shape if index in left else (0, 0)
        rest = np.ones((3, 4), dtype=bool)
        rest[:rows, :columns] = False
        if index in left:
            np.testing.assert_array_equal(trace[index][:rows, :columns], left[index])
        assert (np.isnan(trace[index][rest]) if kind == "f8" else trace[index][rest] == 0).all()


def test_the_order_in_which_arrays_come_does_not_matter():
    forwards, backwards = grown("f8")[0], grown("f8", reversed(LENGTHS))[0]
    for name, array in forwards.variables().items():
        np.testing.assert_array_equal(array, backwards.variables()[name], err_msg=name)
    assert (forwards.diagnostics["acceptance"] == 0.5).sum() == len(LENGTHS)


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (4, 5), (2, 3)])
def test_padding_keeps_what_is_there(shape):
    small = np.arange(2.0).reshape(1, 2)
    larger = records.padded(small, shape)
    assert larger.shape == shape
    np.testing.assert_array_equal(larger[:1, :2], small)
    assert np.isnan(larger).sum() == larger.size - small.size


@pytest.mark.parametrize("arrays", [{}, {"trace": np.array([2.0])}], ids=["no arrays", "arrays"])
def test_only_what_scores_share_is_stored_once(arrays):
    """Each of the scores of a fit may have a diagnostic, or an array, that the one before has not."""
    values, shared = records.empty_block(STUDY, BLOCK), {"acceptance": 0.5}
    first, second, *_ = values.scores
    others = shared if arrays else {"strength": 7.0}
    values.put((0, 0, 0, 0), {first: Evidence(-1.0, 3, 4, shared), second: Evidence(-2.0, 3, 4, others, arrays)})
    assert values.diagnostics["acceptance"][0, 0, 0, 0] == 0.5
    if arrays:
        assert values.arrays["trace"][0, 0, 0, 0] == 2.0
    else:
        assert values.diagnostics["strength"][0, 0, 0, 0] == 7.0


def test_degrees_of_freedom_are_stored_where_an_error_is_made_of_a_few_values():
    values = records.empty_block(STUDY, BLOCK)
    first, second, *_ = values.scores
    few, many = Evidence(-1.0, 0.1, degrees_of_freedom=7.0), Evidence(-2.0, 0.1)
    values.put((0, 0, 0, 0), {first: few, second: many})
    assert values.degrees_of_freedom[first][0, 0, 0, 0] == 7
    assert np.isnan(values.degrees_of_freedom[first]).sum() == values.keys.size - 1
    assert second not in values.degrees_of_freedom


def test_an_array_of_more_dimensions_than_its_name_has_is_refused():
    values, _ = grown("f8")
    with pytest.raises(ValueError, match="broadcast"):
        values.put((0, 0, 0, 0), dict.fromkeys(values.scores, Evidence(-1.0, arrays={"trace": np.zeros(2)})))


def test_description_has_every_group_however_deep(tmp_path):
    ranks = xr.Dataset({"rank": ("n", [1.0, 2.0], {"units": "1"})})
    stores.write(tmp_path / "a.nc", xr.DataTree.from_dict({"/few/league/top": ranks}))
    lines = stores.describe(tmp_path / "a.nc").splitlines()
    assert [line for line in lines[1:] if line[0] != " "] == ["root", "/few", "/few/league", "/few/league/top"]
    assert lines[-1] == "  rank(n): 1 to 2 1, 2 of 2 known"


def test_description_names_what_is_inside(store):
    text = stores.describe(Path(store))
    for part in (f"{store}", "scorer: em", "dimension structure = 4", "map(replicate, n, structure, run): -", "nats"):
        assert part in text
    assert "32 of 32 known" in text
