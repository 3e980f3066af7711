"""Cython kernels: arrays and a bit generator in, arrays out.

On x86-64 every kernel is built for the baseline, and those that gain from it also for AVX2 and for AVX-512; or all for
one of these, as the build's option ``vectors`` says. The processor decides at import, and a kernel that is not built
for what it has is taken from the next below. All give the same bits, for nothing in them may fuse or reorder
floating-point operations. ``OCKHAM_VECTOR=baseline`` chooses the first.
"""

import importlib
import importlib.util
import os
from types import ModuleType

__all__ = [
    "VECTOR",
    "assignments",
    "bdeu",
    "boltzmann",
    "complete_data",
    "completions",
    "dirichlet",
    "em",
    "exact_structures",
    "gibbs",
    "graphs",
    "hamiltonian",
    "hamiltonian_annealing",
    "ideals",
    "likelihoods",
    "linear_extensions",
    "merge_split",
    "mixture_completions",
    "mixture_em",
    "mixture_variational_em",
    "named_completions",
    "orders",
    "parameter_annealing",
    "particles",
    "permanents",
    "special_functions",
    "variational_em",
]

# The builds that are here and that this processor takes, the best first.
VECTORS = [
    vector
    for vector in importlib.import_module("ockham.kernels.processor").vectors()
    if importlib.util.find_spec(f"ockham.kernels.{vector}.em")  # which is built for all
]
if not VECTORS:
    raise ImportError("the kernels were built for another processor: install again with -Csetup-args=-Dvectors=all")
VECTOR = os.environ.get("OCKHAM_VECTOR") or VECTORS[0]
if VECTOR not in VECTORS:
    raise ImportError(f"OCKHAM_VECTOR is {VECTOR!r}: it can be {', '.join(VECTORS)}; or leave it unset")


def _widest(kernel: str) -> ModuleType:
    """A kernel as it is built for the widest vectors up to ``VECTOR``."""
    names = (f"ockham.kernels.{vector}.{kernel}" for vector in VECTORS[VECTORS.index(VECTOR) :])
    return importlib.import_module(next(name for name in names if importlib.util.find_spec(name)))


assignments = _widest("assignments")
bdeu = _widest("bdeu")
boltzmann = _widest("boltzmann")
complete_data = _widest("complete_data")
completions = _widest("completions")
dirichlet = _widest("dirichlet")
em = _widest("em")
exact_structures = _widest("exact_structures")
gibbs = _widest("gibbs")
graphs = _widest("graphs")
hamiltonian = _widest("hamiltonian")
hamiltonian_annealing = _widest("hamiltonian_annealing")
ideals = _widest("ideals")
likelihoods = _widest("likelihoods")
linear_extensions = _widest("linear_extensions")
merge_split = _widest("merge_split")
mixture_completions = _widest("mixture_completions")
mixture_em = _widest("mixture_em")
mixture_variational_em = _widest("mixture_variational_em")
named_completions = _widest("named_completions")
orders = _widest("orders")
parameter_annealing = _widest("parameter_annealing")
particles = _widest("particles")
permanents = _widest("permanents")
special_functions = _widest("special_functions")
variational_em = _widest("variational_em")
