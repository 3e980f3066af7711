# Annealed importance sampling: the loop, whatever is annealed.
#
# symbol        name           shape      unit
# tau(k)        temperatures   (K + 1,)   1       inverse temperatures, 0 = tau(0) < ... < tau(K) = 1
# ln w          returned                  nats    sum of (tau(k) - tau(k - 1)) ln p(y | x(k))
#
# In Python, for a chain that starts at a draw x of the prior:
#     for k in range(1, K + 1):
#         x = transition(x, tau[k - 1])                       # leaves prior * likelihood ** tau[k - 1] as it is
#         log_weight += (tau[k] - tau[k - 1]) * log_likelihood(x)
from libc.stdint cimport int64_t


# A chain moves itself at step k, one Metropolis-Hastings proposal each, and returns whether it accepted.
ctypedef bint (*Transition)(void* chain, Py_ssize_t k, double temperature) noexcept nogil
ctypedef double (*LogLikelihood)(void* chain) noexcept nogil


cdef inline double anneal(
    void* chain, Transition transition, LogLikelihood log_likelihood,
    const double* temperatures, Py_ssize_t n_steps, Py_ssize_t n_transitions, int64_t* accepted,
) noexcept nogil:
    """ln w of one run; accepted[q] is how many of the transitions were accepted in quarter q of the schedule."""
    cdef Py_ssize_t k, _
    cdef double log_weight = 0.0
    for k in range(n_steps):
        for _ in range(n_transitions):
            accepted[4 * k // n_steps] += transition(chain, k, temperatures[k])
        log_weight += (temperatures[k + 1] - temperatures[k]) * log_likelihood(chain)
    return log_weight
