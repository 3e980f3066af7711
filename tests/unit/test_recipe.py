"""The conda recipe asks for what the wheel asks for; the gate renders it (``tests/recipe.py``).

Source of truth: pyproject.toml and meson.build.
"""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
RECIPE = yaml.safe_load((ROOT / "requirements/recipe.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def parts(requirements):
    """Lower-case names, as conda has them, with the versions that are allowed."""
    found = [re.fullmatch(r"([\w-]+) ?(.*)", text.lower()).groups() for text in requirements]
    return {name: version for name, version in found if name not in ("python", "pip")}


def test_it_needs_what_the_wheel_needs():
    needed = RECIPE["requirements"]
    assert parts(needed["run"]) == parts(PROJECT["project"]["dependencies"])
    assert parts(needed["host"]) == parts(PROJECT["build-system"]["requires"])


def test_version_command_and_licence_are_those_of_the_package():
    version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]
    assert RECIPE["context"]["version"] == version
    scripts = [f"{name} = {place}" for name, place in PROJECT["project"]["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == scripts
    assert RECIPE["about"]["license"] == PROJECT["project"]["license"]
    for file in RECIPE["tests"][1]["files"]["source"]:
        assert (ROOT / file).is_file()
