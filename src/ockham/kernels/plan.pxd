# The arrays of the E step of a discrete network, checked once a call; expectation.pxd has the notation.
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport ascends, within
from ockham.kernels.sums cimport terms_fit


cdef struct Plan:
    Py_ssize_t width, n_entries, n_table, n_groups, n_group_factors, n_left, n_right, n_left_factors, n_right_factors
    Py_ssize_t n_rows, n_incomplete, n_shared, n_products, n_singles
    bint is_complete                # no row is incomplete, and none has weight 0
    const int32_t* entry            # (width / 4, n_table, 4)
    const int32_t* group_rows       # (n_groups, n_group_factors); NULL without a group
    const int32_t* left_rows        # (n_left, n_left_factors)
    const int32_t* right_rows       # (n_right, n_right_factors)
    const int32_t* row_start        # (n_left + 1,)
    const int32_t* row_right        # (n_rows,)
    const double* weights           # (n_rows + n_incomplete,)
    const int32_t* shared_rows      # (n_shared,)
    const int32_t* filling_start    # (n_incomplete + 1,)
    const int32_t* fillings         # (n_fillings,): the rows that each incomplete row can be; NULL without one
    const int32_t* products         # (n_products, 4): rows of equal weight, or their number for none; NULL without one
    const int32_t* singles          # (n_singles,): the other rows
    const double* term_weights      # (n_products + n_singles,)
    double* table                   # work: (n_table + n_groups, width)
    double* left                    # work: (n_left, width)
    double* right                   # work: (n_right, width)
    double* table_counts            # work: (n_table + n_groups, width)
    double* left_counts             # work: (n_left, width)
    double* right_counts            # work: (n_right, width)
    double* shared                  # work: (width,): product of the shared rows
    double* probabilities           # work: (n_rows + n_incomplete + 1,), the last a constant 1
    double* ratios                  # work: (n_rows + n_incomplete,)
    double* terms                   # work: (n_products + n_singles,)
    double* logs                    # work: (width,)
    const double* theta             # (n_entries + 2,), of the current call


cdef inline Py_ssize_t plan_size(layout) except -1:
    """Doubles of work that ``bind`` needs."""
    cdef Py_ssize_t width = 4 * len(layout.entry), n_table = layout.entry.shape[1] + len(layout.group_rows)
    cdef Py_ssize_t n_halves = len(layout.left_rows) + len(layout.right_rows)
    return 7 + 2 * width * (n_table + n_halves + 1) + 2 * len(layout.weights) + 1 + len(layout.terms.weights)


cdef inline Py_ssize_t bind(Plan* plan, layout, Py_ssize_t n_entries, double[::1] work) except -1:
    """Point the plan at the arrays of a layout, which must outlive it; how much of the work it takes."""
    cdef const int32_t[:, :, ::1] entry = layout.entry
    cdef const int32_t[:, ::1] group_rows = layout.group_rows
    cdef const int32_t[:, ::1] left_rows = layout.left_rows
    cdef const int32_t[:, ::1] right_rows = layout.right_rows
    cdef const int32_t[::1] row_start = layout.row_start
    cdef const int32_t[::1] row_right = layout.row_right
    cdef const int32_t[::1] shared_rows = layout.shared_rows
    cdef const double[::1] weights = layout.weights
    cdef const int32_t[::1] filling_start = layout.filling_start
    cdef const int32_t[::1] fillings = layout.fillings
    cdef const int32_t[:, ::1] products = layout.terms.products
    cdef const int32_t[::1] singles = layout.terms.singles
    cdef const double[::1] term_weights = layout.terms.weights
    cdef Py_ssize_t width = 4 * entry.shape[0], n_table = entry.shape[1] + group_rows.shape[0], n_all, used, a
    plan.width, plan.n_entries, plan.n_table = width, n_entries, entry.shape[1]
    plan.n_groups, plan.n_group_factors = group_rows.shape[0], group_rows.shape[1]
    plan.n_left, plan.n_left_factors = left_rows.shape[0], left_rows.shape[1]
    plan.n_right, plan.n_right_factors = right_rows.shape[0], right_rows.shape[1]
    plan.n_rows, plan.n_incomplete = row_right.shape[0], filling_start.shape[0] - 1
    n_all = plan.n_rows + plan.n_incomplete
    plan.n_shared, plan.n_products, plan.n_singles = shared_rows.shape[0], products.shape[0], singles.shape[0]
    used = plan_size(layout)
    if (entry.shape[2] != 4 or term_weights.shape[0] != plan.n_products + plan.n_singles
            or row_start.shape[0] != plan.n_left + 1 or weights.shape[0] != n_all or work.shape[0] < used
            or not shared_rows.size or not entry.size or not left_rows.size or not right_rows.size or not plan.n_rows):
        raise ValueError("the arrays of the E step do not fit together")
    if not (within(&entry[0, 0, 0], entry.size, n_entries + 2) and within(&left_rows[0, 0], left_rows.size, n_table)
            and within(&right_rows[0, 0], right_rows.size, n_table)
            and (not group_rows.size or within(&group_rows[0, 0], group_rows.size, plan.n_table))
            and within(&row_right[0], plan.n_rows, plan.n_right)
            and terms_fit(products, singles, n_all, n_all + 1)
            and (ascends(filling_start, fillings.size) if plan.n_incomplete else not fillings.size)
            and (not fillings.size or within(&fillings[0], fillings.size, plan.n_rows))
            and within(&shared_rows[0], plan.n_shared, plan.n_table)
            and row_start[0] == 0 and row_start[plan.n_left] == plan.n_rows):
        raise ValueError("an index of the E step is out of range")
    plan.is_complete = plan.n_incomplete == 0
    for a in range(plan.n_rows):
        if weights[a] == 0.0:
            plan.is_complete = False
    for a in range(plan.n_left):
        if row_start[a] > row_start[a + 1]:
            raise ValueError("an index of the E step is out of range")
    plan.entry, plan.left_rows, plan.right_rows = &entry[0, 0, 0], &left_rows[0, 0], &right_rows[0, 0]
    plan.row_start, plan.row_right, plan.weights = &row_start[0], &row_right[0], &weights[0]
    plan.shared_rows, plan.singles, plan.term_weights = &shared_rows[0], &singles[0], &term_weights[0]
    plan.filling_start, plan.fillings = &filling_start[0], &fillings[0] if fillings.size else NULL
    plan.products = &products[0, 0] if plan.n_products else NULL
    plan.group_rows = &group_rows[0, 0] if group_rows.size else NULL
    plan.table = &work[0] + (-(<size_t> &work[0]) % 64) // sizeof(double)     # no vector crosses a cache line
    plan.left = plan.table + width * n_table
    plan.right = plan.left + width * plan.n_left
    plan.table_counts = plan.right + width * plan.n_right
    plan.left_counts = plan.table_counts + width * n_table
    plan.right_counts = plan.left_counts + width * plan.n_left
    plan.shared = plan.right_counts + width * plan.n_right
    plan.logs = plan.shared + width
    plan.probabilities = plan.logs + width
    plan.ratios = plan.probabilities + n_all + 1
    plan.terms = plan.ratios + n_all
    plan.probabilities[n_all] = 1.0
    return used


cdef inline Py_ssize_t at(Py_ssize_t n, Py_ssize_t row, Py_ssize_t c) noexcept nogil:
    """Where an array of n rows of the plan's width has its element (row, c)."""
    return (c - c % 4) * n + 4 * row + c % 4
