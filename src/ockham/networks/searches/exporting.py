"""Networks for other programs: as YAML, and as graphs of networkx."""

from typing import TYPE_CHECKING, Any

import yaml

from ockham.networks.discrete_network import DiscreteNetwork

if TYPE_CHECKING:
    import networkx

__all__ = ["to_networkx", "to_yaml"]


def to_yaml(network: DiscreteNetwork) -> str:
    """The keys of a listed structure, of a network whose hyperparameters are the same all over each table."""
    names = network.names
    keys: dict[str, Any] = {
        "cardinalities": dict(zip(names, network.cardinalities, strict=True)),
        "parents": {names[i]: [names[p] for p in of] for i, of in enumerate(network.parents) if of},
        "hidden": [names[i] for i in network.hidden],
        "prior": {name: float(network.family(i, network.prior).flat[0]) for i, name in enumerate(names)},
    }
    return yaml.dump(keys, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


class _Dumper(yaml.SafeDumper):
    """Safe YAML with all text in quotation marks, for bare names such as 08 and 1e5 are numbers in YAML 1.2."""


_Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


def to_networkx(network: DiscreteNetwork) -> "networkx.DiGraph":
    """Nodes with ``cardinality`` and ``hidden``; probabilities and priors are left out."""
    import networkx as nx

    graph = nx.DiGraph()
    for i, name in enumerate(network.names):
        graph.add_node(name, cardinality=network.cardinalities[i], hidden=i in network.hidden)
    graph.add_edges_from((network.names[p], network.names[i]) for i, of in enumerate(network.parents) for p in of)
    return graph
