#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_scalar.sh SOURCE CC: checks that every file of the library compiles without vector types.
set -eu
cd "$1"
status=0
for file in src/*/*.c; do
    "$2" -std=c17 -fsyntax-only -DSW_SCALAR -DSW_VERSION=\"0\" -D_GNU_SOURCE -Iinclude -Isrc -Wall -Wextra \
        -pedantic -Werror "$file" || status=1
done
exit $status
