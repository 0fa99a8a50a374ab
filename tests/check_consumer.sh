#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_consumer.sh PREFIX FOLDER CC: builds and runs programs against the package installed
# under PREFIX, with CMake and with pkg-config, and checks which symbols the library exports.
set -eu
prefix=$1 work=$2 cc=$3
libdir=$(dirname "$(find "$prefix" -name libsinew.a)")
source=$(cd "$(dirname "$0")/consumer" && pwd)
rm -rf "$work"
mkdir -p "$work"
unset MAKEFLAGS MAKELEVEL # a make that runs this test must not affect the consumer
say() { printf '\n== %s\n' "$*"; }

say "every public header compiles by itself, as C17 and as C++11"
for header in "$prefix"/include/sinew/*.h; do
    for language in c17 c++11; do
        echo "#include <sinew/${header##*/}>" |
            "$cc" -x "${language%[0-9][0-9]}" -std=$language -Wall -Wextra -pedantic -Werror \
                -I"$prefix/include" -fsyntax-only -
    done
done

say "the shared library exports the functions of the public headers, and nothing else"
grep -ho '^SW_API [^(;]*(' "$prefix"/include/sinew/*.h | sed 's/.*[ *]\(sw_[a-z0-9_]*\)($/\1/' |
    sort >"$work/declared"
nm -D --defined-only "$libdir/libsinew.so" | awk '{ print $3 }' |
    sort >"$work/exported"
diff "$work/declared" "$work/exported"

say "find_package"
cmake -S "$source" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc"
cmake --build "$work/cmake"
for language in c cpp; do
    for library in sinew static; do
        "$work/cmake/${language}_$library"
    done
done

say "pkg-config"
export PKG_CONFIG_PATH="$libdir/pkgconfig"
eval "set -- $(pkg-config --cflags --libs sinew)" # pkg-config quotes for a shell
"$cc" "$source/main.c" "$@" -Wl,-rpath,"$libdir" -o "$work/shared"
"$work/shared"
mkdir "$work/archive" # has only the archive, so that the linker cannot take the shared library
cp "$libdir/libsinew.a" "$work/archive"
eval "set -- $(pkg-config --static --cflags --libs sinew)"
"$cc" "$source/main.c" -L"$work/archive" "$@" -o "$work/static"
"$work/static"

say "the installed command"
"$prefix/bin/sinew" --version
