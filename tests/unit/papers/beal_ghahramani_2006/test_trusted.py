"""What rests on doubted bridges is unknown, and nothing else is.

Sources of truth: the averages of summaries in which no bridge is doubted, and those over the other draws by hand.
"""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.figure_numbers import figure_numbers_by_size
from ockham.papers.beal_ghahramani_2006.section_4_2 import section_4_2_by_size
from ockham.papers.beal_ghahramani_2006.trusted import TRUTH, over_draws

DOUBTED = 3
"""The draw, one of whose structures has a doubted bridge at n = 160."""


def doubted(summaries, **at):
    given = summaries.copy(deep=True)
    given["ranks"].fraction_doubted.loc[{"score": TRUTH} | at] = 1 / 12
    return given


def test_scores_are_averaged_over_the_draws_in_which_no_bridge_is_doubted(with_truth):
    """All of them, so that they are of the same draws."""
    whole, broken = over_draws(with_truth), over_draws(doubted(with_truth, n=160, replicate=DOUBTED))
    known = whole.score.where(whole.n_replicates.sel(n=160) > 0, drop=True).values
    assert len(known) > 5
    for score in known:
        own = {"score": score, "n": 160}
        every = with_truth["ranks"]["rank"].sel(own | {"alias_correction": "log_aliases"})
        others = every.where((every.replicate > 0) & (every.replicate != DOUBTED), drop=True)
        assert broken.n_replicates.sel(own) == others.notnull().sum() == whole.n_replicates.sel(own) - 1
        assert broken.rank_median.sel(own) == np.nanmedian(others)
        assert broken.success_rate.sel(own) == (others == 1).sum() / others.notnull().sum()
        posterior = with_truth["posteriors"].posterior.sel(own | {"alias_correction": "log_aliases"})
        assert broken.posterior_mean.sel(own) == posterior.sel(replicate=others.replicate).mean()


def test_what_rests_on_no_doubted_bridge_stays_as_it_is(with_truth):
    whole, broken = over_draws(with_truth), over_draws(doubted(with_truth, n=160, replicate=DOUBTED))
    xr.testing.assert_identical(whole.drop_sel(n=160), broken.drop_sel(n=160))


def test_all_is_unknown_where_every_draw_has_a_doubted_bridge(with_truth):
    given = doubted(with_truth, n=160)
    found = over_draws(given).sel(n=160)
    assert (found.n_replicates == 0).all()
    assert all(np.isnan(found[name]).all() for name in ("rank_median", "success_rate", "posterior_mean"))
    table = section_4_2_by_size(given, PAPER).set_index("n")
    assert table.loc[160, "draws"] == 0
    for score in ("bridge", "VB"):
        assert np.isnan(table.loc[160, f"success rate {score}"])
        assert table[f"success rate {score}"].notna().sum() == len(table) - 1


def test_divergences_from_doubted_bridges_are_unknown_as_numbers_too(with_truth):
    whole, broken = (
        figure_numbers_by_size(given, PAPER).set_index("n").filter(like="divergence")
        for given in (with_truth, doubted(with_truth, n=160, replicate=0))
    )
    assert broken.loc[160].isna().all()
    assert whole.notna().all(axis=None)
    pd.testing.assert_frame_equal(broken.drop(index=160), whole.drop(index=160))
