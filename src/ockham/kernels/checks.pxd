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


cdef inline bint ascends(const int32_t[::1] starts, Py_ssize_t end) noexcept:
    """Whether these are the starts of non-empty runs that follow each other from 0 to the end, which comes last."""
    cdef Py_ssize_t i, n = starts.shape[0] - 1
    if n < 1 or starts[0] != 0 or starts[n] != end:
        return False
    for i in range(n):
        if starts[i] >= starts[i + 1]:
            return False
    return True
