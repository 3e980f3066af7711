"""Structures of the objects of other libraries, which are not imported: networkx, pgmpy and pyAgrum."""

from typing import Any

from ockham.errors import ModelError, OckhamError
from ockham.io.arguments import flag, shown, text, whole
from ockham.networks.comparisons.structures import Structure

__all__ = ["structure_of"]

MOST_VALUES = 32_767


def structure_of(model: Any) -> Structure:
    """The structure of a graph of networkx, a Bayesian network of pgmpy, which is such a graph, or one of pyAgrum.

    Nodes of networkx may have attributes ``cardinality`` and ``hidden``. Networks of pgmpy have ``latents``, and
    cardinalities and names of states where they have tables; probabilities do not count.

    Raises
    ------
    ModelError
        For anything else.
    """
    try:
        if hasattr(model, "predecessors") and hasattr(model, "nodes"):
            return _of_graph(model)
        if hasattr(model, "variable") and hasattr(model, "arcs"):
            return _of_pyagrum(model)
    except OckhamError:
        raise
    except Exception as error:  # of whatever the caller's object does
        raise ModelError(f"{shown(type(model).__name__)} cannot be read ({type(error).__name__}: {error}); give a "
                         "DiscreteNetwork") from error  # fmt: skip
    raise ModelError(
        f"{shown(type(model).__name__)} is no model; give a DiscreteNetwork, the path of a BIF or YAML file, or a "
        "directed graph of networkx, pgmpy or pyAgrum"
    )


def _of_graph(graph: Any) -> Structure:
    nodes = {text(name, "name of a variable", ModelError): about for name, about in graph.nodes(data=True)}
    cardinalities, states, hidden = {}, {}, {}
    if hasattr(graph, "get_cardinality"):  # pgmpy
        cardinalities = {name: int(k) for name, k in dict(graph.get_cardinality()).items()}
        states = {name: tuple(map(str, labels)) for name, labels in dict(graph.states).items()}
    hidden = dict.fromkeys(getattr(graph, "latents", ()), True)
    for name, about in nodes.items():
        if about.get("cardinality") is not None:
            what = f"cardinality of {shown(name)}"
            cardinalities[name] = whole(about["cardinality"], what, 2, MOST_VALUES, ModelError)
        if about.get("hidden") is not None:
            hidden[name] = flag(about["hidden"], f"hidden of {shown(name)}", ModelError)
    return Structure({name: tuple(graph.predecessors(name)) for name in nodes}, cardinalities, states, hidden)


def _of_pyagrum(network: Any) -> Structure:
    names = {node: network.variable(node).name() for node in network.nodes()}
    states = {name: tuple(network.variable(node).labels()) for node, name in names.items()}
    parents = {name: tuple(names[p] for p in network.parents(node)) for node, name in names.items()}
    return Structure(parents, {name: len(labels) for name, labels in states.items()}, states)
