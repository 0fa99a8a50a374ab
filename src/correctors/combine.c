// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/combine.h"

#include "math/eigen.h"
#include "math/vec.h"

#include <string.h>

int sw_modes_combine(int stride, const swReal *energy, const swReal *mass, int n, int count,
                     swArena *arena, swReal *out, swError *error) {
    const size_t square = (size_t)n * (size_t)n;
    swReal *A = SW_NEW(arena, square, swReal, error), *V = SW_NEW(arena, square, swReal, error),
           *value = SW_NEW(arena, n, swReal, error),
           *work = SW_NEW(arena, 4 * (size_t)n, swReal, error);
    if (!A || !V || !value || !work)
        return -1;
    for (int i = 0; i < n; i++)
        memcpy(A + (ptrdiff_t)i * n, energy + (ptrdiff_t)i * stride, (size_t)n * sizeof *A);
    if (!sw_eigen_symmetric(n, A, value, V, work)) {
        sw_fail(error, SW_ERROR_NOT_CONVERGED, "what frames lack was not found");
        return -1;
    }
    for (int k = 0; k < n; k++)
        work[k] = value[n - 1 - k];
    int kept = 0;
    count = sw_eigen_cut(n, work, count);
    for (int k = n - 1; k >= 0 && kept < count && value[k] > 1e-9 * value[n - 1]; k--) {
        swReal *v = out + (ptrdiff_t)kept * n, before = 0;
        memcpy(v, V + (ptrdiff_t)k * n, (size_t)n * sizeof *v);
        for (int pass = 0; pass < 3; pass++) { // less what those before have of it, twice
            for (int j = 0; j < n; j++)
                work[j] = sw_dot_n(n, mass + (ptrdiff_t)j * stride, v);
            const swReal square_of = sw_dot_n(n, v, work);
            if (pass == 0)
                before = square_of;
            if (pass == 2) {
                if (!(square_of > 1e-8 * before))
                    break;
                for (int i = 0; i < n; i++)
                    v[i] /= sqrt(square_of);
                kept++;
                break;
            }
            for (int m = 0; m < kept; m++) {
                const swReal *o = out + (ptrdiff_t)m * n, share = sw_dot_n(n, o, work);
                for (int i = 0; i < n; i++)
                    v[i] -= share * o[i];
            }
        }
    }
    return kept;
}
