"""Evidence of graphical models with hidden variables.

The models, data and scorers that the workflow uses::

    import ockham

    network = ockham.DiscreteNetwork.build({"s": 2, "y1": 3, "y2": 3}, {"y1": ["s"], "y2": ["s"]}, hidden=["s"])
    data = [[0, 1], [2, 2], [0, 1], [1, 0]]
    print(ockham.score(network, data, "vb")["variational_bayes"].log_evidence)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)  # each name is imported when first used
