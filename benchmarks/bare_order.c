/* A straightforward evaluation of eq. (1) of Niinimaki & Koivisto (2013) for single nodes: every parent set is looked at,
 * and those among the predecessors are summed in logs. Called by orders.py, which compiles it with cc -O3.
 */
#include <math.h>
#include <stdint.h>

void bare_sums(long n_nodes, long n_sets, const uint64_t *sets, const double *log_scores, const int32_t *nodes,
               const uint64_t *before, double *sums)
{
    for (long i = 0; i < n_nodes; i++) {
        const uint64_t *own = sets + nodes[i] * n_sets;
        const double *scores = log_scores + nodes[i] * n_sets;
        double largest = -INFINITY, total = 0.0;
        for (long c = 0; c < n_sets; c++)
            if ((own[c] & ~before[i]) == 0 && scores[c] > largest)
                largest = scores[c];
        for (long c = 0; c < n_sets; c++)
            if ((own[c] & ~before[i]) == 0)
                total += exp(scores[c] - largest);
        sums[i] = largest + log(total);
    }
}
