# Sums in a fixed order that leaves a compiler room for vectors, so that the instruction set does not change the result.
#
# symbol   name                meaning
# w        term_weights        weight of each term
# x        elements            positive; those of equal weight may share a term, products of four (others are singles)
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport within
from ockham.kernels.special cimport log_positive


cdef inline double weighted_sum_of_logs(
    const double* x, const int32_t* products, Py_ssize_t n_products, const int32_t* singles, Py_ssize_t n_singles,
    const double* term_weights, double* terms,
) noexcept nogil:
    """sum(w * log(x)), one logarithm for the product of four x of equal weight, which must not underflow.

    Without a product the singles are the elements of x in their order.
    """
    cdef Py_ssize_t i
    for i in range(n_products):
        terms[i] = (x[products[4 * i]] * x[products[4 * i + 1]]) * (x[products[4 * i + 2]] * x[products[4 * i + 3]])
    if n_products:
        for i in range(n_singles):
            terms[n_products + i] = x[singles[i]]
    else:
        for i in range(n_singles):
            terms[i] = x[i]
    for i in range(n_products + n_singles):
        terms[i] = term_weights[i] * log_positive(terms[i])
    return sum_of(terms, n_products + n_singles)


cdef inline double sum_of(const double* terms, Py_ssize_t n) noexcept nogil:
    """terms.sum() in eight interleaved parts."""
    cdef Py_ssize_t i, k
    cdef double[8] partial
    cdef double rest = 0.0
    for k in range(8):
        partial[k] = 0.0
    for i in range(0, n - 7, 8):
        for k in range(8):
            partial[k] += terms[i + k]
    for i in range(n - n % 8, n):
        rest += terms[i]
    for k in range(4):
        partial[k] += partial[k + 4]
    return rest + ((partial[0] + partial[1]) + (partial[2] + partial[3]))


cdef inline bint terms_fit(
    const int32_t[:, ::1] products, const int32_t[::1] singles, Py_ssize_t n, Py_ssize_t end,
) noexcept:
    """Whether the terms of a sum over n elements stay below the index ``end``."""
    if not products.shape[0]:
        return singles.shape[0] == n
    return within(&products[0, 0], products.size, end) and within(&singles[0], singles.shape[0], end)
