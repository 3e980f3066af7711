# Log permanents of many tables: what classes of parameters and of completions say together, over all names of classes.
#
# symbol   name      shape        unit
# L        tables    (n, r, r)    nats    finite
#          found     (n,)         nats
#
# One table in NumPy:
#     of_columns = L.max(axis=0); M = L - of_columns; of_rows = M.max(axis=1)
#     found = log(permanent(exp(M - of_rows[:, None]))) + of_columns.sum() + of_rows.sum()
# Eight tables go side by side, so that the loops over them are vectors. Where no permutation comes near these maxima,
# the scaled permanent is too small for a number, and is summed in logs.
from ockham.kernels.permanent cimport log_permanent, size_of
from ockham.kernels.special cimport exp_nonpositive, log_positive

cdef enum:
    LANES = 8
    MOST = 24                           # rows of a table, whose subsets are numbered by bits

cdef extern from *:
    """
    #define SMALLEST 1e-250
    """
    const double SMALLEST               # scaled permanent, against which what was rounded to 0 is nothing


cpdef Py_ssize_t work_size(Py_ssize_t r) except -1:
    """Doubles of work that ``run`` takes."""
    if r < 1 or r > MOST:
        raise ValueError("a permanent has at least one row, and too many subsets beyond 24")
    return LANES * (r * r + 1 + (<Py_ssize_t> 1 << r))


def run(
    const double[:, :, ::1] tables,     # IN
    double[::1] found,                  # OUT
    double[::1] work,                   # work
):
    """The log permanent of the exponentials of every table."""
    cdef Py_ssize_t n = tables.shape[0], r = tables.shape[1], block, first
    if tables.shape[2] != r or found.shape[0] != n or work.shape[0] < work_size(r):
        raise ValueError("the arrays of permanents do not fit together")
    with nogil:
        for block in range((n + LANES - 1) // LANES):
            first = block * LANES
            side_by_side(&tables[first, 0, 0], min(<Py_ssize_t> LANES, n - first), r, &found[first], &work[0])


cdef inline void side_by_side(
    const double* tables, Py_ssize_t n, Py_ssize_t r, double* found, double* work,
) noexcept nogil:
    """Of up to ``LANES`` tables; the lanes without one are those of the first."""
    cdef double* scaled = work
    cdef double* highest = scaled + LANES * r * r
    cdef double* subsets = highest + LANES
    cdef double* of_subset
    cdef const double* of_fewer
    cdef const double* table
    cdef double* shares
    cdef Py_ssize_t lane, i, j, subset
    for lane in range(LANES):
        table, highest[lane] = tables + (lane if lane < n else 0) * r * r, 0.0
        for i in range(r * r):
            scaled[i * LANES + lane] = table[i]
    lower_to_maxima(scaled, LANES, r * LANES, r, highest)
    lower_to_maxima(scaled, r * LANES, LANES, r, highest)
    for i in range(LANES * r * r):
        scaled[i] = exp_nonpositive(scaled[i])
    for lane in range(LANES):
        subsets[lane] = 1.0
    for subset in range(1, <Py_ssize_t> 1 << r):
        of_subset, i = subsets + subset * LANES, size_of(subset, r) - 1
        for lane in range(LANES):
            of_subset[lane] = 0.0
        for j in range(r):
            if (subset >> j) & 1:
                of_fewer, shares = subsets + (subset ^ (1 << j)) * LANES, scaled + (i * r + j) * LANES
                for lane in range(LANES):
                    of_subset[lane] += of_fewer[lane] * shares[lane]
    of_subset = subsets + ((<Py_ssize_t> 1 << r) - 1) * LANES
    for lane in range(LANES):
        scaled[lane] = of_subset[lane]
    for lane in range(LANES):
        highest[lane] += log_positive(max(scaled[lane], SMALLEST))
    for lane in range(n):
        found[lane] = highest[lane] if scaled[lane] > SMALLEST else log_permanent(tables + lane * r * r, r, subsets)


cdef inline void lower_to_maxima(
    double* scaled, Py_ssize_t to_next, Py_ssize_t along, Py_ssize_t r, double* highest,
) noexcept nogil:
    """Subtract from every line of the tables, row or column, its maximum, and add that to ``highest``.

    Lines are ``to_next`` doubles apart, and their entries ``along``.
    """
    cdef double* line
    cdef double largest
    cdef Py_ssize_t i, j, lane
    for i in range(r):
        for lane in range(LANES):
            line = scaled + i * to_next + lane
            largest = line[0]
            for j in range(1, r):
                largest = max(largest, line[j * along])
            highest[lane] += largest
            for j in range(r):
                line[j * along] -= largest
