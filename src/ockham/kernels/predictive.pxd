# Predictive probability of a row in a class: the evidence of the cases in the class with it over that without it.
#
# symbol   name     shape              unit
# t        row      (n_statistics,)            statistics of the row, 0 for those of a missing cell
# S        sums     (n_statistics,)            of the cases in the class
# a        prior    (n_items, 4)               of each kind as conjugate.pxd says
#
# It is A(a + S + t) - A(a + S), and of most terms ln Gamma only those that t changes are left.
from libc.stdint cimport int32_t

from ockham.kernels.conjugate cimport normaliser_of_gaussian, normaliser_of_poisson, rate_of
from ockham.kernels.mixture cimport DIRICHLET, GAUSSIAN, ORDERED
from ockham.kernels.special cimport digamma_log_gamma, log_positive


cdef inline double log_predictive(
    const int32_t* kinds, const int32_t* first, const double* prior, Py_ssize_t n_items, const double* sums,
    const double* row,
) noexcept nogil:
    """Nats, but for base measures."""
    cdef Py_ssize_t i, at, n_states
    cdef double value = 0.0
    for i in range(n_items):
        at, n_states = first[i], first[i + 1] - first[i]
        if kinds[i] == DIRICHLET:
            value += predictive_of_states(prior[4 * i], sums + at, row + at, n_states)
        elif kinds[i] == ORDERED:
            value += predictive_of_ordered(prior[4 * i], sums + at, row + at, n_states)
        elif row[at] > 0.0:
            if kinds[i] == GAUSSIAN:
                value += predictive_of_gaussian(prior + 4 * i, sums + at, row + at)
            else:
                value += predictive_of_poisson(prior + 4 * i, sums + at, row + at)
    return value


cdef inline double rise(double x, double by) noexcept nogil:
    """ln Gamma(x + by) - ln Gamma(x) for by >= 0, where 1 is the frequent one."""
    cdef double digamma, before, after
    if by == 1.0:
        return log_positive(x)
    digamma_log_gamma(x, &digamma, &before)
    digamma_log_gamma(x + by, &digamma, &after)
    return after - before


cdef inline double predictive_of_states(
    double prior, const double* sums, const double* row, Py_ssize_t n_states,
) noexcept nogil:
    cdef Py_ssize_t s
    cdef double value = 0.0, cases = 0.0, drawn = 0.0
    for s in range(n_states):
        cases += sums[s]
        drawn += row[s]
        if row[s] > 0.0:
            value += rise(prior + sums[s], row[s])
    return value - rise(n_states * prior + cases, drawn) if drawn > 0.0 else 0.0


cdef inline double predictive_of_ordered(
    double prior, const double* sums, const double* row, Py_ssize_t n_states,
) noexcept nogil:
    """From the highest decision down: with what probability a case that comes to it stops there, or goes on."""
    cdef Py_ssize_t s
    cdef double value = 0.0, beyond = sums[n_states - 1], gone = row[n_states - 1], stop
    for s in range(n_states - 2, -1, -1):
        stop = prior / (n_states - s)
        if row[s] > 0.0:
            value += log_positive((stop + sums[s]) / (prior + sums[s] + beyond))
        elif gone > 0.0:
            value += log_positive((prior - stop + beyond) / (prior + sums[s] + beyond))
        gone += row[s]
        beyond += sums[s]
    return value


cdef inline double predictive_of_gaussian(const double* prior, const double* sums, const double* row) noexcept nogil:
    return (evidence_of_gaussian(prior, sums[0] + row[0], sums[1] + row[1], sums[2] + row[2])
            - evidence_of_gaussian(prior, sums[0], sums[1], sums[2]))


cdef inline double evidence_of_gaussian(
    const double* prior, double cases, double total, double squares,
) noexcept nogil:
    """A(a + S)."""
    cdef double weight = prior[0] + cases, shape = prior[1] + 0.5 * cases, digamma, log_gamma
    cdef double rate = rate_of(prior[2], total, squares, total / weight)
    digamma_log_gamma(shape, &digamma, &log_gamma)
    return normaliser_of_gaussian(cases, weight, shape, log_positive(rate), log_gamma)


cdef inline double predictive_of_poisson(const double* prior, const double* sums, const double* row) noexcept nogil:
    return (evidence_of_poisson(prior, sums[0] + row[0], sums[1] + row[1])
            - evidence_of_poisson(prior, sums[0], sums[1]))


cdef inline double evidence_of_poisson(const double* prior, double cases, double total) noexcept nogil:
    """A(a + S)."""
    cdef double shape = prior[0] + total, digamma, log_gamma
    digamma_log_gamma(shape, &digamma, &log_gamma)
    return normaliser_of_poisson(shape, log_positive(prior[1] + cases), log_gamma)
