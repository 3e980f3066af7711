# The assignment of rows to columns of the largest total, for many square tables.
#
# symbol   name      shape        unit
# w        tables    (n, r, r)    1
#          columns   (n, r)               out: the column of every row
#
# One table in SciPy: linear_sum_assignment(w, maximize=True)[1]
# Rows are added one by one, each along the shortest path of exchanges by prices of rows and columns: the augmentation
# of [JonkerVolgenant1987], at most r^3 steps a table.
from libc.math cimport INFINITY, isfinite
from libc.stdint cimport int32_t


cpdef Py_ssize_t work_size(Py_ssize_t r) noexcept:
    """Doubles of work, and as many integers, that ``run`` takes."""
    return 3 * (r + 1)


def run(
    const double[:, :, ::1] tables,     # IN
    int32_t[:, ::1] columns,            # OUT
    double[::1] work,                   # work
    int32_t[::1] places,                # work
):
    """The best assignment of every table; the first found of those that are equally good."""
    cdef Py_ssize_t n = tables.shape[0], r = tables.shape[1], i
    cdef bint known = True
    if (
        tables.shape[2] != r or columns.shape[0] != n or columns.shape[1] != r
        or work.shape[0] < work_size(r) or places.shape[0] < work_size(r)
    ):
        raise ValueError("the arrays of assignments do not fit together")
    if not n or not r:
        return
    with nogil:
        for i in range(n):
            known &= assign(&tables[i, 0, 0], r, &columns[i, 0], &work[0], &places[0])
    if not known:
        raise ValueError("a table of assignments has entries that are not finite")


cdef bint assign(const double* table, Py_ssize_t r, int32_t* columns, double* work, int32_t* places) noexcept nogil:
    """The assignment of the least cost, the table with its sign changed, if all is finite. Column r stands for none."""
    cdef double* of_rows = work                     # prices
    cdef double* of_columns = of_rows + r + 1
    cdef double* slack = of_columns + r + 1         # least reduced cost from the path to every column
    cdef int32_t* row_of = places                   # of every column, r without one
    cdef int32_t* came_from = row_of + r + 1        # the column before it on the path
    cdef int32_t* reached = came_from + r + 1
    cdef Py_ssize_t i, j, row, column, nearest
    cdef double step, cost
    for j in range(r * r):
        if not isfinite(table[j]):
            return False
    for j in range(r + 1):
        of_rows[j] = of_columns[j] = 0.0
        row_of[j] = r
    for i in range(r):
        column = r
        row_of[r] = i
        for j in range(r + 1):
            slack[j], reached[j] = INFINITY, 0
        while row_of[column] != r:                  # until a column is free
            reached[column] = 1
            row, step, nearest = row_of[column], INFINITY, 0
            for j in range(r):
                if not reached[j]:
                    cost = -table[row * r + j] - of_rows[row] - of_columns[j]
                    if cost < slack[j]:
                        slack[j], came_from[j] = cost, column
                    if slack[j] < step:
                        step, nearest = slack[j], j
            for j in range(r + 1):
                if reached[j]:
                    of_rows[row_of[j]] += step
                    of_columns[j] -= step
                else:
                    slack[j] -= step
            column = nearest
        while column != r:                          # exchange along the path
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
        row_of[r] = r
    for j in range(r):
        columns[row_of[j]] = j
    return True
