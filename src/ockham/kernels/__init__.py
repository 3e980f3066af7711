"""Cython kernels: arrays and a bit generator in, arrays out.

On x86-64 every kernel is built three times, for the baseline, for AVX2 and for AVX-512, or for one of them, as the
build's option ``vectors`` says, and the processor decides at import. All give the same bits, for nothing in them may
fuse or reorder floating-point operations. ``OCKHAM_VECTOR=baseline`` chooses the first.
"""

import importlib
import importlib.util
import os

__all__ = [
    "VECTOR",
    "bdeu",
    "boltzmann",
    "complete_data",
    "completions",
    "dirichlet",
    "em",
    "exact_structures",
    "gibbs",
    "graphs",
    "hamiltonian_annealing",
    "likelihoods",
    "linear_extensions",
    "orders",
    "parameter_annealing",
    "variational_em",
]

# The builds that are here and that this processor takes, the best first.
VECTORS = [
    vector
    for vector in importlib.import_module("ockham.kernels.processor").vectors()
    if importlib.util.find_spec(f"ockham.kernels.{vector}.bdeu")
]
if not VECTORS:
    raise ImportError("the kernels were built for another processor: install again with -Csetup-args=-Dvectors=all")
VECTOR = os.environ.get("OCKHAM_VECTOR") or VECTORS[0]
if VECTOR not in VECTORS:
    raise ImportError(f"OCKHAM_VECTOR is {VECTOR!r}: it can be {', '.join(VECTORS)}; or leave it unset")

bdeu = importlib.import_module(f"ockham.kernels.{VECTOR}.bdeu")
boltzmann = importlib.import_module(f"ockham.kernels.{VECTOR}.boltzmann")
complete_data = importlib.import_module(f"ockham.kernels.{VECTOR}.complete_data")
completions = importlib.import_module(f"ockham.kernels.{VECTOR}.completions")
dirichlet = importlib.import_module(f"ockham.kernels.{VECTOR}.dirichlet")
em = importlib.import_module(f"ockham.kernels.{VECTOR}.em")
exact_structures = importlib.import_module(f"ockham.kernels.{VECTOR}.exact_structures")
gibbs = importlib.import_module(f"ockham.kernels.{VECTOR}.gibbs")
graphs = importlib.import_module(f"ockham.kernels.{VECTOR}.graphs")
hamiltonian_annealing = importlib.import_module(f"ockham.kernels.{VECTOR}.hamiltonian_annealing")
likelihoods = importlib.import_module(f"ockham.kernels.{VECTOR}.likelihoods")
linear_extensions = importlib.import_module(f"ockham.kernels.{VECTOR}.linear_extensions")
orders = importlib.import_module(f"ockham.kernels.{VECTOR}.orders")
parameter_annealing = importlib.import_module(f"ockham.kernels.{VECTOR}.parameter_annealing")
variational_em = importlib.import_module(f"ockham.kernels.{VECTOR}.variational_em")
