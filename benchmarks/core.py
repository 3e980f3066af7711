"""How large the installation without extras is, and what its import costs: ``python benchmarks/core.py [WHEEL]``.

Without a wheel one is built of this source tree. It goes into a fresh environment without pip. The last line has its
size when what a user's pip compiles is there as well.
"""

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
N_STARTS = 7
LARGEST = 8
FIRST_USE = "import ockham; ockham.score; ockham.DiscreteNetwork"


def install(what: str, folder: Path) -> tuple[str, Path]:
    """The Python of a fresh environment, and the folder of its packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = str(folder / "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, what], check=True)
    return python, next(folder.glob("lib/*/site-packages"))


def megabytes(folder: Path) -> float:
    """Of the files of a folder, or of one, in 2 ** 20 bytes."""
    return sum(path.stat().st_size for path in (folder, *folder.rglob("*")) if path.is_file()) / 2**20


def start(python: str, program: str) -> float:
    """Least CPU seconds of a process that runs a program, of a few, of which the first compiles what it imports."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    found = []
    for _ in range(N_STARTS):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([python, "-c", program], env=environment, check=True)
        after = getrusage(RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        python, packages = install(sys.argv[1] if len(sys.argv) > 1 else str(ROOT), Path(temporary) / "core")
        sizes = {path.name: megabytes(path) for path in packages.iterdir()}
        print(f"core installation {sum(sizes.values()):.1f} MiB, in {packages.name}:")
        for name in sorted(sizes, key=sizes.__getitem__)[: -LARGEST - 1 : -1]:
            print(f"  {name:24} {sizes[name]:6.1f}")
        for program in ("pass", "import ockham", "import numpy, pydantic, yaml, click", FIRST_USE):
            print(f"{start(python, program):.2f} s of CPU: python -c {program!r}")
        subprocess.run([python, "-m", "compileall", "-q", packages], check=True)
        print(f"with all modules compiled {megabytes(packages):.1f} MiB")
