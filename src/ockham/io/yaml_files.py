"""YAML files of keys and values, read strictly, and what is wrong with the values in words."""

import re
from copy import deepcopy
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import ValidationError

from ockham.errors import ConfigError
from ockham.io.arguments import shown

__all__ = ["error_lines", "read_yaml"]

MAX_BYTES = 1_000_000
MAX_DEPTH = 50
MAX_VALUES = 100_000
"""Values of a file in which every alias stands for a copy of what it names."""

CORE = {
    "int": "[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+",
    "float": r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    "bool": "true|True|TRUE|false|False|FALSE",
    "timestamp": "(?!)",
}
"""What YAML 1.1, as it is read here, and 1.2 take for one thing, by its tag; a time is none in 1.2."""
CORE_NUMBER = re.compile(f"[-+]?[0-9]+|0o[0-7]+|{CORE['float']}")
"""What is a number in YAML 1.2."""


def read_yaml(path: Path) -> dict:
    """The content of a YAML file.

    Raises
    ------
    ConfigError
        With the file, and where the YAML is at fault the line.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); give the path of a study's YAML file") from error
    if len(content) > MAX_BYTES:
        raise ConfigError(f"{path}: more than {MAX_BYTES:,} bytes; give the path of a study's YAML file")
    try:
        mapping = deepcopy(_parsed(content))
    except RecursionError as error:
        raise ConfigError(
            f"{path}: not valid YAML: nested deeper than {MAX_DEPTH}, or an alias inside what it names; write it flat"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error
    if not isinstance(mapping, dict):
        raise ConfigError(f"{path}: must hold a mapping of keys to values; config/README.md lists the keys")
    return mapping


def error_lines(error: ValidationError, prefix: str = "") -> list[str]:
    """One line per problem: the field's path, pydantic's words, and the value that was given."""
    lines = []
    for problem in error.errors(include_url=False):
        field = ".".join(text if (text := str(part)).isprintable() else repr(text) for part in problem["loc"])
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            message = "unknown key; check its spelling (config/README.md lists the keys)"
        own = problem["type"] in ("missing", "value_error", "extra_forbidden")
        given = "" if own else f" (got {shown(problem['input'])})"
        lines.append(f"{prefix}{field}{': ' if prefix + field else ''}{message}{given}")
    return lines


@lru_cache(maxsize=16)  # a file of 18 conditions is read for each of them, and parsing is slow
def _parsed(content: bytes):
    text = content.decode("utf-8-sig")
    if "\ufeff" in text:  # PyYAML drops a second one, and takes one of later lines for text
        raise yaml.YAMLError("a byte order mark behind the beginning of the file; remove it")
    loader = _Loader(text)
    node = loader.get_single_node()
    if node is None:
        return None
    _check_extent(node)
    return loader.construct_document(node)


class _Loader(yaml.SafeLoader):
    """Safe YAML in which a key given twice, what YAML 1.1 and 1.2 read differently, and unprintable text are errors."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]  # what << brings may be overridden
        seen = set()
        for key in own:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a word", key.start_mark)
            name = self.construct_object(key, deep=deep)
            if name in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key {name!r} is given twice", node.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)

    def construct_object(self, node: yaml.Node, deep: bool = False):
        try:
            found = super().construct_object(node, deep)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:  # such as 2026-13-45
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(None, None, f"not a valid {kind}", node.start_mark) from error
        if isinstance(node, yaml.ScalarNode) and _is_ambiguous(node):
            problem = (
                f"{node.value[:100]!r} is one thing in YAML 1.1 and another in YAML 1.2: write a number as digits, "
                "such as 90 or 1.0e-5, a truth value as true or false, and text in quotation marks"
            )
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        return found

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> str:
        text = super().construct_scalar(node)
        if not text.replace("\n", "").replace("\t", "").isprintable():
            raise yaml.constructor.ConstructorError(None, None, "text that cannot be printed", node.start_mark)
        return text


def _is_ambiguous(node: yaml.ScalarNode) -> bool:
    """Whether a plain word, such as 010, 1:30, 1_000, yes or 1e5, means different things to readers of YAML."""
    kind = node.tag.rpartition(":")[2]
    if kind in CORE:
        return re.fullmatch(CORE[kind], node.value) is None
    return kind == "str" and node.style is None and CORE_NUMBER.fullmatch(node.value) is not None


def _check_extent(root: yaml.Node) -> None:
    """Refuse a tree that is too deep, and one whose aliases make it endless or much larger than the file."""
    extents: dict[int, tuple[int, int]] = {}

    def extent(node: yaml.Node, depth: int) -> tuple[int, int]:
        """Number of values and height of a tree, each node visited once."""
        if depth > MAX_DEPTH:
            raise RecursionError
        if id(node) not in extents:
            parts = node.value if isinstance(node, yaml.CollectionNode) else []
            if isinstance(node, yaml.MappingNode):
                parts = [part for pair in parts for part in pair]
            below = [extent(part, depth + 1) for part in parts]
            extents[id(node)] = 1 + sum(n for n, _ in below), 1 + max((height for _, height in below), default=0)
        return extents[id(node)]

    n_values, height = extent(root, 0)
    if height > MAX_DEPTH:
        raise RecursionError
    if n_values > MAX_VALUES:
        raise yaml.constructor.ConstructorError(
            None, None, f"more than {MAX_VALUES:,} values, aliases counted", root.start_mark
        )
