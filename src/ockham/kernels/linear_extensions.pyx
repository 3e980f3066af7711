# Numbers of linear extensions of directed acyclic graphs, exactly, by dynamic programming over connected up-sets.
#
# symbol     name          shape                      unit
#            parents       (n_graphs, n_nodes)                masks of the parents of each node
# l(U)       counts        (n_graphs, n_limbs)        1       out: numbers of extensions, least significant limb first
#            n_sets        (n_graphs,)                        out: sets that were stored; -1 where more were needed
#            below         (n_nodes,)                         masks of the ancestors
#            comparable    (n_nodes,)                         masks of ancestors and descendants
#
# With P a partial order and U an up-set of it,
#     l(U) = sum of l(U - v) over the minimal elements v of U
#     l(U) = |U|! / (|C_1|! |C_2|! ...) l(C_1) l(C_2) ... where U falls apart into components C_1, C_2, ...
# A component of an up-set is an up-set, so the sets to store are connected up-sets, at most as many as there are
# ideals; where every node has few parents, late nodes fall apart soon and they are far fewer. All numbers are unsigned
# integers of n_limbs words, which hold n!.
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from ockham.kernels.binomials cimport fill_binomials

cdef extern from *:
    """
    typedef unsigned __int128 ockham_two_words;
    #define ockham_count_bits(x) __builtin_popcountll(x)
    #define ockham_lowest_bit(x) __builtin_ctzll(x)
    """
    ctypedef unsigned long long two_words "ockham_two_words"
    int count_bits "ockham_count_bits"(uint64_t) noexcept nogil
    int lowest_bit "ockham_lowest_bit"(uint64_t) noexcept nogil

cdef enum:
    MOST_NODES = 64
    MOST_LIMBS = 5          # 64! has 296 bits
    FEWEST_SLOTS = 256


cdef struct Memory:
    Py_ssize_t n_limbs
    uint64_t[MOST_NODES] below
    uint64_t[MOST_NODES] comparable
    uint64_t[(MOST_NODES + 1) * (MOST_NODES + 1)] binomials
    uint64_t* slots                     # (n_slots, 1 + n_limbs): a set, 0 where there is none, and its count
    Py_ssize_t n_slots                  # a power of two
    Py_ssize_t n_sets
    Py_ssize_t max_sets


def count(
    const uint64_t[:, ::1] parents,         # IN
    Py_ssize_t max_sets,
    uint64_t[:, ::1] counts,                # OUT
    int64_t[::1] n_sets,                    # OUT
):
    """Count for every graph up to the first that has a cycle, whose index is returned; -1 if none has."""
    cdef Memory memory
    cdef Py_ssize_t graph, n = parents.shape[1], cyclic = -1
    if (not 1 <= n <= MOST_NODES or counts.shape[0] != parents.shape[0] or n_sets.shape[0] != parents.shape[0]
            or not 1 <= counts.shape[1] <= MOST_LIMBS or max_sets < 1):
        raise ValueError("the arrays of linear extensions do not fit together")
    memory.n_limbs, memory.max_sets = counts.shape[1], max_sets
    fill_binomials(memory.binomials, MOST_NODES)
    memory.slots, memory.n_slots = NULL, 0
    with nogil:
        for graph in range(parents.shape[0]):
            if not close(&memory, &parents[graph, 0], n):
                cyclic = graph
                break
            if empty(&memory) and count_up_set(&memory, ~<uint64_t> 0 >> (MOST_NODES - n), &counts[graph, 0]):
                n_sets[graph] = memory.n_sets
            else:
                n_sets[graph] = -1
        free(memory.slots)
    return cyclic


cdef bint close(Memory* memory, const uint64_t* parents, Py_ssize_t n) noexcept nogil:
    """Find the ancestors and the comparable nodes of every node; whether there is no cycle."""
    cdef uint64_t placed = 0, left
    cdef Py_ssize_t v, n_placed = 0, n_before = -1
    while n_placed > n_before:
        n_before = n_placed
        for v in range(n):
            if not (placed >> v) & 1 and (parents[v] & ~placed) == 0:
                memory.below[v] = left = parents[v]
                while left:
                    memory.below[v] |= memory.below[lowest_bit(left)]
                    left &= left - 1
                placed |= <uint64_t> 1 << v
                n_placed += 1
    if n_placed < n:
        return False
    for v in range(n):
        memory.comparable[v] = memory.below[v]
    for v in range(n):
        left = memory.below[v]
        while left:
            memory.comparable[lowest_bit(left)] |= <uint64_t> 1 << v
            left &= left - 1
    return True


cdef bint count_up_set(Memory* memory, uint64_t nodes, uint64_t* result) noexcept nogil:
    """l(U) of any up-set; whether the memory sufficed."""
    cdef uint64_t[MOST_LIMBS] part
    cdef uint64_t component, fresh, found
    cdef Py_ssize_t n_placed = 0, size
    memset(result, 0, memory.n_limbs * sizeof(uint64_t))
    result[0] = 1
    while nodes:
        component = fresh = nodes & -nodes
        while fresh and component != nodes:
            found = memory.comparable[lowest_bit(fresh)] & nodes & ~component
            fresh = (fresh & (fresh - 1)) | found
            component |= found
        nodes ^= component
        size = count_bits(component)
        if size > 2:                    # a connected set of two is a chain
            if not count_component(memory, component, part):
                return False
            multiply(result, part, memory.n_limbs)
        if n_placed:
            multiply_word(result, memory.binomials[(n_placed + size) * (MOST_NODES + 1) + size], memory.n_limbs)
        n_placed += size
    return True


cdef bint count_component(Memory* memory, uint64_t nodes, uint64_t* result) noexcept nogil:
    """l(U) of a connected up-set; whether the memory sufficed."""
    cdef uint64_t[MOST_LIMBS] part
    cdef uint64_t* slot = NULL
    cdef uint64_t left = nodes, minimal = 0
    cdef Py_ssize_t v
    while left:
        v = lowest_bit(left)
        left &= left - 1
        if memory.below[v] & nodes == 0:
            minimal |= <uint64_t> 1 << v
    if minimal & (minimal - 1) == 0:    # the only minimal element comes first
        return count_up_set(memory, nodes ^ minimal, result)
    slot = slot_of(memory, nodes)
    if slot[0]:
        memcpy(result, slot + 1, memory.n_limbs * sizeof(uint64_t))
        return True
    memset(result, 0, memory.n_limbs * sizeof(uint64_t))
    while minimal:
        if not count_up_set(memory, nodes ^ (minimal & -minimal), part):
            return False
        minimal &= minimal - 1
        add(result, part, memory.n_limbs)
    return store(memory, nodes, result)


cdef bint empty(Memory* memory) noexcept nogil:
    """Forget all sets; whether there is memory."""
    memory.n_sets = 0
    if memory.n_slots != FEWEST_SLOTS:
        free(memory.slots)
        memory.n_slots = FEWEST_SLOTS
        memory.slots = <uint64_t*> malloc(FEWEST_SLOTS * (1 + memory.n_limbs) * sizeof(uint64_t))
    if memory.slots != NULL:
        memset(memory.slots, 0, FEWEST_SLOTS * (1 + memory.n_limbs) * sizeof(uint64_t))
    return memory.slots != NULL


cdef inline uint64_t* slot_of(Memory* memory, uint64_t nodes) noexcept nogil:
    """The slot of a set, or the one where it should be stored."""
    cdef Py_ssize_t i = <Py_ssize_t> ((nodes * <uint64_t> 0x9E3779B97F4A7C15) >> 32) & (memory.n_slots - 1)
    while memory.slots[i * (1 + memory.n_limbs)] != 0 and memory.slots[i * (1 + memory.n_limbs)] != nodes:
        i = (i + 1) & (memory.n_slots - 1)
    return memory.slots + i * (1 + memory.n_limbs)


cdef bint store(Memory* memory, uint64_t nodes, const uint64_t* value) noexcept nogil:
    """Store a set's count, in twice as many slots when half of them are taken; whether there is memory."""
    cdef uint64_t* slot
    cdef uint64_t* before = memory.slots
    cdef Py_ssize_t width = 1 + memory.n_limbs, n_before = memory.n_slots, i
    if memory.n_sets >= memory.max_sets:
        return False
    if 2 * (memory.n_sets + 1) > n_before:
        memory.slots = <uint64_t*> calloc(2 * n_before * width, sizeof(uint64_t))
        if memory.slots == NULL:
            memory.slots = before
            return False
        memory.n_slots = 2 * n_before
        for i in range(n_before):
            if before[i * width]:
                memcpy(slot_of(memory, before[i * width]), before + i * width, width * sizeof(uint64_t))
        free(before)
    slot = slot_of(memory, nodes)
    slot[0] = nodes
    memcpy(slot + 1, value, memory.n_limbs * sizeof(uint64_t))
    memory.n_sets += 1
    return True


cdef inline void add(uint64_t* total, const uint64_t* part, Py_ssize_t n_limbs) noexcept nogil:
    cdef Py_ssize_t i
    cdef two_words sum = 0
    for i in range(n_limbs):
        sum += <two_words> total[i] + part[i]
        total[i] = <uint64_t> sum
        sum >>= 64


cdef inline void multiply_word(uint64_t* total, uint64_t factor, Py_ssize_t n_limbs) noexcept nogil:
    cdef Py_ssize_t i
    cdef two_words sum = 0
    for i in range(n_limbs):
        sum += <two_words> total[i] * factor
        total[i] = <uint64_t> sum
        sum >>= 64


cdef inline void multiply(uint64_t* total, const uint64_t* factor, Py_ssize_t n_limbs) noexcept nogil:
    cdef uint64_t[MOST_LIMBS] product
    cdef Py_ssize_t i, j
    cdef two_words sum
    memset(product, 0, sizeof(product))
    for i in range(n_limbs):
        sum = 0
        for j in range(n_limbs - i):
            sum += <two_words> total[i] * factor[j] + product[i + j]
            product[i + j] = <uint64_t> sum
            sum >>= 64
    memcpy(total, product, n_limbs * sizeof(uint64_t))
