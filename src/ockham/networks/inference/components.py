"""The parts of a discrete network that have no arc between them: its evidence is the product of theirs."""

from functools import lru_cache

from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["components"]


@lru_cache(maxsize=1024)  # the cells of a job share networks
def components(network: DiscreteNetwork) -> tuple[tuple[DiscreteNetwork, tuple[int, ...]], ...]:
    """Each connected component, and the columns of the data that it observes; the network itself where it is one."""
    groups: list[set[int]] = []
    for i, parents in enumerate(network.parents):
        joined = {i, *parents}
        for group in [group for group in groups if group & joined]:
            groups.remove(group)
            joined |= group
        groups.append(joined)
    if len(groups) == 1:
        return ((network, tuple(range(len(network.observed)))),)
    column = {i: c for c, i in enumerate(network.observed)}
    return tuple(
        (network.part(group), tuple(column[i] for i in group if i in column)) for group in sorted(map(sorted, groups))
    )
