# Annealed importance sampling over the parameters of a discrete network, with one joint Dirichlet proposal.
#
# symbol        name             shape              unit
# tau(k)        temperatures     (K + 1,)           1       inverse temperatures, 0 = tau(0) < ... < tau(K) = 1
# alpha(k)      strengths        (K,)               1       strength of the proposal in step k, the same for every row
# lambda        prior            (n_entries,)       1       Dirichlet hyperparameters
# ln theta      log_theta        (n_entries,)       nats    in: the first state; out: the last
# ln w          returned                            nats    log weight of the run
#
# A transition in NumPy, at tau = tau(k - 1), with L the log likelihood and log_dir the log density of Dirichlet rows:
#     new = rng.dirichlet(alpha * theta)
#     log_ratio = (tau * (L(new) - L(theta)) + ((prior - 1) * (log(new) - log(theta))).sum()
#                  + log_dir(theta, alpha * new) - log_dir(new, alpha * theta))
#     theta = new if log(uniform) < log_ratio else theta
#
# An entry of theta may underflow, so everything rests on its log: ln Gamma(a) is ln Gamma(a + 1) - ln a with
# ln a = ln alpha + ln theta. The terms of the present state are kept; ln Gamma(alpha) of the row totals cancels.
from libc.stdint cimport int32_t, int64_t
from numpy.random cimport bitgen_t

from ockham.kernels.annealing cimport anneal
from ockham.kernels.checks cimport ascends
from ockham.kernels.expectation cimport log_likelihood
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.sampling cimport draw_dirichlet, generator_of, uniform
from ockham.kernels.special cimport exp_nonpositive, log_gamma_of, log_positive
from ockham.kernels.sums cimport sum_of


cdef struct State:                  # all arrays have shape (n_entries,), theta two more
    double log_likelihood
    double* theta
    double* log_theta
    double* shape                   # alpha * theta
    double* log_shape
    double* log_gamma               # ln Gamma(shape)


cdef struct Chain:
    Plan* plan
    bitgen_t* generator
    Py_ssize_t n_entries, n_rows
    const int32_t* row_starts
    const double* prior
    const double* strengths
    double strength                 # that the present state's shape belongs to
    double* terms                   # work: (n_entries,)
    State now
    State new


cpdef Py_ssize_t work_size(layout, Py_ssize_t n_entries) except -1:
    """Doubles of work that ``run`` takes."""
    return plan_size(layout) + 11 * n_entries + 4


def run(
    bit_generator,
    layout,
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    const double[::1] temperatures,     # IN
    const double[::1] strengths,        # IN
    Py_ssize_t n_transitions,
    double[::1] log_theta,              # INOUT
    int64_t[::1] accepted,              # OUT (4,) by quarter of the schedule
    double[::1] work,                   # work
):
    """Log weight of one run, in nats."""
    cdef Plan plan
    cdef Chain chain
    cdef Py_ssize_t n_entries = prior.shape[0], n_steps = strengths.shape[0], used, e
    cdef double log_weight
    used = bind(&plan, layout, n_entries, work)
    if (temperatures.shape[0] != n_steps + 1 or n_steps < 1 or n_transitions < 0 or accepted.shape[0] != 4
            or log_theta.shape[0] != n_entries or work.shape[0] < work_size(layout, n_entries)):
        raise ValueError("the arrays of annealing do not fit together")
    if not ascends(row_starts, n_entries):
        raise ValueError("an index of annealing is out of range")
    chain.plan, chain.generator = &plan, generator_of(bit_generator)
    chain.n_entries, chain.n_rows, chain.row_starts = n_entries, row_starts.shape[0] - 1, &row_starts[0]
    chain.prior, chain.strengths, chain.strength = &prior[0], &strengths[0], strengths[0]
    chain.terms = &work[used]
    place(&chain.now, chain.terms + n_entries, n_entries)
    place(&chain.new, chain.now.log_gamma + n_entries, n_entries)
    with nogil:
        for e in range(4):
            accepted[e] = 0
        for e in range(n_entries):
            chain.now.log_theta[e] = log_theta[e]
            chain.now.theta[e] = exp_nonpositive(log_theta[e])
        find_shape(&chain.now, chain.strength, n_entries)
        chain.now.log_likelihood = log_likelihood(&plan, chain.now.theta, chain.now.log_theta)
        log_weight = anneal(
            &chain, propose, present_log_likelihood, &temperatures[0], n_steps, n_transitions, &accepted[0])
        for e in range(n_entries):
            log_theta[e] = chain.now.log_theta[e]
    return log_weight


cdef inline void place(State* state, double* memory, Py_ssize_t n_entries) noexcept nogil:
    state.theta = memory
    state.log_theta = memory + n_entries + 2
    state.shape = state.log_theta + n_entries
    state.log_shape = state.shape + n_entries
    state.log_gamma = state.log_shape + n_entries
    state.theta[n_entries], state.theta[n_entries + 1] = 0.0, 1.0


cdef inline void find_shape(State* state, double strength, Py_ssize_t n_entries) noexcept nogil:
    cdef Py_ssize_t e
    cdef double log_strength = log_positive(strength)
    for e in range(n_entries):
        state.shape[e] = strength * state.theta[e]
        state.log_shape[e] = log_strength + state.log_theta[e]
    for e in range(n_entries):
        state.log_gamma[e] = log_gamma_of(state.shape[e], state.log_shape[e])


cdef double present_log_likelihood(void* chain) noexcept nogil:
    return (<Chain*> chain).now.log_likelihood


cdef bint propose(void* untyped, Py_ssize_t k, double temperature) noexcept nogil:
    """One joint proposal of all rows; whether it was accepted. A ratio that is not a number rejects."""
    cdef Chain* chain = <Chain*> untyped
    cdef State* now = &chain.now
    cdef State* new = &chain.new
    cdef Py_ssize_t e, n_entries = chain.n_entries
    cdef double log_ratio
    if chain.strengths[k] != chain.strength:
        chain.strength = chain.strengths[k]
        find_shape(now, chain.strength, n_entries)
    draw_dirichlet(
        chain.generator, now.shape, now.log_shape, chain.row_starts, chain.n_rows, new.log_theta, new.theta)
    find_shape(new, chain.strength, n_entries)
    for e in range(n_entries):
        chain.terms[e] = (
            (chain.prior[e] - now.shape[e]) * new.log_theta[e] - (chain.prior[e] - new.shape[e]) * now.log_theta[e]
            + (now.log_gamma[e] - new.log_gamma[e])
        )
    new.log_likelihood = log_likelihood(chain.plan, new.theta, new.log_theta)
    log_ratio = temperature * (new.log_likelihood - now.log_likelihood) + sum_of(chain.terms, n_entries)
    if not log_positive(uniform(chain.generator)) < log_ratio:
        return False
    chain.now, chain.new = chain.new, chain.now
    return True
