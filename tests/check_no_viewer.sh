#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_no_viewer.sh SOURCE FOLDER CC: checks that the command is built without the viewer if
# something that the viewer needs is missing, and that it says why.
set -eu
source=$1 work=$2 cc=$3
rm -rf "$work"
unset MAKEFLAGS MAKELEVEL
cmake -G Ninja -S "$source" -B "$work" -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON \
    -DCMAKE_C_COMPILER="$cc" >"$work.log" 2>&1 || { cat "$work.log"; exit 1; }
grep "Without sinew view: libwebsockets" "$work.log"
cmake --build "$work" --target CMakeFiles/sinew_command.dir/cli/view/none.c.o
grep -q "libwebsockets 4.1 was missing, run scripts/install-deps" \
    "$work/CMakeFiles/sinew_command.dir/cli/view/none.c.o"
