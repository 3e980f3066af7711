# Draws of parent sets among the predecessors of a node; predecessor_sums.pxd has the notation.
#
# In NumPy, for a node v and the mask of its predecessors:
#     inside = sets[starts[v] : starts[v + 1]]; inside = inside[(inside & ~before) == 0]
#     cumulative = np.cumsum(np.exp(log_scores_of_inside - log_scores_of_inside.max()))
#     parents = inside[np.searchsorted(cumulative, u * cumulative[-1])]
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t

from ockham.kernels.predecessor_sums cimport Sums
from ockham.kernels.special cimport exp_nonpositive


cdef inline Py_ssize_t accumulate(
    const Sums* sums, Py_ssize_t v, uint64_t before, double* cumulative, uint64_t* inside,
) noexcept nogil:
    """Gather the listed sets inside a mask with their cumulative probabilities, up to a factor; returns how many."""
    cdef Py_ssize_t i, n = 0
    cdef double largest = -INFINITY, running = 0.0
    for i in range(sums.starts[v], sums.starts[v + 1]):
        cumulative[n], inside[n] = sums.log_scores[i], sums.sets[i]
        n += (sums.sets[i] & ~before) == 0
    for i in range(n):
        largest = max(largest, cumulative[i])
    for i in range(n):
        cumulative[i] = exp_nonpositive(cumulative[i] - largest)
    for i in range(n):
        running += cumulative[i]
        cumulative[i] = running
    return n


cdef inline Py_ssize_t place_of(const double* cumulative, Py_ssize_t n, double u) noexcept nogil:
    """The first place where the cumulative probability reaches u in (0, 1]."""
    cdef Py_ssize_t low = 0, high = n - 1, middle
    cdef double wanted = u * cumulative[high]
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] >= wanted:
            high = middle
        else:
            low = middle + 1
    return low
