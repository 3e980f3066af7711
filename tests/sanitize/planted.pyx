# Two faults, planted: what finds faults in the kernels must find these. No bounds are known to the compiler here.
from libc.stdlib cimport free, malloc


def read_beyond(double[::1] values, Py_ssize_t i):
    """The value at i, which may be outside; the bounds-checked build raises an IndexError."""
    return values[i]


def read_freed():
    """A value of memory that was given back."""
    cdef double* values = <double*> malloc(8 * sizeof(double))
    values[3] = 1.0
    free(values)
    return values[3]


def overflow(int i):
    """i + 1, which no int holds for the largest."""
    return i + 1
