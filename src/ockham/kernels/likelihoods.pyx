# The log likelihood of a discrete network at many parameters.
#
# symbol     name             shape                      unit
# ln theta   log_theta        (n_points, n_entries)      nats
# L          log_likelihoods  (n_points,)                nats
#
# In NumPy, with the hidden configurations h summed out of every distinct row y[u], which occurs w[u] times:
#     L = (w * logsumexp_h(log p(y[u], h | theta))).sum() at every point
from ockham.kernels.expectation cimport log_likelihood
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.special cimport exp_nonpositive


cpdef Py_ssize_t work_size(layout, Py_ssize_t n_entries) except -1:
    """Doubles of work that ``run`` takes."""
    return plan_size(layout) + n_entries + 2


def run(
    layout,
    const double[:, ::1] log_theta,     # IN
    double[::1] log_likelihoods,        # OUT
    double[::1] work,                   # work
):
    """Fill in the log likelihood at every point."""
    cdef Plan plan
    cdef Py_ssize_t n_entries = log_theta.shape[1], used, i, e
    used = bind(&plan, layout, n_entries, work)
    if log_likelihoods.shape[0] != log_theta.shape[0] or work.shape[0] < work_size(layout, n_entries):
        raise ValueError("the arrays of the log likelihoods do not fit together")
    cdef double* theta = &work[used]
    with nogil:
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        for i in range(log_theta.shape[0]):
            for e in range(n_entries):
                theta[e] = exp_nonpositive(log_theta[i, e])
            log_likelihoods[i] = log_likelihood(&plan, theta, &log_theta[i, 0])
