// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: nanoseconds per sample of every law. Times are the best of several repeats.
#include "bench/bench.h"

#include "core/simd.h"
#include "material/law.h"

enum { REPEATS = 70, STEPS = 40 };
enum { BLOCKS = 16 }; // evaluated in one call, as the library does

// Nanoseconds per sample; `outputs`: 1: psi, 2: psi and P, 3: psi, P and C.
static double measure_law(const swLaw *law, const swReal *coefficient, int outputs,
                          const swReal *F) {
    static swReal psi[BLOCKS * SW_LANES], P[BLOCKS * 9 * SW_LANES],
        C[BLOCKS * SW_TANGENT * SW_LANES];
    double best = INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = sw_seconds();
        for (int i = 0; i < STEPS; i++)
            law->evaluate(coefficient, BLOCKS, F, psi, outputs > 1 ? P : NULL,
                          outputs > 2 ? C : NULL);
        const double seconds = sw_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return 1e9 * best / (STEPS * BLOCKS * SW_LANES);
}

bool bench_laws(swError *error) {
    (void)error;
    static swReal F[BLOCKS * 9 * SW_LANES]; // strains of up to a few tenths
    uint64_t random = 1;
    for (int i = 0; i < SW_COUNT(F); i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        F[i] = (i / SW_LANES % 9 % 4 == 0) + 0.3 * ((double)(random >> 11) * 0x1p-53 - 0.5);
    }
    printf("nanoseconds per sample on one core, %d samples at a time\n%-20s %8s %8s %9s\n",
           (int)SW_LANES, "law", "energy", "+ stress", "+ tangent");
    for (int i = 0; sw_law_at(i); i++) {
        const swLaw *law = sw_law_at(i);
        swMaterial material = {.law = law->name, .young = 1e5, .poisson = 0.3, .density = 1000};
        for (int k = 0; k < SW_MATERIAL_PARAMS; k++)
            material.param[k] = NAN;
        swReal coefficient[SW_LAW_COEFFICIENTS];
        law->prepare(&material, coefficient);
        printf("%-20s %8.1f %8.1f %9.1f\n", law->name, measure_law(law, coefficient, 1, F),
               measure_law(law, coefficient, 2, F), measure_law(law, coefficient, 3, F));
    }
    if (SW_LANES > 1)
        printf("\nOne sample at a time: cmake --preset scalar && cmake --build --preset scalar,\n"
               "then build-scalar/sinew bench --laws\n");
    return true;
}
