"""YAML files of keys and values, read strictly."""

from pathlib import Path

import yaml

from ockham.errors import ConfigError

__all__ = ["read_yaml"]


def read_yaml(path: Path) -> dict:
    """The content of a YAML file."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeyLoader)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); give the path of a study's YAML file") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: must hold a mapping of keys to values; config/README.md lists the keys")
    return content


class _UniqueKeyLoader(yaml.SafeLoader):
    """Safe YAML in which a key given twice is an error, not a silent override."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]  # what << brings may be overridden
        keys = [self.construct_object(key, deep=deep) for key in own]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"key {key!r} is given twice", node.start_mark)
        return super().construct_mapping(node, deep)
