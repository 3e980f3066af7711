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
# One sweep in NumPy, with the counts N of data that completion.pxd completes:
#     theta = rng.dirichlet(prior + N)
#     log_completed = log_beta(prior + N)                                   # ln p(D_c | m) + ln B(lambda)
#     a = prior + N; T = a[classes] @ points[s][classes].T for every point s
#     log_density = logsumexp_s(a[shared] @ points[s][shared] + log_permanent(T)) - log(S) - log(r!) - log_completed
# where log_beta(a) is ln B(a) summed over the rows, and the permanent of exp(T) sums over the r! permutations of the
# classes. The density is that of the softmax basis, with theta ** a for theta ** (a - 1): the candidate's formula has
# it above and below the line.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.string cimport memset
from numpy.random.c_distributions cimport binomial_t

from ockham.kernels.beta cimport log_beta
from ockham.kernels.checks cimport ascends, within
from ockham.kernels.completion cimport add_counts, complete, most_parts
from ockham.kernels.permanent cimport log_permanent
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.sampling cimport draw_dirichlet, generator_of
from ockham.kernels.special cimport exp_nonpositive, log_positive


cpdef Py_ssize_t work_size(
    layout, Py_ssize_t n_entries, Py_ssize_t n_rows, Py_ssize_t n_points, Py_ssize_t n_classes,
) except -1:
    """Doubles of work that ``run`` takes, with that many rows of parameters, points and classes."""
    cdef Py_ssize_t n_subsets = <Py_ssize_t> 1 << n_classes
    cdef Py_ssize_t n_sizes = plan_size(layout) + 2 * most_parts(layout)
    return n_sizes + 6 * n_entries + 3 * n_rows + 4 + n_points + n_classes * n_classes + n_subsets


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
            add_counts(&prior[0], counts, n_entries, shape, log_shape)
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
