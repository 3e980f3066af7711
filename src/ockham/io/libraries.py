"""Libraries that are not installed with Ockham."""

from types import ModuleType

from ockham.errors import ConfigError

__all__ = ["networkx_module"]


def networkx_module() -> ModuleType:
    """The library networkx.

    Raises
    ------
    ConfigError
        Where it is not installed: how it is.
    """
    try:
        import networkx
    except ImportError as error:
        raise ConfigError("networkx is not installed, and graphs need it; pip install 'ockham[graphs]'") from error
    return networkx
