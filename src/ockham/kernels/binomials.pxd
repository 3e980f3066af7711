# Binomial coefficients of up to 64 elements, each of which fits into a word.
#
# symbol      name          shape                           NumPy
# C(n, k)     binomials     (n_elements + 1, n_elements + 1)  scipy.special.comb(n, k, exact=True)
from libc.stdint cimport uint64_t


cdef inline void fill_binomials(uint64_t* binomials, Py_ssize_t n_elements) noexcept nogil:
    """Pascal's triangle, with 0 above the diagonal."""
    cdef Py_ssize_t width = n_elements + 1, n, k
    for k in range(width):
        binomials[k] = k == 0
    for n in range(1, width):
        binomials[n * width] = 1
        for k in range(1, width):
            binomials[n * width + k] = binomials[(n - 1) * width + k - 1] + binomials[(n - 1) * width + k]
