"""Published figures from the summaries of a study: ``figure(summaries) -> matplotlib.figure.Figure``."""

from ockham.papers.beal_ghahramani_2006.figure_2 import figure_2
from ockham.papers.beal_ghahramani_2006.figure_3 import figure_3
from ockham.papers.beal_ghahramani_2006.figure_4 import figure_4
from ockham.papers.beal_ghahramani_2006.figure_5 import figure_5
from ockham.papers.beal_ghahramani_2006.figure_6 import figure_6, figure_6_scaled
from ockham.papers.beal_ghahramani_2006.valencia_2003 import valencia_2003
from ockham.papers.chen_welling_2013.figure_5 import machine_posteriors
from ockham.papers.chen_welling_2013.figures import MACHINES, MACHINES_NEED
from ockham.papers.chickering_heckerman_1997.figure_10 import figure_10
from ockham.papers.chickering_heckerman_1997.figures import MIXTURES, MIXTURES_NEED
from ockham.papers.niinimaki_koivisto_2013 import figures as orders
from ockham.papers.niinimaki_koivisto_2013.figure_1 import figure_1
from ockham.papers.style import save

__all__ = ["FIGURES", "NEEDS", "SHOWN", "save"]

FIGURES = {
    "beal_ghahramani_2006": {
        "figure_2": figure_2,
        "figure_3": figure_3,
        "figure_4": figure_4,
        "figure_5": figure_5,
        "figure_6": figure_6,
        "figure_6_scaled": figure_6_scaled,
        "valencia_2003": valencia_2003,
    },
    "chickering_heckerman_1997": MIXTURES | {"figure_10": figure_10},
    "chen_welling_2013": MACHINES | {"figure_5": machine_posteriors},
    "niinimaki_koivisto_2013": {"figure_1": figure_1, "figure_2": orders.figure_2, "figure_3": orders.figure_3},
}
"""Paper to its figures by name."""

NEEDS = {
    "beal_ghahramani_2006": {
        "figure_6": ("em", "vb", "ais", "ais_length_"),
        "figure_6_scaled": ("vb", "ais", "ais_scaled"),
        "valencia_2003": ("em", "vb", "ais", "ais_length_"),
    },
    "chickering_heckerman_1997": MIXTURES_NEED | {"figure_10": ("classes_8",)},
    "chen_welling_2013": MACHINES_NEED | {"figure_5": ("five_words_units",)},
    "niinimaki_koivisto_2013": {"figure_1": ("linear_extensions",)},
}
"""Paper and figure to the entries of the scorers, the conditions, or the sections of the study that it shows.

A name that ends in _ stands for any that begins with it.
"""

SHOWN = {"niinimaki_koivisto_2013": {"figure_1": "linear_extensions"}}
"""Paper and figure to the store, in the folder of the study's results, that it shows; else it is the summaries."""
