"""What the stores, tables and figures of a folder of results hold, a SHA-256 for each, and what differs from another's.

    python tests/values/values.py write WORKFLOW [RESULTS FIGURES] > values.txt
    python tests/values/values.py compare before.txt after.txt

Names of files and groups, attributes, keys and measured times do not count; dimensions of one value do not either. So a
change of layout is seen as a move, and a change of any number as a difference: the exit status is then 1. Figures are
drawn again with every measured time replaced, and the numbers that they draw are what counts.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import netCDF4
import numpy as np
import pandas as pd
import yaml

TIMES = ("computation_time.csv",)
"""Tables of nothing but times."""


def of_stores(folder: Path) -> Iterator[tuple[str, str]]:
    """Name and digest of every variable of every netCDF file below a folder."""
    for path in sorted(folder.rglob("*.nc")):
        with netCDF4.Dataset(path) as file:
            file.set_auto_mask(False)
            for group in (file, *file.groups.values()):
                for name, variable in group.variables.items():
                    if name != "key" and getattr(variable, "units", "") != "s":
                        place = f"{path.relative_to(folder)}{group.path.rstrip('/')}"
                        yield f"{place}:{name}", digest(np.asarray(variable[:]))


def of_tables(folder: Path) -> Iterator[tuple[str, str]]:
    """Name and digest of every column of every table below a folder."""
    for path in sorted(folder.rglob("*.csv")):
        if path.name not in TIMES:
            for name, column in pd.read_csv(path, dtype=str, keep_default_na=False).items():
                yield f"{path.relative_to(folder)}:{name}", digest(column.to_numpy(dtype=object))


def of_figures(drawn: Iterator[tuple[str, object]]) -> Iterator[tuple[str, str]]:
    """Name and digest of all that each panel of each figure draws."""
    for name, figure in drawn:
        for i, axes in enumerate(figure.axes):
            lines = [np.asarray(line.get_xydata(), dtype=float) for line in axes.lines]
            spots = [np.asarray(part.get_offsets(), dtype=float) for part in axes.collections]
            shapes = [path.vertices for part in axes.collections for path in part.get_paths()]
            images = [np.asarray(image.get_array(), dtype=float) for image in axes.images]
            together = "".join(digest(array) for array in (*lines, *spots, *shapes, *images))
            yield f"{name}:panel {i}", hashlib.sha256(together.encode()).hexdigest()


def digest(values: np.ndarray) -> str:
    """SHA-256 of type, shape without dimensions of one, and content."""
    values = np.squeeze(values)
    content = repr(values.tolist()).encode() if values.dtype == object else np.ascontiguousarray(values).tobytes()
    return hashlib.sha256(f"{values.dtype.str} {values.shape} ".encode() + content).hexdigest()


def without_times(tree):
    """A tree of xarray in which every measured time is a number that tells nothing but its place."""

    def stopped(dataset):
        for name, variable in dataset.data_vars.items():
            if variable.attrs.get("units") == "s":
                ramp = 1.0 + np.arange(variable.size).reshape(variable.shape)
                dataset = dataset.assign({name: variable.copy(data=ramp)})
        return dataset

    return tree.map_over_datasets(stopped)


def compare(before: Path, after: Path) -> int:
    """Say what is no longer there; how many are."""
    old, new = (dict(line.split("  ", 1)[::-1] for line in path.read_text().splitlines()) for path in (before, after))
    there = Counter((value, name.rpartition(":")[2]) for name, value in new.items())
    same = sum(new.get(name) == value for name, value in old.items())
    lost = [name for name, value in old.items() if new.get(name) != value and not there[value, name.rpartition(":")[2]]]
    for name in lost:
        print(f"{'DIFFERENT' if name in new else 'NOT THERE'}  {name}")
    moved = len(old) - same - len(lost)
    print(f"{len(old)} before: {same} the same, {moved} the same elsewhere, {len(lost)} not found; {len(new)} after")
    return bool(lost)


def figures(workflow: Path, results: Path) -> Iterator[tuple[str, object]]:
    """Every figure of a workflow's studies whose store is there, drawn again."""
    import matplotlib

    matplotlib.use("Agg")
    from ockham import families
    from ockham.studies.collecting import open_store
    from ockham.studies.loading import load
    from ockham.studies.shown import record_of, shown_by
    from ockham.studies.study_files import conditions_of

    settings = yaml.safe_load(workflow.read_text())
    for study in settings["studies"]:
        conditions = [load(source) for source in conditions_of(f"{settings['config']}/{study}.yaml")]
        store, paper = results / study / "summaries.nc", record_of(conditions)
        for figure in shown_by(paper, conditions)[0] if store.exists() else ():
            with open_store(store) as tree:
                yield f"{study}/{figure}", families.load(paper.figures[figure].function)(without_times(tree))


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["compare"] and len(arguments) == 3:
        return compare(Path(arguments[1]), Path(arguments[2]))
    if arguments[:1] != ["write"] or len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    workflow = Path(arguments[1])
    pathvars = yaml.safe_load(workflow.read_text())["pathvars"]
    results, shown = (Path(given) for given in (arguments[2:] or (pathvars["results"], pathvars["figures"])))
    for part in (of_stores(results), of_tables(shown), of_figures(figures(workflow, results))):
        for name, value in part:
            print(f"{value}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
