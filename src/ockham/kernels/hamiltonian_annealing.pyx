# Annealed importance sampling over the parameters of a restricted Boltzmann machine, with Hamiltonian transitions.
#
# symbol        name             shape              unit
# tau(k)        temperatures     (K + 1,)           1       inverse temperatures, from 0 to 1, or back from 1 to 0
# epsilon(k)    step_sizes       (K,)               1       middle of the leapfrog steps of each step of the schedule
# 1 / sigma^2   precision                           1       of the prior of every parameter
# theta         theta            (F,)               nats    in: the first state; out: the last
# p             momentum         (F,)               1
# ln w          returned                            nats    log weight of the run
#
# A transition in NumPy, at tau = tau(k - 1), with L the log likelihood and slope = tau * dL - theta / sigma^2:
#     epsilon = step_sizes[k - 1] * rng.uniform(1 - SPREAD, 1 + SPREAD)
#     p = rng.standard_normal(F); before = tau * L(theta) - theta @ theta / (2 sigma^2) - p @ p / 2; x = theta
#     p = p + epsilon / 2 * slope(x)
#     for step in range(n_leapfrog):
#         x = x + epsilon * p
#         p = p + (epsilon if step < n_leapfrog - 1 else epsilon / 2) * slope(x)
#     after = tau * L(x) - x @ x / (2 sigma^2) - p @ p / 2
#     theta = x if log(uniform) < after - before else theta
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport random_standard_normal_fill

from ockham.kernels.annealing cimport anneal
from ockham.kernels.boltzmann cimport Machine, Rows, bind, bind_rows, log_likelihood, machine_size, rows_size
from ockham.kernels.sampling cimport generator_of, uniform
from ockham.kernels.special cimport log_positive
from ockham.kernels.sums cimport sum_of

# Steps of one size would leave unmoved every direction whose period they divide ([Neal2011]).
cdef double SPREAD = 0.3


cdef struct Point:                      # arrays of shape (F,)
    double log_likelihood
    double* theta
    double* gradient                    # of the log likelihood


cdef struct Chain:
    Machine* machine
    Rows* rows
    bitgen_t* generator
    Py_ssize_t n_parameters, n_leapfrog
    double precision
    const double* step_sizes
    double* momentum
    double* squares                     # work
    Point now
    Point new


cpdef Py_ssize_t work_size(
    Py_ssize_t n_visible, Py_ssize_t n_hidden, Py_ssize_t n_rows, Py_ssize_t n_parameters,
) noexcept:
    """Doubles of work that ``run`` takes."""
    return machine_size(n_visible, n_hidden) + rows_size(n_rows, n_hidden) + 6 * n_parameters


def run(
    bit_generator,
    Py_ssize_t n_visible,
    Py_ssize_t n_hidden,
    const int32_t[::1] starts,          # IN as in boltzmann.pyx
    const int32_t[::1] units,           # IN
    const double[::1] counts,           # IN
    double precision,
    const double[::1] temperatures,     # IN
    const double[::1] step_sizes,       # IN
    Py_ssize_t n_leapfrog,
    double[::1] theta,                  # INOUT
    int64_t[::1] accepted,              # OUT (4,) by quarter of the schedule
    double[::1] work,                   # work
):
    """Log weight of one run, in nats."""
    cdef Machine machine
    cdef Rows rows
    cdef Chain chain
    cdef Py_ssize_t n_parameters = theta.shape[0], n_steps = step_sizes.shape[0], used, q
    cdef double log_weight
    used = bind(&machine, n_visible, n_hidden, theta, work)
    used += bind_rows(&rows, starts, units, counts, n_visible, work[used:], n_hidden)
    if (temperatures.shape[0] != n_steps + 1 or n_steps < 1 or n_leapfrog < 1 or accepted.shape[0] != 4
            or work.shape[0] < work_size(n_visible, n_hidden, counts.shape[0], n_parameters)):
        raise ValueError("the arrays of annealing do not fit together")
    chain.machine, chain.rows, chain.generator = &machine, &rows, generator_of(bit_generator)
    chain.n_parameters, chain.n_leapfrog, chain.precision = n_parameters, n_leapfrog, precision
    chain.step_sizes = &step_sizes[0]
    chain.momentum = &work[used]
    chain.squares = chain.momentum + n_parameters
    chain.now.theta = chain.squares + n_parameters
    chain.now.gradient = chain.now.theta + n_parameters
    chain.new.theta = chain.now.gradient + n_parameters
    chain.new.gradient = chain.new.theta + n_parameters
    with nogil:
        for q in range(4):
            accepted[q] = 0
        memcpy(chain.now.theta, &theta[0], n_parameters * sizeof(double))
        chain.now.log_likelihood = log_likelihood(&machine, &rows, chain.now.theta, chain.now.gradient)
        log_weight = anneal(
            &chain, move, present_log_likelihood, &temperatures[0], n_steps, 1, &accepted[0])
        memcpy(&theta[0], chain.now.theta, n_parameters * sizeof(double))
    return log_weight


cdef double present_log_likelihood(void* chain) noexcept nogil:
    return (<Chain*> chain).now.log_likelihood


cdef bint move(void* untyped, Py_ssize_t k, double temperature) noexcept nogil:
    """One Hamiltonian transition; whether it was accepted. A trajectory that ends nowhere is rejected."""
    cdef Chain* chain = <Chain*> untyped
    cdef Point* new = &chain.new
    cdef Py_ssize_t j, step, F = chain.n_parameters
    cdef double epsilon = chain.step_sizes[k], log_ratio
    epsilon *= 1 + SPREAD * (2 * uniform(chain.generator) - 1)
    random_standard_normal_fill(chain.generator, F, chain.momentum)
    log_ratio = -log_density(chain, &chain.now, temperature)
    memcpy(new.theta, chain.now.theta, F * sizeof(double))
    push(chain, &chain.now, temperature, 0.5 * epsilon)
    for step in range(chain.n_leapfrog):
        for j in range(F):
            new.theta[j] += epsilon * chain.momentum[j]
        new.log_likelihood = log_likelihood(chain.machine, chain.rows, new.theta, new.gradient)
        push(chain, new, temperature, epsilon if step < chain.n_leapfrog - 1 else 0.5 * epsilon)
    log_ratio += log_density(chain, new, temperature)
    if not log_positive(uniform(chain.generator)) < log_ratio:
        return False
    chain.now, chain.new = chain.new, chain.now
    return True


cdef inline void push(Chain* chain, const Point* point, double temperature, double epsilon) noexcept nogil:
    """Momentum along the slope of the log density at a point."""
    cdef Py_ssize_t j
    for j in range(chain.n_parameters):
        chain.momentum[j] += epsilon * (temperature * point.gradient[j] - chain.precision * point.theta[j])


cdef inline double log_density(Chain* chain, const Point* point, double temperature) noexcept nogil:
    """Of a point with the present momentum, up to a constant."""
    cdef Py_ssize_t j
    for j in range(chain.n_parameters):
        chain.squares[j] = chain.precision * point.theta[j] * point.theta[j] + chain.momentum[j] * chain.momentum[j]
    return temperature * point.log_likelihood - 0.5 * sum_of(chain.squares, chain.n_parameters)
