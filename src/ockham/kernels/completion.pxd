# Completions of the data of a discrete network, drawn given the parameters: missing cells and hidden states.
#
# symbol        name             shape              unit
# theta         theta            (n_entries + 2,)   1       followed by 0 and 1
# ln theta      log_theta        (n_entries,)       nats
# N             counts           (n_entries + 2,)   1       out: of the completed data
# lambda        prior            (n_entries,)       1       Dirichlet hyperparameters
#
# In NumPy, with p[u] = p(hidden | y[u], theta) of unique row u, which occurs w[u] times: the copies of an incomplete
# row are first divided among the rows that it can be, w += rng.multinomial(v[i], Z * C[i] / (Z @ C[i])). Then
#     N = scatter(rng.multinomial(w, p))
from libc.stdint cimport int32_t, int64_t
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport binomial_t

from ockham.kernels.expectation cimport (
    clear_counts, collect, complete_row_in_logs, fill_table, gather_counts, incomplete_row_in_logs, multiply,
    probabilities_of_rows, share_in_logs)
from ockham.kernels.multinomial cimport draw_below
from ockham.kernels.plan cimport Plan, at
from ockham.kernels.special cimport log_positive


cdef inline Py_ssize_t most_parts(layout) except -1:
    """Into which the copies of a row are divided: hidden configurations, or rows that an incomplete one can be."""
    cdef const int32_t[::1] filling_start = layout.filling_start
    cdef Py_ssize_t i, most = 4 * len(layout.entry)
    for i in range(filling_start.shape[0] - 1):
        most = max(most, filling_start[i + 1] - filling_start[i])
    return most


cdef inline void complete(
    Plan* plan, bitgen_t* generator, binomial_t* memory, const double* theta, const double* log_theta,
    double* cumulative, double* below, double* counts,
) noexcept nogil:
    """Counts of the data completed with missing cells and hidden states from their distribution given the others."""
    cdef Py_ssize_t i, width = plan.width
    fill_table(plan, theta)
    clear_counts(plan)
    multiply(plan, width)
    for i in range(plan.n_rows):
        plan.ratios[i] = plan.weights[i]
    if plan.n_incomplete:
        fill_in(plan, generator, memory, log_theta, cumulative, below)
    if width == 4:
        draw_hidden_states(plan, generator, memory, log_theta, 4, cumulative, below)
    else:
        draw_hidden_states(plan, generator, memory, log_theta, width, cumulative, below)
    for i in range(plan.n_left * width):
        plan.left[i] = 1.0              # the counts are complete: nothing is to be multiplied in
    for i in range(plan.n_right * width):
        plan.right[i] = 1.0
    collect(plan, width)
    gather_counts(plan, counts)


cdef inline void draw_hidden_states(
    Plan* plan, bitgen_t* generator, binomial_t* memory, const double* log_theta, Py_ssize_t width,
    double* cumulative, double* below,
) noexcept nogil:
    """Divide the copies of every unique row, the plan's ratios, among the hidden configurations."""
    cdef Py_ssize_t a, u, c
    cdef double total, taken
    for a in range(plan.n_left):
        for u in range(plan.row_start[a], plan.row_start[a + 1]):
            if plan.ratios[u] == 0.0:
                continue
            total = 0.0
            for c in range(width):
                total += plan.left[at(plan.n_left, a, c)] * plan.right[at(plan.n_right, plan.row_right[u], c)]
                cumulative[c] = total
            if total < 1e-250:
                complete_row_in_logs(plan, log_theta, a, u, width)
                sum_up(plan.logs, width, cumulative)
            draw_below(generator, memory, <int64_t> plan.ratios[u], cumulative, width, below)
            for c in range(width):
                taken = below[c] - (below[c - 1] if c else 0.0)
                plan.left_counts[at(plan.n_left, a, c)] += taken
                plan.right_counts[at(plan.n_right, plan.row_right[u], c)] += taken


cdef inline void fill_in(
    Plan* plan, bitgen_t* generator, binomial_t* memory, const double* log_theta, double* cumulative, double* below,
) noexcept nogil:
    """Divide the copies of incomplete rows among the rows that they can be; adds them to the plan's ratios."""
    cdef Py_ssize_t i, k, n_fillings
    cdef const int32_t* fillings
    cdef double total, log_total
    probabilities_of_rows(plan, plan.width, False)
    for i in range(plan.n_incomplete):
        fillings = plan.fillings + plan.filling_start[i]
        n_fillings = plan.filling_start[i + 1] - plan.filling_start[i]
        total = 0.0
        for k in range(n_fillings):
            total += plan.probabilities[fillings[k]]
            cumulative[k] = total
        if total < 1e-250:
            log_total, total = incomplete_row_in_logs(plan, log_theta, i, plan.width), 0.0
            for k in range(n_fillings):
                total += share_in_logs(plan, log_theta, fillings[k], plan.width, log_total)
                cumulative[k] = total
        draw_below(generator, memory, <int64_t> plan.weights[plan.n_rows + i], cumulative, n_fillings, below)
        for k in range(n_fillings):
            plan.ratios[fillings[k]] += below[k] - (below[k - 1] if k else 0.0)


cdef inline void sum_up(const double* x, Py_ssize_t n, double* sums) noexcept nogil:
    """np.cumsum(x)"""
    cdef Py_ssize_t i
    cdef double total = 0.0
    for i in range(n):
        total += x[i]
        sums[i] = total


cdef inline void add_counts(
    const double* prior, const double* counts, Py_ssize_t n_entries, double* shape, double* log_shape,
) noexcept nogil:
    """Parameters of the Dirichlet distributions of theta given completed data, and their logs."""
    cdef Py_ssize_t e
    for e in range(n_entries):
        shape[e] = prior[e] + counts[e]
    for e in range(n_entries):
        log_shape[e] = log_positive(shape[e])
