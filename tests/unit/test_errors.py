"""What a script of the workflow says on an error is in its log, and nothing else is."""

import pytest

from ockham.errors import ConfigError, one_line


def test_what_a_user_can_mend_is_a_line(tmp_path):
    with pytest.raises(SystemExit, match="sizes: must grow"), one_line(tmp_path / "a.log"):
        raise ConfigError("a.yaml: sizes: must grow")
    assert (tmp_path / "a.log").read_text() == "ockham: a.yaml: sizes: must grow\n"


def test_another_error_is_the_callers_with_its_traceback(tmp_path):
    with pytest.raises(ZeroDivisionError), one_line(tmp_path / "a.log"):
        1 / 0  # noqa: B018
    lines = (tmp_path / "a.log").read_text().splitlines()
    assert lines[0].startswith("Traceback")
    assert lines[-1] == "ZeroDivisionError: division by zero"


def test_without_an_error_there_is_none(tmp_path):
    with one_line(tmp_path / "a.log"):
        pass
    assert not (tmp_path / "a.log").exists()
