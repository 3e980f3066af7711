# Cases of two classes put into either anew, one after another: the proposals that merge and split classes ([Dahl2003]).
#
# symbol   name         shape                       unit
# t        statistics   (n_cases, n_statistics)             of every case, 0 for those of a missing cell
#          order        (n_chains, n_cases)                 cases, first those that move
#          n_moved      (n_chains,)                         how many do
#          old          (n_chains, n_cases)                 in this order, whether a case is in the second class
#          logistic     (n_steps, n_chains)                 standard logistic draws, as many steps as any chain takes
#          new          (n_chains, n_cases)                 whether it is put into the second
#          log_ratio    (n_chains,)                 nats    ln p(new) q(old) / (p(old) q(new))
#
# With p_c the probability of a case in class c given those put there before it, a + N_c times that of predictive.pxd,
# one step in NumPy is
#     chosen = logistic > log(p[0] / p[1]); N[chosen] += 1; S[chosen] += t
#     log_weight += logaddexp(log(p[0]), log(p[1]))
# for q chooses a class with probability p_c / (p_0 + p_1), so of p / q these sums are left. Along the old classes
# nothing is drawn, and log_ratio is the log weight of the new ones minus that of the old.
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t

from ockham.kernels.mixture cimport check_items
from ockham.kernels.predictive cimport log_predictive
from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef struct Path:
    Py_ssize_t n_items, n_statistics, to_next
    const int32_t* kinds
    const int32_t* first
    const double* prior
    double weights_prior
    const double* statistics
    double* sums                        # (2, n_statistics)


def run(
    const int32_t[::1] kinds,           # IN, of the items, as mixture.pxd has them
    const int32_t[::1] first,           # IN
    const double[:, ::1] prior,         # IN
    double weights_prior,
    const double[:, ::1] statistics,    # IN
    const int64_t[:, ::1] order,        # IN
    const int64_t[::1] n_moved,         # IN
    const int64_t[:, ::1] old,          # IN
    const double[:, ::1] logistic,      # IN
    int64_t[:, ::1] new,                # OUT, as the old where no case moves
    double[::1] log_ratio,              # OUT
    double[:, ::1] work,                # work: (2, n_statistics)
):
    """Put the cases of every chain."""
    cdef Path path
    cdef Py_ssize_t c, k, n_chains = order.shape[0], n_cases = order.shape[1]
    check_items(kinds, first, prior, statistics.shape[1])
    if (n_moved.shape[0] != n_chains or old.shape[0] != n_chains or new.shape[0] != n_chains
            or old.shape[1] != n_cases or new.shape[1] != n_cases or logistic.shape[1] != n_chains
            or log_ratio.shape[0] != n_chains or work.shape[0] != 2 or work.shape[1] != statistics.shape[1]):
        raise ValueError("the arrays of cases put anew do not fit together")
    for c in range(n_chains):
        if not 0 <= n_moved[c] <= min(n_cases, logistic.shape[0]):
            raise ValueError("an index of cases put anew is out of range")
        for k in range(n_cases):
            if not (0 <= order[c, k] < statistics.shape[0] and 0 <= old[c, k] <= 1):
                raise ValueError("an index of cases put anew is out of range")
    new[:, :] = old
    log_ratio[:] = 0.0
    path.n_items, path.n_statistics, path.to_next = kinds.shape[0], statistics.shape[1], n_chains
    path.kinds, path.first, path.prior, path.weights_prior = &kinds[0], &first[0], &prior[0, 0], weights_prior
    path.sums = &work[0, 0]
    for c in range(n_chains):
        if n_moved[c] > 0:
            path.statistics = &statistics[0, 0]
            with nogil:
                log_ratio[c] -= follow(&path, &order[c, 0], n_moved[c], NULL, &new[c, 0])
                log_ratio[c] += follow(&path, &order[c, 0], n_moved[c], &logistic[0, c], &new[c, 0])


cdef double follow(
    Path* path, const int64_t* order, Py_ssize_t n, const double* logistic, int64_t* chosen,
) noexcept nogil:
    """The log weight of the classes chosen for n cases, which are drawn first where there are logistic draws."""
    cdef Py_ssize_t k, c, s
    cdef double[2] cases = [0.0, 0.0]
    cdef double[2] logs
    cdef const double* case
    cdef double* sums
    cdef double value = 0.0
    for s in range(2 * path.n_statistics):
        path.sums[s] = 0.0
    for k in range(n):
        case = path.statistics + order[k] * path.n_statistics
        for c in range(2):
            logs[c] = log_positive(path.weights_prior + cases[c]) + log_predictive(
                path.kinds, path.first, path.prior, path.n_items, path.sums + c * path.n_statistics, case)
        value += max(logs[0], logs[1]) + log_positive(1.0 + exp_nonpositive(-fabs(logs[0] - logs[1])))
        if logistic != NULL:
            chosen[k] = logistic[k * path.to_next] > logs[0] - logs[1]
        cases[chosen[k]] += 1.0
        sums = path.sums + chosen[k] * path.n_statistics
        for s in range(path.n_statistics):
            sums[s] += case[s]
    return value
