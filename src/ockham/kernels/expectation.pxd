# The E step of a discrete network, over the unique rows of a data set.
#
# symbol        name              shape                        meaning
# theta         parameters        (n_entries + 2,)             probability of each N_ijk cell, then two constants, 0 and 1
# N             counts            (n_entries + 2,)             expected counts; the last two cells mean nothing
# F             table             (n_table, width)             one factor, at one observed configuration, over hidden ones
# A, B          left, right       (n_left, width), (n_right, width)   products of half of the factors each
# w             weights           (n_rows,)                    how often each unique row occurs in the data
# Z             probabilities     (n_rows,)                    p(y | theta) of each unique row
#
# The factors are split in two halves by the observed variables that they touch. A unique row is then a pair (a, b) of a
# left and a right configuration, the rows form a sparse matrix, and with every product taken on its support
#     F = theta[entry]      A = prod F[left_rows]      B = prod F[right_rows]      Z = A @ B.T      R = w / Z
#     log likelihood = sum(w * log(Z))                 N = scatter(entry, G), where G collects A * (R @ B) and B * (R.T @ A)
# so that a row costs three multiply-adds per hidden configuration, however many variables there are.
# The width is the number of hidden configurations rounded up to a multiple of four (the padding has probability 0), and every
# sum has a fixed order, so that the instruction set does not change the result.
from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport within
from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef struct Plan:
    Py_ssize_t width, n_entries, n_table, n_left, n_right, n_left_factors, n_right_factors, n_rows
    const int32_t* entry            # (n_table, width)
    const int32_t* left_rows        # (n_left, n_left_factors)
    const int32_t* right_rows       # (n_right, n_right_factors)
    const int32_t* row_start        # (n_left + 1,)
    const int32_t* row_right        # (n_rows,)
    const double* weights           # (n_rows,)
    double* table                   # work: (n_table, width)
    double* table_counts            # work: (n_table, width)
    double* left                    # work: (n_left, width)
    double* left_counts             # work: (n_left, width)
    double* right                   # work: (n_right, width)
    double* right_counts            # work: (n_right, width)
    double* probabilities           # work: (n_rows,)
    double* ratios                  # work: (n_rows,)
    double* logs                    # work: (width,)
    const double* theta             # (n_entries + 2,), of the current call


cdef inline Py_ssize_t bind(
    Plan* plan,
    const int32_t[:, ::1] entry, const int32_t[:, ::1] left_rows, const int32_t[:, ::1] right_rows,
    const int32_t[::1] row_start, const int32_t[::1] row_right, const double[::1] weights,
    Py_ssize_t n_entries, double[::1] work,
) except -1:
    """Point the plan at the caller's arrays, which must outlive it; returns the length of the work array used."""
    cdef Py_ssize_t width = entry.shape[1], used, a
    plan.width, plan.n_entries, plan.n_table = width, n_entries, entry.shape[0]
    plan.n_left, plan.n_left_factors = left_rows.shape[0], left_rows.shape[1]
    plan.n_right, plan.n_right_factors = right_rows.shape[0], right_rows.shape[1]
    plan.n_rows = row_right.shape[0]
    used = 2 * width * (plan.n_table + plan.n_left + plan.n_right) + 2 * plan.n_rows + width
    if (width % 4 or row_start.shape[0] != plan.n_left + 1 or weights.shape[0] != plan.n_rows or work.shape[0] < used
            or not entry.size or not left_rows.size or not right_rows.size or not plan.n_rows):
        raise ValueError("the arrays of the E step do not fit together")
    if not (within(&entry[0, 0], entry.size, n_entries + 2) and within(&left_rows[0, 0], left_rows.size, plan.n_table)
            and within(&right_rows[0, 0], right_rows.size, plan.n_table)
            and within(&row_right[0], plan.n_rows, plan.n_right)
            and row_start[0] == 0 and row_start[plan.n_left] == plan.n_rows):
        raise ValueError("an index of the E step is out of range")
    for a in range(plan.n_left):
        if row_start[a] > row_start[a + 1]:
            raise ValueError("an index of the E step is out of range")
    plan.entry, plan.left_rows, plan.right_rows = &entry[0, 0], &left_rows[0, 0], &right_rows[0, 0]
    plan.row_start, plan.row_right, plan.weights = &row_start[0], &row_right[0], &weights[0]
    plan.table = &work[0]
    plan.table_counts = plan.table + width * plan.n_table
    plan.left = plan.table_counts + width * plan.n_table
    plan.left_counts = plan.left + width * plan.n_left
    plan.right = plan.left_counts + width * plan.n_left
    plan.right_counts = plan.right + width * plan.n_right
    plan.probabilities = plan.right_counts + width * plan.n_right
    plan.ratios = plan.probabilities + plan.n_rows
    plan.logs = plan.ratios + plan.n_rows
    return used


cdef inline double expected_counts(
    Plan* plan, const double* theta, const double* log_theta, double* counts,
) noexcept nogil:
    """Log likelihood (nats) at theta and the expected counts under p(hidden | observed, theta).

    ``log_theta`` is for the rows whose probability underflows; NULL stands for the logs of theta.
    """
    cdef Py_ssize_t i, n_cells = plan.n_table * plan.width
    cdef double log_likelihood
    plan.theta = theta
    for i in range(n_cells):
        plan.table[i] = theta[plan.entry[i]]
        plan.table_counts[i] = 0.0
    for i in range(plan.n_entries + 2):
        counts[i] = 0.0
    if plan.width == 4:                 # a constant lets the compiler keep the inner loops in registers
        log_likelihood = visit_rows(plan, log_theta, 4)
    else:
        log_likelihood = visit_rows(plan, log_theta, plan.width)
    for i in range(n_cells):
        counts[plan.entry[i]] += plan.table_counts[i]
    return log_likelihood


cdef inline double visit_rows(Plan* plan, const double* log_theta, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t a, c, k, u
    cdef const double* left
    cdef const double* right
    cdef double z, log_likelihood = 0.0, smallest = 1.0
    cdef double[4] partial
    multiply(plan.table, plan.left_rows, plan.n_left, plan.n_left_factors, width, plan.left, plan.left_counts)
    multiply(plan.table, plan.right_rows, plan.n_right, plan.n_right_factors, width, plan.right, plan.right_counts)
    for a in range(plan.n_left):
        left = plan.left + a * width
        for u in range(plan.row_start[a], plan.row_start[a + 1]):
            right = plan.right + plan.row_right[u] * width
            z = 0.0
            for c in range(0, width, 4):
                z += (left[c] * right[c] + left[c + 2] * right[c + 2]) + (
                    left[c + 1] * right[c + 1] + left[c + 3] * right[c + 3])
            plan.probabilities[u] = z
            if z < smallest:
                smallest = z
    for u in range(plan.n_rows):
        plan.ratios[u] = plan.weights[u] / plan.probabilities[u]
    if smallest < 1e-250:
        log_likelihood = visit_rows_in_logs(plan, log_theta, width)
    for a in range(plan.n_left):
        for c in range(0, width, 4):
            spread_counts(plan, a, plan.left + a * width + c, plan.left_counts + a * width + c, c, width)
    collect(plan.table_counts, plan.left_rows, plan.n_left, plan.n_left_factors, width, plan.left, plan.left_counts)
    collect(plan.table_counts, plan.right_rows, plan.n_right, plan.n_right_factors, width, plan.right, plan.right_counts)
    for u in range(plan.n_rows):
        plan.probabilities[u] = plan.weights[u] * log_positive(plan.probabilities[u])
    for k in range(4):
        partial[k] = 0.0
    for u in range(0, plan.n_rows - 3, 4):
        for k in range(4):
            partial[k] += plan.probabilities[u + k]
    for u in range(plan.n_rows - plan.n_rows % 4, plan.n_rows):
        log_likelihood += plan.probabilities[u]
    return log_likelihood + ((partial[0] + partial[1]) + (partial[2] + partial[3]))


cdef inline void spread_counts(
    Plan* plan, Py_ssize_t a, const double* left, double* left_counts, Py_ssize_t c, Py_ssize_t width,
) noexcept nogil:
    """For the rows of one left configuration, at four hidden ones: left_counts += R @ B, right_counts += R.T @ A."""
    cdef double left_0 = left[0], left_1 = left[1], left_2 = left[2], left_3 = left[3]
    cdef double sum_0 = 0.0, sum_1 = 0.0, sum_2 = 0.0, sum_3 = 0.0, new_0, new_1, new_2, new_3, ratio
    cdef const double* right
    cdef double* target
    cdef Py_ssize_t u
    for u in range(plan.row_start[a], plan.row_start[a + 1]):
        right = plan.right + plan.row_right[u] * width + c
        target = plan.right_counts + plan.row_right[u] * width + c
        ratio = plan.ratios[u]
        sum_0 += ratio * right[0]
        sum_1 += ratio * right[1]
        sum_2 += ratio * right[2]
        sum_3 += ratio * right[3]
        new_0 = target[0] + ratio * left_0      # all read before any is written: one vector operation
        new_1 = target[1] + ratio * left_1
        new_2 = target[2] + ratio * left_2
        new_3 = target[3] + ratio * left_3
        target[0] = new_0
        target[1] = new_1
        target[2] = new_2
        target[3] = new_3
    left_counts[0] = sum_0
    left_counts[1] = sum_1
    left_counts[2] = sum_2
    left_counts[3] = sum_3


cdef inline void multiply(
    const double* table, const int32_t* rows, Py_ssize_t n, Py_ssize_t n_factors, Py_ssize_t width,
    double* product, double* counts,
) noexcept nogil:
    """product[i] = table[rows[i]].prod(axis=0); counts[i] = 0."""
    cdef Py_ssize_t i, f, c
    cdef const double* factor
    for i in range(n):
        factor = table + rows[i * n_factors] * width
        for c in range(width):
            product[i * width + c] = factor[c]
            counts[i * width + c] = 0.0
        for f in range(1, n_factors):
            factor = table + rows[i * n_factors + f] * width
            for c in range(width):
                product[i * width + c] *= factor[c]


cdef inline void collect(
    double* table_counts, const int32_t* rows, Py_ssize_t n, Py_ssize_t n_factors, Py_ssize_t width,
    const double* product, const double* counts,
) noexcept nogil:
    """np.add.at(table_counts, rows[i], product[i] * counts[i]) for every i."""
    cdef Py_ssize_t i, f, c
    cdef double* target
    for i in range(n):
        for f in range(n_factors):
            target = table_counts + rows[i * n_factors + f] * width
            for c in range(width):
                target[c] += product[i * width + c] * counts[i * width + c]


cdef inline double visit_rows_in_logs(Plan* plan, const double* log_theta, Py_ssize_t width) noexcept nogil:
    """Visit the rows too close to underflow in logs; returns their log likelihood and takes them out of the main loop."""
    cdef double log_likelihood = 0.0
    cdef Py_ssize_t a, u
    for a in range(plan.n_left):
        for u in range(plan.row_start[a], plan.row_start[a + 1]):
            if plan.probabilities[u] < 1e-250:
                log_likelihood += plan.weights[u] * visit_row_in_logs(plan, log_theta, a, u, width)
                plan.probabilities[u] = 1.0
                plan.ratios[u] = 0.0
    return log_likelihood


cdef inline double visit_row_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t a, Py_ssize_t u, Py_ssize_t width,
) noexcept nogil:
    """Log probability of one unique row, without underflow; adds its expected counts to the table."""
    cdef const int32_t* left_rows = plan.left_rows + a * plan.n_left_factors
    cdef const int32_t* right_rows = plan.right_rows + plan.row_right[u] * plan.n_right_factors
    cdef double largest = -INFINITY, value, total = 0.0
    cdef Py_ssize_t c, f
    for c in range(width):
        value = log_product(plan, log_theta, left_rows, plan.n_left_factors, c, width)
        value += log_product(plan, log_theta, right_rows, plan.n_right_factors, c, width)
        plan.logs[c] = value
        if value > largest:
            largest = value
    if largest == -INFINITY:            # impossible at these parameters: it has no expected counts
        return largest
    for c in range(width):
        plan.logs[c] = exp_nonpositive(plan.logs[c] - largest)
        total += plan.logs[c]
    for c in range(width):
        value = plan.weights[u] * plan.logs[c] / total
        for f in range(plan.n_left_factors):
            plan.table_counts[left_rows[f] * width + c] += value
        for f in range(plan.n_right_factors):
            plan.table_counts[right_rows[f] * width + c] += value
    return largest + log_positive(total)


cdef inline double log_product(
    Plan* plan, const double* log_theta, const int32_t* rows, Py_ssize_t n_factors, Py_ssize_t c, Py_ssize_t width,
) noexcept nogil:
    """Log of the product of some table rows at one hidden configuration."""
    cdef Py_ssize_t f, e
    cdef double total = 0.0
    for f in range(n_factors):
        e = plan.entry[rows[f] * width + c]
        if log_theta == NULL or e >= plan.n_entries:
            total += log(plan.theta[e])
        else:
            total += log_theta[e]
    return total
