// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The table of commands.
#include "cli.h"

#include <string.h>
#include <unistd.h>

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} Command;

static const Command commands[] = {
    {"run", cmd_run, "simulate a scene and write animations, pictures and numbers"},
    {"view", cmd_view, "simulate live, on a page in the web browser"},
    {"info", cmd_info, "describe a file and what sinew makes of it"},
    {"mesh", cmd_mesh, "convert tetrahedral meshes or generate them"},
    {"new", cmd_new, "turn a mesh or volume into a scene to edit, all defaults written out"},
    {"compare", cmd_compare, "simulate a scene with every model, compared with fine tetrahedra"},
    {"verify", cmd_verify, "check results against finite elements and closed forms"},
    {"bench", cmd_bench, "measure speed and show where the time goes"},
};

static void print_help(void) {
    printf("sinew %s: soft solids simulated with a few moving frames\n\n"
           "Usage: sinew COMMAND ...\n\n",
           sw_version());
    for (int i = 0; i < SW_COUNT(commands); i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].about);
    printf("\n"
           "  sinew COMMAND --help    describe a command and its options\n"
           "  sinew --version\n\n"
           "To get started:\n"
           "  sinew run examples/turtle.json -o out/turtle.glb -o out/turtle.png\n"
           "  sinew run fox.glb --clip Run -o out/fox-soft.glb\n"
           "  sinew new bunny.obj -o bunny.json\n\n"
           "Exit status: 0: success, 1: the simulation failed or was stopped, 2: wrong usage or\n"
           "bad input.\n");
}

static const Command *find(const char *name) {
    for (int i = 0; i < SW_COUNT(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int fail_unknown(const char *word) {
    const char *names[SW_COUNT(commands)];
    for (int i = 0; i < SW_COUNT(commands); i++)
        names[i] = commands[i].name;
    const char *near = sw_text_nearest(word, names, SW_COUNT(names));
    if (access(word, F_OK) == 0)
        return cli_usage(NULL, "no command given: did you mean \"sinew run %s\"?", word);
    if (near)
        return cli_usage(NULL, "unknown command \"%s\", did you mean \"%s\"?", word, near);
    return cli_usage(NULL, "unknown command \"%s\"", word);
}

// The build may use instructions that this processor lacks: better to say so than to crash.
static bool processor_fits(void) {
#if defined(__x86_64__) && defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#elif defined(__x86_64__) && defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

int main(int argc, char **argv) {
    if (!processor_fits()) {
        fputs("sinew: this build needs a newer processor (AVX2); build with -DSINEW_ISA=baseline\n",
              stderr);
        return CLI_FAILED;
    }
    if (argc < 2) {
        print_help();
        return CLI_USAGE;
    }
    const char *word = argv[1];
    int status = CLI_OK;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
        (strcmp(word, "help") == 0 && argc == 2))
        print_help();
    else if (strcmp(word, "--version") == 0)
        printf("sinew %s\n", sw_version());
    else if (strcmp(word, "help") == 0) {
        const Command *command = find(argv[2]);
        char help[] = "--help", *args[] = {argv[2], help, NULL};
        status = command ? command->run(2, args) : fail_unknown(argv[2]);
    } else {
        const Command *command = find(word);
        status = command ? command->run(argc - 1, argv + 1) : fail_unknown(word);
    }
    if (fflush(stdout) != 0 && status == CLI_OK) {
        cli_say("cannot write to standard output");
        status = CLI_USAGE;
    }
    return status;
}
