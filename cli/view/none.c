// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew view in a build without the viewer.
#include "cli.h"

int cmd_view(int argc, char **argv) {
    (void)argc;
    (void)argv;
    cli_say("this build has no viewer: %s", SINEW_NO_VIEWER);
    return CLI_USAGE;
}
