// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: the list of tables, each of which has a file of its own.
#include "bench/bench.h"

enum { BLOCKS_MOST = 64 };

static bool usual_blocks(swError *error) { return bench_compile(0, NULL, error); }

typedef struct swBench {
    const char *option, *help;
    bool (*run)(swError *error);
} swBench;

static const swBench benches[] = {
    {"--steps",
     "a swinging bar with affine and rigid frames: microseconds per step and stage,\n"
     "              and the floating-point rate of assembly as a share of this core's peak\n"
     "              multiply-add rate, measured in the same run",
     bench_steps},
    {"--frames", "time per step against the number of frames, up to 1000", bench_frames},
    {"--papers", "bodies like those in the papers on frames, with the published times",
     bench_papers},
    {"--springs", "precomputed springs, compared with the integration points that they replace",
     bench_springs},
    {"--compile",
     "time to compile, stage by stage, of the default blocks or of blocks given by voxels and\n"
     "              frames, as in 500x200x1,200",
     usual_blocks},
    {"--insert", "inserting a frame into a moving body and removing it, compared with a step",
     bench_insert},
    {"--modes", "reduced bodies: time per step against the size of the mesh and of the basis",
     bench_modes},
    {"--particles",
     "particles around a skeleton: time per step with the published times, and how large a\n"
     "              step may be with diffused and with polar rotations",
     bench_particles},
    {"--bodies",
     "1, 100 and 1000 equal cubes on a floor: time to compile, memory, and time per step on\n"
     "              one thread, on two, and while all of them sleep",
     bench_bodies},
    {"--laws", "every law: nanoseconds per sample for its energy, stress and tangent", bench_laws},
};

static int print_help(int status) {
    printf("Usage: sinew bench [TABLE]\n"
           "       sinew bench --compile NXxNYxNZ,FRAMES...\n\n"
           "Measures speed on one core (--bodies: on two as well). Prints all tables, or only "
           "one:\n\n");
    for (int i = 0; i < SW_COUNT(benches); i++)
        printf("  %-11s %s\n", benches[i].option, benches[i].help);
    return status;
}

// Measures the blocks given on the command line.
static int compile_blocks(int count, char **text) {
    BenchBlock block[BLOCKS_MOST];
    swError error = {0};
    if (count > BLOCKS_MOST)
        return print_help(CLI_USAGE);
    for (int i = 0; i < count; i++)
        if (!bench_read_block(text[i], &block[i]))
            return cli_usage("bench", "expected voxels and frames like 500x200x1,200, found \"%s\"",
                             text[i]);
    return bench_compile(count, block, &error) ? CLI_OK : cli_fail(&error);
}

int cmd_bench(int argc, char **argv) {
    bool known = argc == 1;
    if (argc == 2 && (sw_text_equal(argv[1], "--help") || sw_text_equal(argv[1], "-h")))
        return print_help(CLI_OK);
    if (argc > 2 && sw_text_equal(argv[1], "--compile"))
        return compile_blocks(argc - 2, argv + 2);
    for (int i = 0; i < SW_COUNT(benches); i++)
        known = known || (argc == 2 && sw_text_equal(argv[1], benches[i].option));
    if (!known)
        return cli_usage("bench", "expected the name of a table, found \"%s\"", argv[1]);
    for (int i = 0; i < SW_COUNT(benches); i++) {
        swError error = {0};
        if (argc == 2 && !sw_text_equal(argv[1], benches[i].option))
            continue;
        if (!benches[i].run(&error))
            return cli_fail(&error);
        if (argc == 1 && i < SW_COUNT(benches) - 1)
            printf("\n");
        fflush(stdout);
    }
    return CLI_OK;
}
