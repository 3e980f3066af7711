"""One structure of a hidden and three observed variables, as files and other libraries have it."""

from types import SimpleNamespace

import networkx

PARENTS = {"x": ["h"], "y": ["h", "x"], "z": ["h"]}
STATES_OF = {"h": ["0", "1"], "x": ["a", "b"], "y": ["a", "b"], "z": ["a", "b", "c"]}
YAML = """\
cardinalities: {z: 3, y: 2, h: 2, x: 2}
parents: {x: [h], y: [x, h], z: [h]}
hidden: [h]
"""


def bif(states, parents):
    """A file whose probabilities are all alike."""
    text = "network unknown { }\n"
    for name, values in states.items():
        text += f"variable {name} {{ type discrete [ {len(values)} ] {{ {', '.join(values)} }}; }}\n"
    for name, values in states.items():
        given = f" | {', '.join(parents[name])}" if parents.get(name) else ""
        text += f"probability ( {name}{given} ) {{ default {', '.join([str(1 / len(values))] * len(values))}; }}\n"
    return text


def graph(parents, **about):
    """Of networkx; nodes and arcs in an order of their own."""
    made = networkx.DiGraph()
    made.add_edges_from((p, child) for child, of in reversed(parents.items()) for p in of)
    for name, attributes in about.items():
        made.add_node(name, **attributes)
    return made


class Pgmpy(networkx.DiGraph):
    """What pgmpy's DiscreteBayesianNetwork has."""

    latents = frozenset({"h"})
    states = STATES_OF

    def get_cardinality(self):
        return {name: len(values) for name, values in self.states.items()}


def of_pgmpy():
    """The structure as such a network."""
    made = Pgmpy()
    made.add_edges_from((p, child) for child, of in PARENTS.items() for p in of)
    return made


class PyAgrum:
    """What pyAgrum's BayesNet has: nodes are numbers."""

    names = ("z", "h", "y", "x")

    def nodes(self):
        return {0, 1, 2, 3}

    def arcs(self):
        return {(p, node) for node in self.nodes() for p in self.parents(node)}

    def parents(self, node):
        return {self.names.index(p) for p in PARENTS.get(self.names[node], ())}

    def variable(self, node):
        name = self.names[node]
        return SimpleNamespace(name=lambda: name, labels=lambda: tuple(STATES_OF[name]))
