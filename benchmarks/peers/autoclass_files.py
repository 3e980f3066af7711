"""What AutoClass reads and writes: a folder of small text files.

It takes its starts from the second of the clock, so that tries within one second are the same try.
"""

import re
import subprocess
import time

__all__ = ["go_on", "report", "search", "write"]


def write(folder, rows, attributes, models, n_classes, n_tries):
    """Rows of cells as texts, what AutoClass says of each attribute, its models, and how to search."""
    files = {
        "db2": [" ".join(row) for row in rows],
        "hd2": [
            "num_db2_format_defs 1",
            f"number_of_attributes {len(attributes)}",
            *(f"{i} {text}" for i, text in enumerate(attributes)),
        ],
        "model": [f"model_index 0 {len(models)}", *models],
        "s-params": [
            f"fixed_j = {n_classes}",
            f"max_n_tries = {n_tries}",
            "interactive_p = false",
            "force_new_search_p = true",
            "min_report_period = 30000",
        ],
        "r-params": ['report_mode = "data"', 'report_type = "xref_case"'],
    }
    for name, lines in files.items():
        (folder / f"rows.{name}").write_text("".join(f"{line}\n" for line in lines))


def search(folder, n_classes):
    """The highest approximate log marginal likelihood of the tries with this many classes."""
    for name in ("results-bin", "search", "log"):  # of a repeat, or it asks whether to discard them
        (folder / f"rows.{name}").unlink(missing_ok=True)
    return _searched(folder, n_classes)


def go_on(folder, n_classes, n_tries):
    """The same after more tries, each of a second of its own."""
    path = folder / "rows.s-params"
    settings = path.read_text().replace("force_new_search_p = true", "force_new_search_p = false")
    path.write_text(re.sub("max_n_tries = .*", "max_n_tries = 1", settings))
    for _ in range(n_tries):
        time.sleep(1.0)
        highest = _searched(folder, n_classes)
    return highest


def _searched(folder, n_classes):
    found = _run(folder, "-search", "db2", "hd2", "model", "s-params")
    return max(float(value) for value in re.findall(rf"exp\((-[\d.]+)\) N_CLASSES +{n_classes}\b", found))


def report(folder):
    """The most probable class of every row, after a search."""
    _run(folder, "-reports", "results-bin", "search", "r-params")
    lines = (folder / "rows.case-data-1").read_text().splitlines()
    return [int(line.split()[1]) for line in lines if line[:1].isdigit()]


def _run(folder, mode, *files):
    command = ["autoclass", mode, *(f"rows.{name}" for name in files)]
    quiet = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
    return subprocess.run(command, cwd=folder, check=True, **quiet).stdout
