"""The commit that the source of Ockham is at, and whether figures may be published from it."""

import subprocess
from pathlib import Path

from ockham.errors import ConfigError

__all__ = ["UNCLEAN", "check_publishable", "commit", "is_in_a_commit"]

FIGURES = "figures"
"""What is made is committed there, so that a change of it is none of the source."""
UNCLEAN = "-dirty"


def commit() -> str:
    """The commit of the clone that this is run in, with ``-dirty`` where files differ from it, or ``unknown``."""
    if not Path("src/ockham").is_dir():  # another project's commit would say nothing
        return "unknown"
    name = _git("describe", "--always", "--abbrev=12")
    changes = _git("status", "--porcelain", "--untracked-files=no", "--", ".", f":(exclude){FIGURES}")
    if name.returncode or changes.returncode:
        return "unknown"
    return name.stdout.strip() + (UNCLEAN if changes.stdout else "")


def is_in_a_commit(file: str | Path) -> bool:
    """Whether the commit has such a file, however it is changed; true where there is no commit to ask."""
    known = _git("ls-files", "--error-unmatch", "--", str(file))
    return known.returncode == 0 or commit() == "unknown"


def check_publishable(place: str | Path, unclean: bool, scored_at: str = "") -> None:
    """Refuse to write figures that git does not ignore, and so may be committed, from what no commit has.

    Parameters
    ----------
    place : path
        Where they are to be written.
    unclean : bool
        Whether that was allowed.
    scored_at : str
        The commit that the scores are from, where it is known.

    Raises
    ------
    ConfigError
    """
    ignored = _git("check-ignore", "--quiet", "--", str(place)).returncode
    if unclean or ignored != 1:  # 0: it is ignored; another number: it is not in the clone
        return
    for what, found in (("the source has", commit()), ("the scores are from a source with", scored_at)):
        if found.endswith(UNCLEAN):
            raise ConfigError(
                f"{place}: {what} changes that no commit has ({found}); commit them and run `snakemake --cores 2 "
                "--forcerun collect`, or allow it: --config unclean=True"
            )


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(("git", *arguments), capture_output=True, text=True)
    except OSError:
        return subprocess.CompletedProcess(arguments, 127, "", "")
