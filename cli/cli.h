// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shared by all commands: exit statuses, messages, options, input and output files.
#pragma once

#include "core/core.h"
#include "math/vec.h"
#include "sinew/sinew.h"

// ---- commands: argv[0] is the command's own name; the return value is the exit status ----

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 }; // FAILED: the simulation failed or was stopped

int cmd_run(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_mesh(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_compare(int argc, char **argv);

// ---- messages: "sinew: ..." on standard error ----

void cli_say(const char *format, ...) SW_PRINTF(1, 2);
// Prints the error and returns the exit status for it.
int cli_fail(const swError *error);
// The same for a mistake on the command line; also refers to the help of `command`.
int cli_usage(const char *command, const char *format, ...) SW_PRINTF(2, 3);
// Shows a progress line that overwrites the last one if standard error is a terminal; NULL: erases
// it.
void cli_progress(const char *format, ...) SW_PRINTF(1, 2);
// Warnings go to standard error, and so does information unless `quiet` is set.
swConfig cli_config(int threads, bool quiet);
const char *cli_analysis_name(swAnalysis analysis); // as in scene files

// ---- options ----

typedef enum OptionType {
    OPTION_FLAG, // bool
    OPTION_TEXT, // const char *
    OPTION_LIST, // TextList: may be given several times
    OPTION_INT,  // int
    OPTION_REAL, // swReal
    OPTION_SIZE, // int[2]: WxH
    OPTION_VEC3  // swVec3: X,Y,Z
} OptionType;

enum { CLI_LIST = 64 };
typedef struct TextList {
    const char *item[CLI_LIST];
    int count;
} TextList;

typedef struct Option {
    const char *name;  // without dashes; a single letter means -o
    const char *value; // name of its value in the help; NULL for flags
    OptionType type;
    void *to;
    double lo, hi;    // range of numbers
    const char *help; // lines of text
} Option;

typedef struct Usage {
    const char *command;  // "run"
    const char *synopsis; // "SCENE [options]"; "[NAME] ...": the operand is optional, else NULL
    const char *about;    // paragraphs before the options
    const char *operand;  // what the one positional argument is: "SCENE"; NULL: there is none
    const Option *option;
    int noption;
    const char *examples; // lines after the options
} Usage;

// Returns true to go on; false after help was printed or a mistake was reported: then return
// *status.
bool cli_options(const Usage *usage, int argc, char **argv, const char **operand, int *status);

// ---- input ----

typedef enum InputKind {
    INPUT_SCENE,
    INPUT_MESH,
    INPUT_TETS,
    INPUT_VOLUME,
    INPUT_MODEL,
    INPUT_STATE,
    INPUT_RECORDING
} InputKind;

// Determined from the file's name and first bytes.
InputKind cli_input_kind(const char *path);

// ---- output: a path, or "-" for standard output ----

bool cli_output_open(swFile *file, const char *path, swError *error);
bool cli_output_close(swFile *file, swError *error);
void cli_output_abandon(swFile *file);
// For "out/turtle.glb": creates out/ if it is missing, and fails early if the file cannot be
// written.
bool cli_output_prepare(const char *path, swError *error);
