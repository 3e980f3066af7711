"""Estimators of the evidence of finite mixtures, one a file: ``ockham.contracts.Scorer``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the type checker compares each with the contract
    from ockham.contracts import Scorer
    from ockham.mixtures.data.mixed_rows import MixedRows
    from ockham.mixtures.finite_mixture import FiniteMixture
    from ockham.mixtures.scorers import (
        ais,
        ais_completions,
        bridge,
        candidate,
        em,
        em_ml,
        exact,
        laplace,
        smc,
        vb,
        vb_from_cs,
    )

    _ais: Scorer[FiniteMixture, MixedRows, ais.Settings] = ais
    _ais_completions: Scorer[FiniteMixture, MixedRows, ais_completions.Settings] = ais_completions
    _bridge: Scorer[FiniteMixture, MixedRows, bridge.Settings] = bridge
    _candidate: Scorer[FiniteMixture, MixedRows, candidate.Settings] = candidate
    _em: Scorer[FiniteMixture, MixedRows, em.Settings] = em
    _em_ml: Scorer[FiniteMixture, MixedRows, em_ml.Settings] = em_ml
    _exact: Scorer[FiniteMixture, MixedRows, exact.Settings] = exact
    _laplace: Scorer[FiniteMixture, MixedRows, laplace.Settings] = laplace
    _smc: Scorer[FiniteMixture, MixedRows, smc.Settings] = smc
    _vb: Scorer[FiniteMixture, MixedRows, vb.Settings] = vb
    _vb_from_cs: Scorer[FiniteMixture, MixedRows, vb_from_cs.Settings] = vb_from_cs
