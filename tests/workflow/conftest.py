"""A working copy of the workflow with one small study, how to run it, and how to compare what it stored."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import yaml
from reference.tiny_study import NETWORKS, write

import ockham
from ockham import kernels

REPOSITORY = Path(__file__).parents[2]
STUDY = NETWORKS | {
    "replicates": {"prior_draws": 3},
    "scorers": {"em": {"runs": 2}, "ais": {"runs": 2, "settings": {"n_steps": 60_000}}},
}
"""With jobs that last long enough to be disturbed."""


def command(arguments):
    """Snakemake on both cores, or as a profile says."""
    cores = () if "--profile" in arguments else ("--cores", "2")
    return (sys.executable, "-m", "snakemake", *cores, *arguments)


class Folder:
    """A working copy of the workflow with the study ``tiny``, and how to run it."""

    def __init__(self, path, config):
        self.path = path
        for name in ("Snakefile", "workflow", "profiles"):
            copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
            copy(REPOSITORY / name, path / name)
        self.package = {}
        self.write(config)

    def write(self, config):
        self.config = config
        folder = self.path / "config"
        folder.mkdir(exist_ok=True)
        settings = yaml.safe_load((REPOSITORY / "config/workflow.yaml").read_text())
        (folder / "workflow.yaml").write_text(yaml.safe_dump(settings | {"studies": ["tiny"]}))
        write(folder, config)

    @property
    def environment(self):
        return os.environ | {
            "PATH": sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"],
            "XDG_CACHE_HOME": str(self.path / "cache"),
            **self.package,
        }

    def copy_package(self):
        """The folder of a copy of the package, which runs use from now on."""
        copy = self.path / "package/ockham"
        shutil.copytree(Path(ockham.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for name in {*kernels.__all__, "processor", "shared"} - {"VECTOR"}:  # an editable install has them in its build
            module = getattr(kernels, name)
            shutil.copy(module.__file__, self.path.joinpath("package", *module.__name__.split(".")[:-1]))
        self.package = {
            "PYTHONPATH": os.pathsep.join([str(copy.parent), os.environ.get("PYTHONPATH", "")]),
            "MESONPY_EDITABLE_SKIP": os.pathsep.join(map(str, REPOSITORY.glob("build/cp*"))),
        }
        return copy

    def call(self, *command):
        given = {"cwd": self.path, "env": self.environment, "timeout": 1800}
        return subprocess.run(command, capture_output=True, text=True, **given)

    def snakemake(self, *arguments, status=0):
        """What a run says; it must end with this exit status, and say so without a traceback."""
        done = self.call(*command(arguments))
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def start(self, *arguments):
        """A run in the background, in a group of processes of its own, as a shell starts it.

        It hears Ctrl-C also where the tests themselves were started deaf to it, as a script starts what it puts in the
        background.
        """
        return subprocess.Popen(
            ("env", "--default-signal=INT", *command(arguments)), cwd=self.path, env=self.environment,
            start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def be_copy_of(self, other):
        """Take over what another folder's runs made."""
        for name in (".snakemake", "results", "figures"):
            subprocess.run(("cp", "-a", other.path / name, self.path), check=True)

    def take_block_away(self):
        """Remove one block, and what follows from it, so that there is work to do."""
        for name in (BLOCK, BLOCK.replace(".nc", ".done"), "results/tiny/scores.nc"):
            (self.path / name).unlink()

    def jobs(self):
        """The process numbers of the scoring processes in this folder."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().decode().split("\0")
                if (process / "cwd").resolve() == self.path.resolve() and words[3:5] == ["ockham.cli", "score"]:
                    found.append(int(process.name))
            except OSError:
                continue  # it has ended
        return found

    def wait_for_job(self):
        """The process number of a scoring job, once one runs."""
        for _ in range(1200):
            if jobs := self.jobs():
                return jobs[0]
            time.sleep(0.05)
        raise AssertionError("no scoring job was started within a minute")

    def stores(self):
        """Every variable, with its attributes, of every netCDF file of the results: (file, variable) to content.

        Of measured seconds only the content is left out, which no two runs share.
        """
        found = {}
        for path in sorted((self.path / "results").rglob("*.nc")):
            with netCDF4.Dataset(path) as file:
                file.set_auto_mask(False)
                for group in (file, *file.groups.values()):
                    name = f"{path.relative_to(self.path / 'results')}{group.path}"
                    attributes = {key: str(group.getncattr(key)) for key in group.ncattrs()}
                    found[name] = attributes | {"commit": "unknown"}  # known in the repository alone
                    for label, variable in group.variables.items():
                        values = np.asarray(variable[:])
                        about = {key: str(variable.getncattr(key)) for key in variable.ncattrs()}
                        content = values.tolist() if values.dtype == object else values.tobytes()
                        content = None if about.get("units") == "s" else content
                        found[f"{name}:{label}"] = variable.dtype, variable.dimensions, values.shape, about, content
        return found

    def differences(self, other):
        """The variables that are not in both, or whose bits or attributes differ; ``other`` is what ``stores`` gave."""
        mine = self.stores()
        return sorted(name for name in mine.keys() | other.keys() if mine.get(name) != other.get(name))


BLOCK = "results/tiny/scores/ais/replicate-002.nc"


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory):
    """A function that makes another working copy of the workflow."""
    return lambda config, path=None: Folder(path or tmp_path_factory.mktemp("workflow"), config)


@pytest.fixture(scope="session")
def array_options():
    """What docs/cluster.md gives Snakemake beside the profile, for draws and scores to be submitted as arrays."""
    blocks = re.findall(r"```sh\n(.*?)```", (REPOSITORY / "docs/cluster.md").read_text(), flags=re.DOTALL)
    (words,) = [shlex.split(block.replace("\\\n", " ")) for block in blocks if "--slurm-array-jobs" in block]
    assert words[:3] == ["snakemake", "--profile", "workflow/profiles/slurm"]
    return words[3:]


@pytest.fixture(scope="session")
def undisturbed(new_folder):
    """A folder with a study of several kinds of scorers, which ran on two cores without a disturbance."""
    folder = new_folder(STUDY)
    folder.snakemake()
    return folder


@pytest.fixture
def incomplete(undisturbed, new_folder, tmp_path):
    """A copy of that folder in which one block is still to be computed."""
    folder = new_folder(STUDY, tmp_path)
    folder.be_copy_of(undisturbed)
    folder.take_block_away()
    return folder
