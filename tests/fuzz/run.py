"""Coverage-guided fuzzing of every reader, each for a stated time: ``python tests/fuzz/run.py --seconds 60``.

Needs the extra ``fuzz``. Prints, for each target, how many inputs were tried, how many edges of instrumented Python
code they reached, and whether one ended in anything but a refusal; such an input is kept and named, and the exit status
is then 1.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

TARGETS = ["study", "workflow", "archive", "csv", "published", "bif", "netcdf", "store", "arguments"]
LIMITS = ["-timeout=20", "-rss_limit_mb=3000", "-print_final_stats=1", "-max_len=60000"]


def fuzz(name: str, folder: str, options: list[str]) -> None:
    """Search with one target in this process, which ends with it."""
    import atheris
    from fuzz import targets

    (target,) = (function for function in targets.TARGETS if function.__name__ == name)
    corpus = Path(folder, name)
    corpus.mkdir(parents=True, exist_ok=True)
    for i, content in enumerate(targets.TARGETS[target]):
        (corpus / f"sound-{i}").write_bytes(content)
        target(content)  # what is done once, such as imports, is not of the time that an input may take
    atheris.Setup([name, *options, str(corpus)], target)
    atheris.Fuzz()


def search(name: str, folder: str, seconds: int) -> bool:
    """Search with one target in a process of its own; print what came of it, and return whether it found nothing."""
    options = [*LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={folder}/{name}-"]
    command = [sys.executable, __file__, "--target", name, "--folder", folder, *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    tried = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    sound = done.returncode == 0
    counts = f"{int(tried[1]) if tried else 0:9,d} inputs, {covered[-1] if covered else '?':>5s} edges"
    print(f"{name:10s} {seconds} s, {counts}, {'nothing found' if sound else 'FOUND'}", flush=True)
    if not sound:
        print(f"status {done.returncode}", *done.stdout.splitlines()[-40:], *done.stderr.splitlines()[-40:], sep="\n")
    return sound


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="time for each target")
    parser.add_argument("--target", choices=TARGETS, help="one target alone")
    parser.add_argument("--folder", help="where inputs are kept; a new one by default")
    arguments, options = parser.parse_known_args()
    if options:
        fuzz(arguments.target, arguments.folder, options)
    folder = arguments.folder or tempfile.mkdtemp(prefix="fuzz-")
    names = [arguments.target] if arguments.target else TARGETS
    print(f"inputs are kept in {folder}")
    results = [search(name, folder, arguments.seconds) for name in names]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
