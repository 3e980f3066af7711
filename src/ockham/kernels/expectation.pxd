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
# v             weights[n_rows:]  (n_incomplete,)              how often each incomplete row occurs
# C             fillings          (n_incomplete, n_rows)       1 where a row is an incomplete one filled in; sparse
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
# Incomplete rows have missing cells that do not sum to 1. They come after the others, which are then all rows that they
# can be filled in to as well, with w = 0 if these do not occur themselves:
#     Z' = C @ Z      R += C.T @ (v / Z')      log likelihood += sum(v * log(Z'))
# The width is the number of hidden configurations rounded up to a multiple of four (the padding has probability 0), and
# every sum has a fixed order, so that the instruction set does not change the result. The work goes through four hidden
# configurations at a time, and arrays of this width hold the four of every row side by side, then the next four (at):
# what one pass needs lies together.
from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from ockham.kernels.plan cimport Plan, at
from ockham.kernels.special cimport exp_nonpositive, log_positive
from ockham.kernels.sums cimport weighted_sum_of_logs


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
    if not plan.is_complete and probabilities_of_incomplete_rows(plan):
        small = True
    if small:
        value = visit_rows_in_logs(plan, log_theta, width)
    if not plan.is_complete:
        spread_ratios(plan)
    if with_counts:
        for a in range(plan.n_left):
            for c in range(0, width, 4):
                spread_counts(plan, a, plan.left + at(plan.n_left, a, c), plan.left_counts + at(plan.n_left, a, c), c)
        collect(plan, width)
    if small:
        return value + weighted_sum_of_logs(
            plan.probabilities, NULL, 0, NULL, plan.n_rows + plan.n_incomplete, plan.weights, plan.ratios)
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
        n_small += (plan.probabilities[u] < 1e-62) & (plan.weights[u] > 0.0)
    return n_small > 0


cdef inline bint probabilities_of_incomplete_rows(Plan* plan) noexcept nogil:
    """Z' = C @ Z and v / Z'; whether some product of four Z' underflows."""
    cdef Py_ssize_t i, k
    cdef int64_t n_small = 0
    cdef double* probabilities = plan.probabilities + plan.n_rows
    for i in range(plan.n_incomplete):
        probabilities[i] = 0.0
        for k in range(plan.filling_start[i], plan.filling_start[i + 1]):
            probabilities[i] += plan.probabilities[plan.fillings[k]]
        plan.ratios[plan.n_rows + i] = plan.weights[plan.n_rows + i] / probabilities[i]
        n_small += probabilities[i] < 1e-62
    return n_small > 0


cdef inline void spread_ratios(Plan* plan) noexcept nogil:
    """R += C.T @ (v / Z'); a row of weight 0 has nothing else, and no logarithm."""
    cdef Py_ssize_t u, i, k
    for u in range(plan.n_rows):
        if plan.weights[u] == 0.0:
            plan.ratios[u] = 0.0
            plan.probabilities[u] = 1.0
    for i in range(plan.n_incomplete):
        for k in range(plan.filling_start[i], plan.filling_start[i + 1]):
            plan.ratios[plan.fillings[k]] += plan.ratios[plan.n_rows + i]


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
    cdef Py_ssize_t a, u, i
    for a in range(plan.n_left):
        for u in range(plan.row_start[a], plan.row_start[a + 1]):
            if plan.probabilities[u] < 1e-250 and plan.weights[u] > 0.0:
                log_likelihood += plan.weights[u] * visit_row_in_logs(plan, log_theta, a, u, width, plan.weights[u])
                plan.probabilities[u] = 1.0     # its log adds nothing
                plan.ratios[u] = 0.0
    for i in range(plan.n_incomplete):
        u = plan.n_rows + i
        if plan.probabilities[u] < 1e-250:
            log_likelihood += plan.weights[u] * visit_incomplete_row_in_logs(plan, log_theta, i, width)
            plan.probabilities[u] = 1.0
            plan.ratios[u] = 0.0
    return log_likelihood


cdef inline double visit_row_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t a, Py_ssize_t u, Py_ssize_t width, double weight,
) noexcept nogil:
    """Log probability of one unique row, without underflow; adds its expected counts to the table, times the weight."""
    cdef const int32_t* left_rows = plan.left_rows + a * plan.n_left_factors
    cdef const int32_t* right_rows = plan.right_rows + plan.row_right[u] * plan.n_right_factors
    cdef double value, log_probability = complete_row_in_logs(plan, log_theta, a, u, width)
    cdef Py_ssize_t c, f, n = plan.n_table + plan.n_groups
    if log_probability == -INFINITY:    # impossible at these parameters: it has no expected counts
        return log_probability
    for c in range(width):
        value = weight * plan.logs[c]
        for f in range(plan.n_left_factors):
            plan.table_counts[at(n, left_rows[f], c)] += value
        for f in range(plan.n_right_factors):
            plan.table_counts[at(n, right_rows[f], c)] += value
        for f in range(plan.n_shared):
            plan.table_counts[at(n, plan.shared_rows[f], c)] += value
    return log_probability


cdef inline double visit_incomplete_row_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t i, Py_ssize_t width,
) noexcept nogil:
    """The same of an incomplete row: its fillings share its weight."""
    cdef double log_total = incomplete_row_in_logs(plan, log_theta, i, width), weight
    cdef Py_ssize_t k, u
    for k in range(plan.filling_start[i], plan.filling_start[i + 1]):
        u = plan.fillings[k]
        weight = plan.weights[plan.n_rows + i] * share_in_logs(plan, log_theta, u, width, log_total)
        visit_row_in_logs(plan, log_theta, left_of(plan, u), u, width, weight)
    return log_total


cdef inline double incomplete_row_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t i, Py_ssize_t width,
) noexcept nogil:
    """Log probability of an incomplete row: logsumexp over its fillings."""
    cdef double largest = -INFINITY, total = 0.0, value
    cdef Py_ssize_t k, u
    for k in range(plan.filling_start[i], plan.filling_start[i + 1]):
        u = plan.fillings[k]
        value = complete_row_in_logs(plan, log_theta, left_of(plan, u), u, width)
        if value > largest:
            total = total * exp_nonpositive(largest - value) + 1.0
            largest = value
        elif value > -INFINITY:
            total += exp_nonpositive(value - largest)
    return largest + log_positive(total) if total > 0.0 else largest


cdef inline double share_in_logs(
    Plan* plan, const double* log_theta, Py_ssize_t u, Py_ssize_t width, double log_total,
) noexcept nogil:
    """Share of a filling in its incomplete row; nothing in one that is impossible at these parameters."""
    cdef double value = complete_row_in_logs(plan, log_theta, left_of(plan, u), u, width)
    return exp_nonpositive(value - log_total) if value > -INFINITY else 0.0


cdef inline Py_ssize_t left_of(Plan* plan, Py_ssize_t u) noexcept nogil:
    """The left configuration of a row: np.searchsorted(row_start, u, side="right") - 1."""
    cdef Py_ssize_t low = 0, high = plan.n_left, middle
    while high - low > 1:
        middle = (low + high) // 2
        if plan.row_start[middle] <= u:
            low = middle
        else:
            high = middle
    return low


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
