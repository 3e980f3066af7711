# Draws from NumPy's bit generators, inside kernels and without Python.
#
# symbol     name         shape              unit
# a          shape        (n_entries,)       1       Dirichlet parameters, positive
# ln a       log_shape    (n_entries,)       nats    also where a is too small for float64
# row start  row_starts   (n_rows + 1,)              first entry of every row, then n_entries
# ln theta   log_theta    (n_entries,)       nats    out: every row normalised
# theta      theta        (n_entries,)       1       out: its exp
#
# In NumPy: gamma = rng.standard_gamma(a); theta = gamma / np.add.reduceat(gamma, row_starts[:-1])[rows]
#
# A gamma variate of shape a < 1 is drawn as Gamma(a + 1) U ** (1 / a), in logs, where it cannot underflow.
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport random_standard_gamma

from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef inline bitgen_t* generator_of(bit_generator) except NULL:
    """The C interface of a numpy.random.BitGenerator, which must outlive it."""
    return <bitgen_t*> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")


cdef inline double uniform(bitgen_t* generator) noexcept nogil:
    """Uniform on (0, 1]."""
    return 1.0 - generator.next_double(generator.state)


cdef inline void draw_dirichlet(
    bitgen_t* generator, const double* shape, const double* log_shape, const int32_t* row_starts, Py_ssize_t n_rows,
    double* log_theta, double* theta,
) noexcept nogil:
    """One draw of independent Dirichlet rows; every log is finite, where its exp underflows too."""
    cdef Py_ssize_t e, j, n_entries = row_starts[n_rows]
    cdef double largest, total
    for e in range(n_entries):
        theta[e] = random_standard_gamma(generator, shape[e] if shape[e] >= 1.0 else shape[e] + 1.0)
    for e in range(n_entries):
        log_theta[e] = log_positive(theta[e])
    for e in range(n_entries):
        if shape[e] < 1.0:
            log_theta[e] += log_positive(uniform(generator)) * exp_bounded(-log_shape[e])
    for j in range(n_rows):
        largest = -INFINITY
        for e in range(row_starts[j], row_starts[j + 1]):
            largest = max(largest, log_theta[e])
        for e in range(row_starts[j], row_starts[j + 1]):
            log_theta[e] -= largest
    for e in range(n_entries):
        theta[e] = exp_nonpositive(log_theta[e])
    for j in range(n_rows):
        total = 0.0
        for e in range(row_starts[j], row_starts[j + 1]):
            total += theta[e]
        largest = log_positive(total)
        for e in range(row_starts[j], row_starts[j + 1]):
            log_theta[e] -= largest
            theta[e] /= total


cdef inline double exp_bounded(double x) noexcept nogil:
    """exp x for x >= 0, at most 1e304."""
    return 1.0 / exp_nonpositive(max(-x, -700.0))
