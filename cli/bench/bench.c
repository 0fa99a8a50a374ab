// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: a list of tables, each in a file of its own.
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
     "              and the floating-point operations of assembly as a share of this core's peak\n"
     "              of multiply-adds, measured in the same run",
     bench_steps},
    {"--frames", "the time of a step against the number of frames, up to 1000", bench_frames},
    {"--papers", "bodies of the papers on frames, beside the times published there", bench_papers},
    {"--springs", "precomputed springs beside the integration points they stand for",
     bench_springs},
    {"--compile",
     "compiling, stage by stage; with sizes, of blocks of so many voxels: 500x200x1,200",
     usual_blocks},
    {"--insert", "inserting a frame into a moving body and removing it, beside a step",
     bench_insert},
    {"--modes", "reduced bodies: the time of a step against the size of the mesh, and of the basis",
     bench_modes},
    {"--particles",
     "particles around a skeleton: a step beside the times published, and how large a step may be\n"
     "              with diffused and with polar rotations",
     bench_particles},
    {"--bodies",
     "1, 100 and 1000 equal cubes on a floor: compiling, memory, a step on one thread and on two,\n"
     "              and when all of them sleep",
     bench_bodies},
    {"--laws", "every law: nanoseconds per sample for its energy, stress and tangent", bench_laws},
};

static int print_help(int status) {
    printf("usage: sinew bench [TABLE]\n"
           "       sinew bench --compile NXxNYxNZ,FRAMES...\n\n"
           "Measures speed on one core (--bodies: on two as well). Prints every table, or the one "
           "asked "
           "for:\n\n");
    for (int i = 0; i < SW_COUNT(benches); i++)
        printf("  %-11s %s\n", benches[i].option, benches[i].help);
    return status;
}

// Blocks given on the command line.
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
        return cli_usage("bench", "expected one of its tables, found \"%s\"", argv[1]);
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
