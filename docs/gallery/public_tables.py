"""Public tables where there is a copy of them, and simulated twins where not."""

import os
from pathlib import Path

import numpy as np
import pandas as pd

__all__ = ["house_votes", "said_of", "zoo"]

VOTES = (
    "infants", "water project", "budget", "physician fee", "El Salvador", "religious groups", "satellite", "Contras",
    "missile", "immigration", "synfuels", "education", "superfund", "crime", "exports", "South Africa",
)  # fmt: skip
TRAITS = (
    "hair", "feathers", "eggs", "milk", "airborne", "aquatic", "predator", "toothed", "backbone", "breathes",
    "venomous", "fins", "legs", "tail", "domestic", "catsize",
)  # fmt: skip
LEGS = ("0", "2", "4", "5", "6", "8")


def house_votes() -> tuple[pd.DataFrame, pd.Series, bool]:
    """Sixteen votes of 435 members of the House in 1984, their parties, and whether they are a twin."""
    path = _file("house-votes-84.data")
    if path is not None:
        table = pd.read_csv(path, header=None, names=["party", *VOTES], dtype=str).replace("?", None)
        return table[list(VOTES)], table["party"], False
    rng = np.random.default_rng(1984)
    party = pd.Series(rng.choice(["democrat", "republican"], 435, p=[0.6, 0.4]), name="party")
    table = _twin(rng, party.eq("republican").to_numpy().astype(int), dict.fromkeys(VOTES, ("n", "y")))
    return table.mask(rng.random(table.shape) < 392 / table.size), party, True


def zoo() -> tuple[pd.DataFrame, pd.Series, bool]:
    """Sixteen traits of 101 animals, their types from 1 to 7, and whether they are a twin."""
    path = _file("zoo.data")
    if path is not None:
        table = pd.read_csv(path, header=None, names=["animal", *TRAITS, "type"], dtype=str)
        return table[list(TRAITS)], table["type"], False
    rng = np.random.default_rng(101)
    kind = rng.choice(7, 101, p=np.array([41, 20, 5, 13, 4, 8, 10]) / 101)
    states = dict.fromkeys(TRAITS, ("0", "1")) | {"legs": LEGS}
    return _twin(rng, kind, states), pd.Series(kind + 1, name="type").astype(str), True


def said_of(name: str, is_twin: bool) -> str:
    """Which table it is, for a reader."""
    if is_twin:
        return f"This page was built without a copy of {name}, so it shows a simulated twin of that table."
    return f"This page shows {name}, from the folder of OCKHAM_DATA."


def _file(name: str) -> Path | None:
    folder = os.environ.get("OCKHAM_DATA")
    path = Path(folder, name) if folder else None
    return path if path is not None and path.exists() else None


def _twin(rng: np.random.Generator, kind: np.ndarray, states: dict[str, tuple[str, ...]]) -> pd.DataFrame:
    """A row for each member of a class: answers that are probable or not by class."""
    found = {}
    for name, labels in states.items():
        profiles = rng.dirichlet(np.full(len(labels), 0.4), kind.max() + 1)
        found[name] = [labels[rng.choice(len(labels), p=profiles[k])] for k in kind]
    return pd.DataFrame(found)
