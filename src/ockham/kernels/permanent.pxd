# Permanents of the exponentials of a square table, by sums over subsets of columns: nothing is subtracted, so nothing
# cancels. Both take 2^r r / 2 steps in place of r! r.
#
# symbol   name        shape      unit
# L        exponents   (r, r)     nats
#          subsets     (2^r,)             work: permanents of the first rows and as many columns, by the columns' bits
from libc.math cimport INFINITY

from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef inline double log_permanent(const double* exponents, Py_ssize_t r, double* subsets) noexcept nogil:
    """ln of the sum over permutations s of exp(sum_i L[i, s(i)]), in logs throughout."""
    cdef Py_ssize_t subset, column, row
    cdef double largest, total
    subsets[0] = 0.0
    for subset in range(1, <Py_ssize_t> 1 << r):
        row = size_of(subset, r) - 1
        largest = -INFINITY
        for column in range(r):
            if (subset >> column) & 1:
                largest = max(largest, subsets[subset ^ (1 << column)] + exponents[row * r + column])
        total = 0.0
        for column in range(r):
            if (subset >> column) & 1:
                total += exp_nonpositive(subsets[subset ^ (1 << column)] + exponents[row * r + column] - largest)
        subsets[subset] = largest + log_positive(total)
    return subsets[(1 << r) - 1]


cdef inline Py_ssize_t size_of(Py_ssize_t subset, Py_ssize_t r) noexcept nogil:
    """How many of r columns a subset has."""
    cdef Py_ssize_t column, size = 0
    for column in range(r):
        size += (subset >> column) & 1
    return size
