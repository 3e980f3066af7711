"""Estimators of the evidence of discrete networks, one a file: ``ockham.contracts.Scorer``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the type checker compares each with the contract
    from ockham.contracts import Scorer
    from ockham.networks.data.unique_rows import UniqueRows
    from ockham.networks.discrete_network import DiscreteNetwork
    from ockham.networks.scorers import (
        ais,
        ais_completions,
        ais_from_vb,
        bridge,
        candidate,
        em,
        em_ml,
        exact,
        laplace,
        laplace_sum,
        nested_map,
        sbic,
        smc,
        tempered_smc,
        vb,
        vb_from_cs,
        wbic,
    )

    _ais: Scorer[DiscreteNetwork, UniqueRows, ais.Settings] = ais
    _ais_completions: Scorer[DiscreteNetwork, UniqueRows, ais_completions.Settings] = ais_completions
    _ais_from_vb: Scorer[DiscreteNetwork, UniqueRows, ais_from_vb.Settings] = ais_from_vb
    _bridge: Scorer[DiscreteNetwork, UniqueRows, bridge.Settings] = bridge
    _candidate: Scorer[DiscreteNetwork, UniqueRows, candidate.Settings] = candidate
    _em: Scorer[DiscreteNetwork, UniqueRows, em.Settings] = em
    _em_ml: Scorer[DiscreteNetwork, UniqueRows, em_ml.Settings] = em_ml
    _exact: Scorer[DiscreteNetwork, UniqueRows, exact.Settings] = exact
    _laplace: Scorer[DiscreteNetwork, UniqueRows, laplace.Settings] = laplace
    _laplace_sum: Scorer[DiscreteNetwork, UniqueRows, laplace_sum.Settings] = laplace_sum
    _nested_map: Scorer[DiscreteNetwork, UniqueRows, nested_map.Settings] = nested_map
    _sbic: Scorer[DiscreteNetwork, UniqueRows, sbic.Settings] = sbic
    _smc: Scorer[DiscreteNetwork, UniqueRows, smc.Settings] = smc
    _tempered_smc: Scorer[DiscreteNetwork, UniqueRows, tempered_smc.Settings] = tempered_smc
    _vb: Scorer[DiscreteNetwork, UniqueRows, vb.Settings] = vb
    _vb_from_cs: Scorer[DiscreteNetwork, UniqueRows, vb_from_cs.Settings] = vb_from_cs
    _wbic: Scorer[DiscreteNetwork, UniqueRows, wbic.Settings] = wbic
