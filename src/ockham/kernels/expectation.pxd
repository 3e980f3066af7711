# The E step of a discrete network, over the unique rows of a data set.
#
# symbol        name              shape                        meaning
# theta         parameters        (n_entries + 2,)             probability of each N_ijk cell, then constants, 0 and 1
# N             counts            (n_entries + 2,)             expected counts; the last two cells mean nothing
# F             table             (n_table, width)             a factor, at an observed configuration, over hidden ones;
#                                                              then the products of groups of factors (n_groups, width)
# A, B          left, right       (n_left, width), (n_right, width)   products of half of the factors each
# w             weights           (n_rows,)                    how often each unique row occurs in the data
# Z             probabilities     (n_rows,)                    p(y | theta) of each unique row
#
# The factors are split in two halves by the observed variables that they touch. A unique row is then a pair (a, b) of a
# left and a right configuration, the rows form a sparse matrix, and with every product taken on its support
#     F = theta[entry]      A = prod F[left_rows]      B = prod F[right_rows]      Z = A @ B.T      R = w / Z
#     log likelihood = sum(w * log(Z))      N = scatter(entry, G), where G collects A * (R @ B) and B * (R.T @ A)
# so that a row costs three multiply-adds per hidden configuration, however many variables there are. Factors without an
# observed variable enter every A alike (shared_rows). Where a half has many factors, those of few variables each go in
# groups first: the products of a group at all its configurations (group_rows) are more rows of the table. Rows of equal
# weight share a logarithm, that of the product of up to four of their Z (products; the other rows are singles, all of
# them in order where sharing would not pay).
# The width is the number of hidden configurations rounded up to a multiple of four (the padding has probability 0), and
# every sum has a fixed order, so that the instruction set does not change the result. The work goes through four hidden
# configurations at a time, and arrays of this width hold the four of every row side by side, then the next four (at):
# what one pass needs lies together.
from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from ockham.kernels.checks cimport within
from ockham.kernels.special cimport exp_nonpositive, log_positive
from ockham.kernels.sums cimport terms_fit, weighted_sum_of_logs


cdef struct Plan:
    Py_ssize_t width, n_entries, n_table, n_groups, n_group_factors, n_left, n_right, n_left_factors, n_right_factors
    Py_ssize_t n_rows, n_shared, n_products, n_singles
    const int32_t* entry            # (width / 4, n_table, 4)
    const int32_t* group_rows       # (n_groups, n_group_factors); NULL without a group
    const int32_t* left_rows        # (n_left, n_left_factors)
    const int32_t* right_rows       # (n_right, n_right_factors)
    const int32_t* row_start        # (n_left + 1,)
    const int32_t* row_right        # (n_rows,)
    const double* weights           # (n_rows,)
    const int32_t* shared_rows      # (n_shared,)
    const int32_t* products         # (n_products, 4): rows of equal weight, or n_rows for none; NULL without a product
    const int32_t* singles          # (n_singles,): the other rows
    const double* term_weights      # (n_products + n_singles,)
    double* table                   # work: (n_table + n_groups, width)
    double* left                    # work: (n_left, width)
    double* right                   # work: (n_right, width)
    double* table_counts            # work: (n_table + n_groups, width)
    double* left_counts             # work: (n_left, width)
    double* right_counts            # work: (n_right, width)
    double* shared                  # work: (width,): product of the shared rows
    double* probabilities           # work: (n_rows + 1,), then a constant 1
    double* ratios                  # work: (n_rows,)
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
    cdef const int32_t[:, ::1] products = layout.terms.products
    cdef const int32_t[::1] singles = layout.terms.singles
    cdef const double[::1] term_weights = layout.terms.weights
    cdef Py_ssize_t width = 4 * entry.shape[0], n_table = entry.shape[1] + group_rows.shape[0], used, a
    plan.width, plan.n_entries, plan.n_table = width, n_entries, entry.shape[1]
    plan.n_groups, plan.n_group_factors = group_rows.shape[0], group_rows.shape[1]
    plan.n_left, plan.n_left_factors = left_rows.shape[0], left_rows.shape[1]
    plan.n_right, plan.n_right_factors = right_rows.shape[0], right_rows.shape[1]
    plan.n_rows = row_right.shape[0]
    plan.n_shared, plan.n_products, plan.n_singles = shared_rows.shape[0], products.shape[0], singles.shape[0]
    used = plan_size(layout)
    if (entry.shape[2] != 4 or term_weights.shape[0] != plan.n_products + plan.n_singles
            or row_start.shape[0] != plan.n_left + 1 or weights.shape[0] != plan.n_rows or work.shape[0] < used
            or not shared_rows.size or not entry.size or not left_rows.size or not right_rows.size or not plan.n_rows):
        raise ValueError("the arrays of the E step do not fit together")
    if not (within(&entry[0, 0, 0], entry.size, n_entries + 2) and within(&left_rows[0, 0], left_rows.size, n_table)
            and within(&right_rows[0, 0], right_rows.size, n_table)
            and (not group_rows.size or within(&group_rows[0, 0], group_rows.size, plan.n_table))
            and within(&row_right[0], plan.n_rows, plan.n_right)
            and terms_fit(products, singles, plan.n_rows, plan.n_rows + 1)
            and within(&shared_rows[0], plan.n_shared, plan.n_table)
            and row_start[0] == 0 and row_start[plan.n_left] == plan.n_rows):
        raise ValueError("an index of the E step is out of range")
    for a in range(plan.n_left):
        if row_start[a] > row_start[a + 1]:
            raise ValueError("an index of the E step is out of range")
    plan.entry, plan.left_rows, plan.right_rows = &entry[0, 0, 0], &left_rows[0, 0], &right_rows[0, 0]
    plan.row_start, plan.row_right, plan.weights = &row_start[0], &row_right[0], &weights[0]
    plan.shared_rows, plan.singles, plan.term_weights = &shared_rows[0], &singles[0], &term_weights[0]
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
    plan.ratios = plan.probabilities + plan.n_rows + 1
    plan.terms = plan.ratios + plan.n_rows
    plan.probabilities[plan.n_rows] = 1.0
    return used


cdef inline double expected_counts(
    Plan* plan, const double* theta, const double* log_theta, double* counts,
) noexcept nogil:
    """Log likelihood (nats) at theta and the expected counts under p(hidden | observed, theta).

    ``log_theta`` is for the rows whose probability underflows; NULL stands for the logs of theta.
    """
    cdef double value
    fill_table(plan, theta)
    clear_counts(plan)
    if plan.width == 4:                 # a constant lets the compiler keep the inner loops in registers
        value = visit_rows(plan, log_theta, 4, True)
    else:
        value = visit_rows(plan, log_theta, plan.width, True)
    gather_counts(plan, counts)
    return value


cdef inline double log_likelihood(Plan* plan, const double* theta, const double* log_theta) noexcept nogil:
    """The first result of expected_counts alone."""
    fill_table(plan, theta)
    return visit_rows(plan, log_theta, 4, False) if plan.width == 4 else visit_rows(plan, log_theta, plan.width, False)


cdef inline Py_ssize_t at(Py_ssize_t n, Py_ssize_t row, Py_ssize_t c) noexcept nogil:
    """Where an array of n rows of the plan's width has its element (row, c)."""
    return (c - c % 4) * n + 4 * row + c % 4


cdef inline void fill_table(Plan* plan, const double* theta) noexcept nogil:
    cdef Py_ssize_t i, c, n = plan.n_table
    cdef double* table
    plan.theta = theta
    for c in range(0, plan.width, 4):
        table = plan.table + at(n + plan.n_groups, 0, c)
        for i in range(4 * n):
            table[i] = theta[plan.entry[c * n + i]]


cdef inline void gather_counts(Plan* plan, double* counts) noexcept nogil:
    """counts = np.bincount(entry, table_counts)"""
    cdef Py_ssize_t i, c, n = plan.n_table
    cdef const double* table_counts
    for i in range(plan.n_entries + 2):
        counts[i] = 0.0
    for c in range(0, plan.width, 4):
        table_counts = plan.table_counts + at(n + plan.n_groups, 0, c)
        for i in range(4 * n):
            counts[plan.entry[c * n + i]] += table_counts[i]


cdef inline void clear_counts(Plan* plan) noexcept nogil:
    """Zeros for the counts of the table, A and B, which lie side by side."""
    memset(
        plan.table_counts, 0,
        (plan.n_table + plan.n_groups + plan.n_left + plan.n_right) * plan.width * sizeof(double))


cdef inline double visit_rows(
    Plan* plan, const double* log_theta, Py_ssize_t width, bint with_counts,
) noexcept nogil:
    cdef Py_ssize_t a, c
    cdef bint small
    cdef double value = 0.0
    multiply(plan, width)
    small = probabilities_of_rows(plan, width, with_counts)
    if small:
        value = visit_rows_in_logs(plan, log_theta, width)
    if with_counts:
        for a in range(plan.n_left):
            for c in range(0, width, 4):
                spread_counts(plan, a, plan.left + at(plan.n_left, a, c), plan.left_counts + at(plan.n_left, a, c), c)
        collect(plan, width)
    if small:
        return value + weighted_sum_of_logs(
            plan.probabilities, NULL, 0, NULL, plan.n_rows, plan.weights, plan.ratios)
    return value + weighted_sum_of_logs(
        plan.probabilities, plan.products, plan.n_products, plan.singles, plan.n_singles, plan.term_weights, plan.terms)


cdef inline bint probabilities_of_rows(Plan* plan, Py_ssize_t width, bint with_counts) noexcept nogil:
    """Z = A @ B.T on its support, and R = w / Z for counts; whether some product of four Z underflows.

    The divisions of 16 rows at a time follow the dot products at a distance, and so take place behind them.
    """
    cdef Py_ssize_t a, c, u, k, done = 0
    cdef int64_t n_small = 0
    for c in range(0, width, 4):
        for a in range(plan.n_left):
            add_dots(plan, a, plan.left + at(plan.n_left, a, c), c)
            if with_counts and c + 4 == width:
                while done + 64 < plan.row_start[a + 1]:
                    for k in range(16):
                        plan.ratios[done + k] = plan.weights[done + k] / plan.probabilities[done + k]
                    done += 16
    if with_counts:
        for u in range(done, plan.n_rows):
            plan.ratios[u] = plan.weights[u] / plan.probabilities[u]
    for u in range(plan.n_rows):
        n_small += plan.probabilities[u] < 1e-62
    return n_small > 0


cdef inline void add_dots(
    Plan* plan, Py_ssize_t a, const double* left, Py_ssize_t c,
) noexcept nogil:
    """Z = (left * B[row_right]).sum() for the rows of one left configuration.

    Over four hidden configurations; those from the second four on are added.
    """
    cdef double left_0 = left[0], left_1 = left[1], left_2 = left[2], left_3 = left[3], z
    cdef const double* right
    cdef Py_ssize_t u
    for u in range(plan.row_start[a], plan.row_start[a + 1]):
        right = plan.right + at(plan.n_right, plan.row_right[u], c)
        z = (left_0 * right[0] + left_2 * right[2]) + (left_1 * right[1] + left_3 * right[3])
        plan.probabilities[u] = z if c == 0 else plan.probabilities[u] + z


cdef inline void spread_counts(
    Plan* plan, Py_ssize_t a, const double* left, double* left_counts, Py_ssize_t c,
) noexcept nogil:
    """For the rows of one left configuration, at four hidden ones: left_counts += R @ B, right_counts += R.T @ A."""
    cdef double left_0 = left[0], left_1 = left[1], left_2 = left[2], left_3 = left[3]
    cdef double sum_0 = 0.0, sum_1 = 0.0, sum_2 = 0.0, sum_3 = 0.0, ratio
    cdef const double* right
    cdef Py_ssize_t u
    for u in range(plan.row_start[a], plan.row_start[a + 1]):
        right = plan.right + at(plan.n_right, plan.row_right[u], c)
        ratio = plan.ratios[u]
        sum_0 += ratio * right[0]
        sum_1 += ratio * right[1]
        sum_2 += ratio * right[2]
        sum_3 += ratio * right[3]
        add_four(plan.right_counts + at(plan.n_right, plan.row_right[u], c),
                 ratio * left_0, ratio * left_1, ratio * left_2, ratio * left_3)
    left_counts[0] = sum_0
    left_counts[1] = sum_1
    left_counts[2] = sum_2
    left_counts[3] = sum_3


cdef inline void multiply(Plan* plan, Py_ssize_t width) noexcept nogil:
    """The products of the table's rows that make the shared factor, A and B."""
    cdef Py_ssize_t c
    for c in range(0, width, 4):
        plan.shared[c] = plan.shared[c + 1] = plan.shared[c + 2] = plan.shared[c + 3] = 1.0
        multiply_rows(
            plan, plan.group_rows, plan.n_groups, plan.n_group_factors, c,
            plan.table + at(plan.n_table + plan.n_groups, plan.n_table, c))
        multiply_rows(plan, plan.shared_rows, 1, plan.n_shared, c, plan.shared + c)
        multiply_rows(plan, plan.left_rows, plan.n_left, plan.n_left_factors, c, plan.left + at(plan.n_left, 0, c))
        plan.shared[c] = plan.shared[c + 1] = plan.shared[c + 2] = plan.shared[c + 3] = 1.0
        multiply_rows(plan, plan.right_rows, plan.n_right, plan.n_right_factors, c, plan.right + at(plan.n_right, 0, c))


cdef inline void multiply_rows(
    Plan* plan, const int32_t* rows, Py_ssize_t n, Py_ssize_t n_factors, Py_ssize_t c, double* product,
) noexcept nogil:
    """At four hidden configurations: product[i] = shared * table[rows[i]].prod(axis=0)."""
    cdef Py_ssize_t i, f
    cdef double product_0, product_1, product_2, product_3
    cdef const double* table = plan.table + at(plan.n_table + plan.n_groups, 0, c)
    cdef const double* factor
    for i in range(n):
        product_0, product_1 = plan.shared[c], plan.shared[c + 1]
        product_2, product_3 = plan.shared[c + 2], plan.shared[c + 3]
        for f in range(n_factors):
            factor = table + 4 * rows[i * n_factors + f]
            product_0 *= factor[0]
            product_1 *= factor[1]
            product_2 *= factor[2]
            product_3 *= factor[3]
        product[4 * i] = product_0
        product[4 * i + 1] = product_1
        product[4 * i + 2] = product_2
        product[4 * i + 3] = product_3


cdef inline void collect(Plan* plan, Py_ssize_t width) noexcept nogil:
    """Turn the counts of A and B into counts of the table's rows, and those of groups into their factors'."""
    cdef Py_ssize_t c, f, i, to_right, to_left
    cdef double* table_counts
    cdef double[4] total
    for c in range(0, width, 4):
        table_counts = plan.table_counts + at(plan.n_table + plan.n_groups, 0, c)
        to_right, to_left = at(plan.n_right, 0, c), at(plan.n_left, 0, c)
        collect_rows(plan.right_rows, plan.n_right, plan.n_right_factors, plan.right + to_right,
                     plan.right_counts + to_right, table_counts, total)
        collect_rows(plan.left_rows, plan.n_left, plan.n_left_factors, plan.left + to_left,
                     plan.left_counts + to_left, table_counts, total)
        for f in range(plan.n_shared):
            add_four(table_counts + 4 * plan.shared_rows[f], total[0], total[1], total[2], total[3])
        for i in range(plan.n_groups):
            spread_group(plan, i, table_counts)


cdef inline void spread_group(Plan* plan, Py_ssize_t i, double* table_counts) noexcept nogil:
    """At four hidden configurations: np.add.at(table_counts, group_rows[i], table_counts[n_table + i])."""
    cdef const double* counts = table_counts + 4 * (plan.n_table + i)
    cdef double count_0 = counts[0], count_1 = counts[1], count_2 = counts[2], count_3 = counts[3]
    cdef Py_ssize_t f
    for f in range(plan.n_group_factors):
        add_four(table_counts + 4 * plan.group_rows[i * plan.n_group_factors + f],
                 count_0, count_1, count_2, count_3)


cdef inline void add_four(double* target, double x_0, double x_1, double x_2, double x_3) noexcept nogil:
    """target += x, all read before any is written: one vector operation."""
    cdef double new_0 = target[0] + x_0, new_1 = target[1] + x_1, new_2 = target[2] + x_2, new_3 = target[3] + x_3
    target[0] = new_0
    target[1] = new_1
    target[2] = new_2
    target[3] = new_3


cdef inline void collect_rows(
    const int32_t* rows, Py_ssize_t n, Py_ssize_t n_factors, const double* product, const double* counts,
    double* table_counts, double* total,
) noexcept nogil:
    """np.add.at(table_counts, rows[i], product[i] * counts[i]) for every i, and their total.

    At four hidden configurations.
    """
    cdef Py_ssize_t i, f
    cdef double count_0, count_1, count_2, count_3
    cdef double total_0 = 0.0, total_1 = 0.0, total_2 = 0.0, total_3 = 0.0
    for i in range(n):
        count_0 = product[4 * i] * counts[4 * i]
        count_1 = product[4 * i + 1] * counts[4 * i + 1]
        count_2 = product[4 * i + 2] * counts[4 * i + 2]
        count_3 = product[4 * i + 3] * counts[4 * i + 3]
        total_0 += count_0
        total_1 += count_1
        total_2 += count_2
        total_3 += count_3
        for f in range(n_factors):
            add_four(table_counts + 4 * rows[i * n_factors + f], count_0, count_1, count_2, count_3)
    total[0] = total_0
    total[1] = total_1
    total[2] = total_2
    total[3] = total_3


cdef inline double visit_rows_in_logs(Plan* plan, const double* log_theta, Py_ssize_t width) noexcept nogil:
    """Visit the rows too close to underflow in logs; return their log likelihood and take them out of the main loop."""
    cdef double log_likelihood = 0.0
    cdef Py_ssize_t a, u
    for a in range(plan.n_left):
        for u in range(plan.row_start[a], plan.row_start[a + 1]):
            if plan.probabilities[u] < 1e-250:
                log_likelihood += plan.weights[u] * visit_row_in_logs(plan, log_theta, a, u, width)
                plan.probabilities[u] = 1.0     # its log adds nothing
                plan.ratios[u] = 0.0
    return log_likelihood


cdef inline double visit_row_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t a, Py_ssize_t u, Py_ssize_t width,
) noexcept nogil:
    """Log probability of one unique row, without underflow; adds its expected counts to the table."""
    cdef const int32_t* left_rows = plan.left_rows + a * plan.n_left_factors
    cdef const int32_t* right_rows = plan.right_rows + plan.row_right[u] * plan.n_right_factors
    cdef double value, log_probability = complete_row_in_logs(plan, log_theta, a, u, width)
    cdef Py_ssize_t c, f, n = plan.n_table + plan.n_groups
    if log_probability == -INFINITY:    # impossible at these parameters: it has no expected counts
        return log_probability
    for c in range(width):
        value = plan.weights[u] * plan.logs[c]
        for f in range(plan.n_left_factors):
            plan.table_counts[at(n, left_rows[f], c)] += value
        for f in range(plan.n_right_factors):
            plan.table_counts[at(n, right_rows[f], c)] += value
        for f in range(plan.n_shared):
            plan.table_counts[at(n, plan.shared_rows[f], c)] += value
    return log_probability


cdef inline double complete_row_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t a, Py_ssize_t u, Py_ssize_t width,
) noexcept nogil:
    """Log probability of one unique row; leaves p(hidden | observed, theta) in the logs' place, unless it is -inf."""
    cdef const int32_t* left_rows = plan.left_rows + a * plan.n_left_factors
    cdef const int32_t* right_rows = plan.right_rows + plan.row_right[u] * plan.n_right_factors
    cdef double largest = -INFINITY, value, total = 0.0
    cdef Py_ssize_t c
    for c in range(width):
        value = log_product(plan, log_theta, left_rows, plan.n_left_factors, c)
        value += log_product(plan, log_theta, right_rows, plan.n_right_factors, c)
        value += log_product(plan, log_theta, plan.shared_rows, plan.n_shared, c)
        plan.logs[c] = value
        if value > largest:
            largest = value
    if largest == -INFINITY:
        return largest
    for c in range(width):
        plan.logs[c] = exp_nonpositive(plan.logs[c] - largest)
        total += plan.logs[c]
    for c in range(width):
        plan.logs[c] /= total
    return largest + log_positive(total)


cdef inline double log_product(
    Plan* plan, const double* log_theta, const int32_t* rows, Py_ssize_t n_factors, Py_ssize_t c,
) noexcept nogil:
    """Log of the product of some table rows at one hidden configuration."""
    cdef Py_ssize_t f, e
    cdef double total = 0.0
    for f in range(n_factors):
        if rows[f] >= plan.n_table:
            total += log_product(
                plan, log_theta, plan.group_rows + (rows[f] - plan.n_table) * plan.n_group_factors,
                plan.n_group_factors, c)
            continue
        e = plan.entry[at(plan.n_table, rows[f], c)]
        if log_theta == NULL or e >= plan.n_entries:
            total += log(plan.theta[e])
        else:
            total += log_theta[e]
    return total
