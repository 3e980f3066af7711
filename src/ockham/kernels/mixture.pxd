# Finite mixtures of conjugate items: the E step over distinct rows, and what each kind of item makes of expected sums.
#
# symbol   name           shape                            unit
# x        cells          (n_cells,)                               distinct cells of an item, one item after another
# t(x)     cell_values    (n_numbers,)                             statistics of a cell that are not 0 (cell_start)
# n_x      cell_counts    (n_cells,)                       1       rows with the cell
# phi      natural        (n_statistics, n_classes)                natural parameters of every item, class by class
# ln pi    log_weights    (n_classes,)                     nats    logs of the probabilities of the classes
# S        sums           (n_statistics, n_classes)                expected sums of the statistics in every class
# N        cases          (n_classes,)                     1       expected rows of every class
# a        prior          (n_items, 4)                             of each kind as conjugate.pxd says
#
# A distinct cell is a state of a discrete variable, with exp(t(x) phi) over the classes, divided by the largest, in the
# place of probabilities. So the E step is that of expectation.pxd for a class with the items as children:
#     logs = t @ phi; highest = logs.max(axis=1); theta = exp(logs - highest)
#     log likelihood, counts = E_step(theta), and n_x @ highest is added; S = t.T @ counts
# Items with Dirichlet priors have as t(x) which state a cell is. A missing cell is a constant 1.
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport ascends, within
from ockham.kernels.expectation cimport expected_counts
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.special cimport exp_nonpositive

cdef enum:
    DIRICHLET = 0
    ORDERED = 1
    GAUSSIAN = 2
    POISSON = 3


cdef struct Mixture:
    Py_ssize_t n_classes, n_items, n_cells, n_statistics, n_entries
    const int32_t* cell_start           # (n_cells + 1,)
    const int32_t* cell_statistics      # (n_numbers,)
    const double* cell_values           # (n_numbers,)
    const double* cell_counts           # (n_cells,)
    const int32_t* kinds                # (n_items,)
    const int32_t* first                # (n_items + 1,): of the statistics
    const double* prior                 # (n_items, 4)
    double weights_prior
    double largest_precision
    double* natural                     # (n_statistics, n_classes)
    double* sums                        # (n_statistics, n_classes)
    double* log_weights                 # (n_classes,)
    double* cases                       # (n_classes,)
    double* theta                       # work: (n_entries + 2,)
    double* logs                        # work: (n_entries + 2,)
    double* counts                      # work: (n_entries + 2,)
    double* shapes                      # work: (n_statistics, n_classes)
    double* log_gammas                  # work: (n_statistics, n_classes)
    double* totals                      # work: (3, n_items, n_classes)


cdef inline Py_ssize_t mixture_size(layout) except -1:
    """Doubles of work that ``bind_mixture`` needs."""
    cdef Py_ssize_t n_entries = (len(layout.cell_counts) + 1) * layout.n_classes
    return (plan_size(layout.rows) + 3 * (n_entries + 2)
            + (2 * layout.n_statistics + 3 * len(layout.kinds)) * layout.n_classes)


cdef inline int check_items(
    const int32_t[::1] kinds, const int32_t[::1] first, const double[:, ::1] prior, Py_ssize_t n_statistics,
) except -1:
    """Refuse items whose statistics or hyperparameters are not where their kinds have them."""
    cdef Py_ssize_t i, n_items = kinds.shape[0]
    if not n_items or first.shape[0] != n_items + 1 or prior.shape[0] != n_items or prior.shape[1] != 4:
        raise ValueError("the arrays of a mixture do not fit together")
    if not ascends(first, n_statistics) or not within(&kinds[0], n_items, POISSON + 1):
        raise ValueError("an index of a mixture is out of range")
    for i in range(n_items):
        if (first[i + 1] - first[i] < 2 or (kinds[i] == GAUSSIAN and first[i + 1] - first[i] != 3)
                or (kinds[i] == POISSON and first[i + 1] - first[i] != 2)):
            raise ValueError("an item of a mixture has another number of statistics than its kind")
    return 0


cdef inline int bind_mixture(
    Mixture* mixture, Plan* plan, layout, double[::1] log_weights, double[:, ::1] natural, double[::1] cases,
    double[:, ::1] sums, double[::1] work,
) except -1:
    """Point both at the arrays of a layout, which must outlive them."""
    cdef const int32_t[::1] cell_start = layout.cell_start
    cdef const int32_t[::1] cell_statistics = layout.cell_statistics
    cdef const double[::1] cell_values = layout.cell_values
    cdef const double[::1] cell_counts = layout.cell_counts
    cdef const int32_t[::1] kinds = layout.kinds
    cdef const int32_t[::1] first = layout.first
    cdef const double[:, ::1] prior = layout.prior
    cdef Py_ssize_t used, n_classes = layout.n_classes
    mixture.n_classes, mixture.n_items, mixture.n_cells = n_classes, kinds.shape[0], cell_counts.shape[0]
    mixture.n_statistics, mixture.n_entries = natural.shape[0], (mixture.n_cells + 1) * n_classes
    if (not mixture.n_cells or n_classes < 1 or cell_start.shape[0] != mixture.n_cells + 1
            or cell_values.shape[0] != cell_statistics.shape[0] or layout.n_statistics != mixture.n_statistics
            or log_weights.shape[0] != n_classes or cases.shape[0] != n_classes or natural.shape[1] != n_classes
            or sums.shape[0] != mixture.n_statistics or sums.shape[1] != n_classes
            or work.shape[0] < mixture_size(layout)):
        raise ValueError("the arrays of a mixture do not fit together")
    check_items(kinds, first, prior, mixture.n_statistics)
    if not (ascends(cell_start, cell_values.shape[0])
            and within(&cell_statistics[0], cell_statistics.shape[0], mixture.n_statistics)):
        raise ValueError("an index of a mixture is out of range")
    used = bind(plan, layout.rows, mixture.n_entries, work)
    mixture.cell_start, mixture.cell_statistics = &cell_start[0], &cell_statistics[0]
    mixture.cell_values, mixture.cell_counts = &cell_values[0], &cell_counts[0]
    mixture.kinds, mixture.first, mixture.prior = &kinds[0], &first[0], &prior[0, 0]
    mixture.weights_prior, mixture.largest_precision = layout.weights_prior, layout.largest_precision
    mixture.natural, mixture.sums = &natural[0, 0], &sums[0, 0]
    mixture.log_weights, mixture.cases = &log_weights[0], &cases[0]
    mixture.theta = &work[used]
    mixture.logs = mixture.theta + mixture.n_entries + 2
    mixture.counts = mixture.logs + mixture.n_entries + 2
    mixture.shapes = mixture.counts + mixture.n_entries + 2
    mixture.log_gammas = mixture.shapes + mixture.n_statistics * n_classes
    mixture.totals = mixture.log_gammas + mixture.n_statistics * n_classes
    return 0


cdef inline double expect(Mixture* mixture, Plan* plan) noexcept nogil:
    """The log likelihood but for base measures, nats, and cases and sums: the E step."""
    cdef Py_ssize_t k, n = mixture.n_classes, end = mixture.n_cells * n
    cdef double value = log_cells(mixture, 2) if n == 2 else log_cells(mixture, n)      # a constant unrolls short loops
    for k in range(n):
        mixture.logs[end + k] = mixture.log_weights[k]
    for k in range(end + n):
        mixture.theta[k] = exp_nonpositive(mixture.logs[k])
    mixture.theta[end + n], mixture.theta[end + n + 1] = 0.0, 1.0
    value = expected_counts(plan, mixture.theta, mixture.logs, mixture.counts) + value
    for k in range(n):
        mixture.cases[k] = mixture.counts[end + k]
    if n == 2:
        add_cells(mixture, 2)
    else:
        add_cells(mixture, n)
    return value


cdef inline double log_cells(Mixture* mixture, Py_ssize_t n) noexcept nogil:
    """Logs of the densities of all cells over the largest of each, whose logs it returns the sum of over all rows."""
    cdef Py_ssize_t k, c, j
    cdef double value, highest, of_cells = 0.0
    cdef double* logs
    cdef const double* natural
    for c in range(mixture.n_cells):
        logs = mixture.logs + c * n
        j = mixture.cell_start[c]
        value = mixture.cell_values[j]
        natural = mixture.natural + mixture.cell_statistics[j] * n
        for k in range(n):
            logs[k] = value * natural[k]
        for j in range(mixture.cell_start[c] + 1, mixture.cell_start[c + 1]):
            value = mixture.cell_values[j]
            natural = mixture.natural + mixture.cell_statistics[j] * n
            for k in range(n):
                logs[k] += value * natural[k]
        highest = logs[0]
        for k in range(1, n):
            highest = max(highest, logs[k])
        for k in range(n):
            logs[k] -= highest
        of_cells += mixture.cell_counts[c] * highest
    return of_cells


cdef inline void add_cells(Mixture* mixture, Py_ssize_t n) noexcept nogil:
    """Sums of the statistics by the expected counts of the cells."""
    cdef Py_ssize_t k, c, j
    cdef double* sums
    for k in range(mixture.n_statistics * n):
        mixture.sums[k] = 0.0
    for c in range(mixture.n_cells):
        for j in range(mixture.cell_start[c], mixture.cell_start[c + 1]):
            sums = mixture.sums + mixture.cell_statistics[j] * n
            for k in range(n):
                sums[k] += mixture.cell_values[j] * mixture.counts[c * n + k]
