# Which vector instructions this processor and its operating system offer.

cdef extern from *:
    """
    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    static int ockham_has_avx2(void) { __builtin_cpu_init(); return __builtin_cpu_supports("avx2") != 0; }
    static int ockham_has_avx512(void)      /* what -march=x86-64-v4 assumes beyond AVX2 */
    {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")
            && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512vl");
    }
    #else
    static int ockham_has_avx2(void) { return 0; }
    static int ockham_has_avx512(void) { return 0; }
    #endif
    """
    int ockham_has_avx2()
    int ockham_has_avx512()


def vectors():
    """The builds of the kernels that this processor can run, the best first."""
    found = ["baseline"]
    if ockham_has_avx2():
        found.insert(0, "avx2")
    if ockham_has_avx512():
        found.insert(0, "avx512")
    return found
