# Checks that every kernel makes once a call, so that no wrong array makes it read or write outside of another.
from libc.stdint cimport int32_t


cdef inline bint within(const int32_t* values, Py_ssize_t n, Py_ssize_t bound) noexcept nogil:
    """Whether every value is an index below the bound; NumPy: ((values >= 0) & (values < bound)).all()."""
    cdef Py_ssize_t i
    cdef int32_t smallest = 0, largest = -1
    for i in range(n):
        smallest = min(smallest, values[i])
        largest = max(largest, values[i])
    return smallest >= 0 and largest < bound
