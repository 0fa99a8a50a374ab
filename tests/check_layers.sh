#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_layers.sh [OBJECTS]
# Checks that each stage of src/ includes only itself and earlier stages, in the order below. An entry is a
# folder or the beginning of a file name (formats/mesh: mesh.h, mesh_obj.c, ...); the longest entry that fits
# a file is its stage. The command, cli/*.c, may include the public headers and, of src/, only the folders in
# `tools`; its own folders may include anything. Given the folder with sinew_objects.dir and
# sinew_command.dir, also checks the calls in object files, as public functions and repeated declarations
# need no include.
order="core math model geometry/surface formats/rig formats/mesh formats/rig_read formats/image geometry formats/tets
       volume frames weights cubature correctors kinematics material modes potentials contact solve integrate scene compile bodies
       compile/compile compile/inspect formats world output render"
tools="core math formats output render"

set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2116,SC2086
order="$(echo $order)"
stages='
    function stage(path,    i, best) { # the number of its stage, or 0
        for (i = 1; i <= n; i++)
            if (index(path, name[i]) == 1 && substr(path, length(name[i]) + 1, 1) ~ /[\/._]/ &&
                length(name[i]) > length(name[best]))
                best = i
        return best + 0
    }
    BEGIN { FS = ":"; n = split(order, name, " ") }'

find src include/sinew -name '*.[ch]' -o -name '*.inl' | sort | xargs grep -Hn '^ *# *include *"' |
    awk -v order="$order" "$stages"'
    function complain(text) { print $1 ":" $2 ": " text; bad = 1 }
    {
        split($0, part, "\"")
        included = part[2]
        if ($1 ~ /^include\//) {
            if (included ~ /\//)
                complain("a public header includes \"" included "\", which is not installed beside it")
            next
        }
        own = stage(substr($1, 5))
        if (!own)
            complain("its folder is not in the list of stages (tests/check_layers.sh)")
        else if (included ~ /^sinew\//)
            next
        else if (included !~ /\//)
            complain("write the folder too: \"" included "\"")
        else if (!stage(included))
            complain("\"" included "\" belongs to no stage")
        else if (stage(included) > own)
            complain("\"" included "\" belongs to a later stage: " name[stage(included)] " comes after " name[own])
    }
    END { exit bad }'

grep -HnE '^ *# *include *"[a-z_]+/' cli/*.[ch] | awk -F: -v tools="$tools bench cache inspect verify view" '
    BEGIN { n = split(tools, name, " "); for (i = 1; i <= n; i++) fine[name[i]] = 1 }
    {
        split($0, part, "\"")
        split(part[2], folder, "/")
        if (folder[1] != "sinew" && !(folder[1] in fine)) {
            print $1 ":" $2 ": \"" part[2] "\" is private: use a public function"
            bad = 1
        }
    }
    END { exit bad }'

[ $# -eq 0 ] && exit 0
# A build folder may contain objects of deleted sources: only those with a source count. A function may be called
# from its own stage and later ones, and must be declared in a header of its own stage.
symbols() { # folder of objects, sources: prints "file: type symbol" for every symbol they define or need
    objects=$1
    shift
    for file; do printf '%s\n' "$objects/$file.o"; done | xargs nm -A -g | sed "s|^$objects/||; s|[.]o:|:|"
}
{
    # shellcheck disable=SC2046
    symbols "$1/sinew_objects.dir" $(find src -name '*.c' | sort)
    symbols "$1/sinew_command.dir" cli/*.c
    sed -nE 's/^SW_API .*[ *](sw_[a-z0-9_]+)\(.*/public: P \1/p' include/sinew/*.h
    grep -rnE --include='*.[ch]' '^[a-z][A-Za-z0-9_ *]*[ *]sw_[a-z0-9_]+\(' src | grep -v ':static '
} | awk -v order="$order" -v tools="$tools" "$stages"'
    function own(path) { return stage(substr(path, 5)) }
    function complain(text) { print text; bad = 1 }
    BEGIN { m = split(tools, tool, " "); for (i = 1; i <= m; i++) fine[tool[i]] = 1 }
    NF == 2 {
        words = split($2, word, " ")
        if (word[words - 1] == "U") {
            from[++uses] = $1
            what[uses] = word[words]
        } else if (word[words - 1] == "P")
            public[word[words]] = 1
        else
            home[word[words]] = $1
        next
    }
    {
        match($3, /sw_[a-z0-9_]+\(/)
        symbol = substr($3, RSTART, RLENGTH - 1)
        if (!(symbol in home) || home[symbol] == $1)
            next
        if ($1 ~ /[.]c$/)
            complain($1 ":" $2 ": " symbol "() of " home[symbol] " should be declared in a header")
        else if (own(home[symbol]) != own($1))
            complain($1 ":" $2 ": " symbol "() belongs to another stage: " home[symbol])
    }
    END {
        for (i = 1; i <= uses; i++) {
            to = home[what[i]]
            split(to, folder, "/")
            if (from[i] ~ /^cli/) {
                if (to ~ /^src/ && !(what[i] in public) && !(folder[2] in fine))
                    complain(from[i] ": " what[i] " of " to " is private: use a public function")
            } else if (to != "" && own(to) > own(from[i]))
                complain(from[i] ": " what[i] " belongs to " to ": " name[own(to)] " comes after " name[own(from[i])])
        }
        exit bad
    }'
