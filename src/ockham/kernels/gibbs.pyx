# Gibbs sampling of a discrete network: hidden states given parameters, parameters given the completed data.
#
# symbol        name             shape              unit
# ln theta      log_theta        (n_entries,)       nats    in: the first parameters; out: the last
# lambda        prior            (n_entries,)       1       Dirichlet hyperparameters
# N             counts           (n_entries + 2,)   1       of the data completed with the sampled hidden states
# ln theta*     points           (S, n_entries)     nats    aliases of a point at which the posterior density is wanted
#               classes          (r, m)                     entries of each class, in one order: classes may be permuted
#               shared           (k,)                       the other entries; r = 1 where no classes are to be permuted
#
# One sweep in NumPy, with p[u] = p(hidden | y[u], theta) of unique row u, which occurs w[u] times. The copies of an
# incomplete row are first divided among the rows that it can be, w += rng.multinomial(v[i], Z * C[i] / (Z @ C[i])).
#     N = scatter(rng.multinomial(w, p)); theta = rng.dirichlet(prior + N)
#     log_completed = log_beta(prior + N)                                   # ln p(D_c | m) + ln B(lambda)
#     a = prior + N; T = a[classes] @ points[s][classes].T for every point s
#     log_density = logsumexp_s(a[shared] @ points[s][shared] + log_permanent(T)) - log(S) - log(r!) - log_completed
# where log_beta(a) is ln B(a) summed over the rows, and the permanent of exp(T) sums over the r! permutations of the
# classes. The density is that of the softmax basis, with theta ** a for theta ** (a - 1): the candidate's formula has
# it above and below the line.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport binomial_t

from ockham.kernels.beta cimport log_beta
from ockham.kernels.checks cimport ascends, within
from ockham.kernels.expectation cimport (
    clear_counts, collect, complete_row_in_logs, fill_table, gather_counts, incomplete_row_in_logs, multiply,
    probabilities_of_rows, share_in_logs)
from ockham.kernels.multinomial cimport draw_below
from ockham.kernels.permanent cimport log_permanent
from ockham.kernels.plan cimport Plan, at, bind, plan_size
from ockham.kernels.sampling cimport draw_dirichlet, generator_of
from ockham.kernels.special cimport exp_nonpositive, log_positive


cpdef Py_ssize_t work_size(
    layout, Py_ssize_t n_entries, Py_ssize_t n_rows, Py_ssize_t n_points, Py_ssize_t n_classes,
) except -1:
    """Doubles of work that ``run`` takes, with that many rows of parameters, points and classes."""
    cdef Py_ssize_t n_subsets = <Py_ssize_t> 1 << n_classes
    cdef Py_ssize_t n_sizes = plan_size(layout) + 2 * most_parts(layout)
    return n_sizes + 6 * n_entries + 3 * n_rows + 4 + n_points + n_classes * n_classes + n_subsets


cdef Py_ssize_t most_parts(layout) except -1:
    """Into which the copies of a row are divided: hidden configurations, or rows that an incomplete one can be."""
    cdef const int32_t[::1] filling_start = layout.filling_start
    cdef Py_ssize_t i, most = 4 * len(layout.entry)
    for i in range(filling_start.shape[0] - 1):
        most = max(most, filling_start[i + 1] - filling_start[i])
    return most


def run(
    bit_generator,
    layout,
    const int32_t[::1] rows,            # IN which row each entry is in
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    const double[:, ::1] points,        # IN may have no row
    const int32_t[:, ::1] classes,      # IN
    const int32_t[::1] shared,          # IN may be empty
    double[::1] log_theta,              # INOUT
    double[::1] log_completed,          # OUT (n_sweeps,) nats
    double[::1] log_density,            # OUT (n_sweeps,) nats, where there are points
    double[::1] best_counts,            # OUT (n_entries,) counts of the most probable completion visited
    double[:, ::1] draws,               # OUT (n_sweeps, n_entries) ln theta after each sweep; may have no row
    double[::1] work,                   # work
):
    """Sweep log_completed.shape[0] times."""
    cdef Plan plan
    cdef Py_ssize_t n_entries = prior.shape[0], n_rows = row_starts.shape[0] - 1, n_points = points.shape[0], used
    cdef Py_ssize_t n_all = n_entries + n_rows
    cdef Py_ssize_t sweep, e
    cdef double best = -INFINITY
    cdef binomial_t memory
    used = bind(&plan, layout, n_entries, work)
    if (log_theta.shape[0] != n_entries or rows.shape[0] != n_entries or best_counts.shape[0] != n_entries
            or points.shape[1] != n_entries or draws.shape[1] != n_entries
            or (draws.shape[0] and draws.shape[0] < log_completed.shape[0])
            or log_density.shape[0] < log_completed.shape[0]
            or classes.shape[0] < 1 or classes.shape[0] > 24 or classes.size + shared.shape[0] != n_entries
            or work.shape[0] < work_size(layout, n_entries, n_rows, n_points, classes.shape[0])):
        raise ValueError("the arrays of Gibbs sampling do not fit together")
    if (not ascends(row_starts, n_entries) or not within(&rows[0], n_entries, n_rows)
            or not within(&classes[0, 0], classes.size, n_entries)
            or (shared.shape[0] and not within(&shared[0], shared.shape[0], n_entries))):
        raise ValueError("an index of Gibbs sampling is out of range")
    cdef double* counts = &work[used]
    cdef double* theta = counts + n_entries + 2
    cdef double* log_shape = theta + n_entries + 2
    cdef double* shape = log_shape + n_entries
    cdef double* digamma = shape + n_all
    cdef double* log_gamma = digamma + n_all
    cdef double* densities = log_gamma + n_all
    cdef double* exponents = densities + n_points
    cdef double* subsets = exponents + classes.shape[0] ** 2
    cdef double* cumulative = subsets + (<Py_ssize_t> 1 << classes.shape[0])
    cdef double* below = cumulative + most_parts(layout)
    cdef Py_ssize_t s
    generator = generator_of(bit_generator)
    memset(&memory, 0, sizeof(memory))
    with nogil:
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        for e in range(n_entries):
            theta[e] = exp_nonpositive(log_theta[e])
        for sweep in range(log_completed.shape[0]):
            complete(&plan, generator, &memory, theta, &log_theta[0], cumulative, below, counts)
            for e in range(n_entries):
                shape[e] = prior[e] + counts[e]
            for e in range(n_entries):
                log_shape[e] = log_positive(shape[e])
            log_completed[sweep] = log_beta(shape, &rows[0], n_entries, n_rows, digamma, log_gamma)
            if log_completed[sweep] > best:
                best = log_completed[sweep]
                for e in range(n_entries):
                    best_counts[e] = counts[e]
            if n_points:
                for s in range(n_points):
                    densities[s] = log_mean_permuted(points[s], shape, classes, shared, exponents, subsets)
                log_density[sweep] = log_mean(densities, n_points) - log_completed[sweep]
            draw_dirichlet(generator, shape, log_shape, &row_starts[0], n_rows, &log_theta[0], theta)
            if draws.shape[0]:
                for e in range(n_entries):
                    draws[sweep, e] = log_theta[e]


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


cdef inline double log_mean_permuted(
    const double[::1] point, const double* shape, const int32_t[:, ::1] classes, const int32_t[::1] shared,
    double* exponents, double* subsets,
) noexcept nogil:
    """Log of the mean of prod(theta* ** shape) over the permutations of the classes."""
    cdef Py_ssize_t r = classes.shape[0], m = classes.shape[1], c, other, i
    cdef double total = 0.0
    for i in range(shared.shape[0]):
        total += shape[shared[i]] * point[shared[i]]
    for c in range(r):
        for other in range(r):
            exponents[c * r + other] = 0.0
            for i in range(m):
                exponents[c * r + other] += shape[classes[c, i]] * point[classes[other, i]]
    total += log_permanent(exponents, r, subsets)
    for c in range(2, r + 1):
        total -= log_positive(<double> c)
    return total


cdef inline double log_mean(const double* logs, Py_ssize_t n) noexcept nogil:
    """logsumexp(logs) - log(n)."""
    cdef Py_ssize_t i
    cdef double largest = -INFINITY, total = 0.0
    for i in range(n):
        largest = max(largest, logs[i])
    for i in range(n):
        total += exp_nonpositive(logs[i] - largest)
    return largest + log_positive(total / n)
