"""An absent extra is a sentence with the command that adds it.

Source of truth: the distribution's own metadata, and modules that are made to be absent.
"""

import sys

import pytest

from ockham.errors import ConfigError
from ockham.io.extras import check_importable, naming_extras


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("pandas", "frames"), ("xarray", "frames"), ("matplotlib.figure", "plots"), ("pooch", "data"),
        ("arviz_base", "arviz"), ("networkx", "graphs"), ("snakemake.api", "workflow"),
        ("scipy.optimize", "machines"),
    ],
)  # fmt: skip
def test_the_extra_of_an_absent_module_is_named(module, extra):
    with (
        pytest.raises(ConfigError, match=rf"^{module} is not installed.* pip install 'ockham\[{extra}\]'"),
        naming_extras(),
    ):
        raise ModuleNotFoundError(name=module)


@pytest.mark.parametrize("module", ["numpy", "ockham.nothing", "a_module_of_nobody", None])
def test_what_is_of_no_extra_is_raised_as_it_was(module):
    with pytest.raises(ModuleNotFoundError), naming_extras():
        raise ModuleNotFoundError("absent", name=module)


def test_absence_is_seen_before_the_work(monkeypatch):
    check_importable("json", "pandas")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match="pandas is not installed"):
        check_importable("json", "pandas")
