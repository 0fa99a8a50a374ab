#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_readme.sh PREFIX FOLDER CC: builds the program in README.md against the package
# installed under PREFIX and runs it at the root of the repository. The program is the ```c block
# after the line <!-- program -->, and has at most fifteen lines.
set -eu
prefix=$1 work=$2 cc=$3
cd "$(dirname "$0")/.."
rm -rf "$work"
mkdir -p "$work"

awk '/^<!-- program -->$/ { marked = 1; next }
     marked && /^```c$/ { inside = 1; next }
     inside && /^```$/ { exit }
     inside { print }' README.md >"$work/program.c"
lines=$(grep -c . "$work/program.c") || { echo "README.md: no C block after <!-- program -->"; exit 1; }
[ "$lines" -le 15 ] || { echo "README.md: the program has $lines lines, more than 15"; exit 1; }

libdir=$(dirname "$(find "$prefix" -name libsinew.a)")
export PKG_CONFIG_PATH="$libdir/pkgconfig"
eval "set -- $(pkg-config --cflags --libs sinew)" # pkg-config quotes for a shell
"$cc" -std=c17 -Wall -Wextra -Werror "$work/program.c" "$@" -Wl,-rpath,"$libdir" \
    -o "$work/program"
"$work/program" >"$work/output" || { echo "the program in README.md failed: exit status $?"; exit 1; }
[ -s "$work/output" ] || { echo "the program in README.md printed nothing"; exit 1; }
tail -n 5 "$work/output"
