"""Cython kernels: arrays and a bit generator in, arrays out.

On x86-64 every kernel is built twice, for the baseline and for 256-bit vectors (AVX2), and the processor decides at
import. Both give the same bits, for nothing in them may fuse or reorder floating-point operations.
``OCKHAM_VECTOR=baseline`` chooses the first.
"""

import importlib
import os

__all__ = [
    "VECTOR",
    "complete_data",
    "completions",
    "dirichlet",
    "em",
    "gibbs",
    "parameter_annealing",
    "variational_em",
]

HAS_AVX2 = importlib.import_module("ockham.kernels.processor").has_avx2()
VECTOR = os.environ.get("OCKHAM_VECTOR") or ("avx2" if HAS_AVX2 else "baseline")
if VECTOR not in ("avx2", "baseline"):
    raise ImportError(f"OCKHAM_VECTOR is {VECTOR!r}: use avx2, baseline, or leave it unset")

complete_data = importlib.import_module(f"ockham.kernels.{VECTOR}.complete_data")
completions = importlib.import_module(f"ockham.kernels.{VECTOR}.completions")
dirichlet = importlib.import_module(f"ockham.kernels.{VECTOR}.dirichlet")
em = importlib.import_module(f"ockham.kernels.{VECTOR}.em")
gibbs = importlib.import_module(f"ockham.kernels.{VECTOR}.gibbs")
parameter_annealing = importlib.import_module(f"ockham.kernels.{VECTOR}.parameter_annealing")
variational_em = importlib.import_module(f"ockham.kernels.{VECTOR}.variational_em")
