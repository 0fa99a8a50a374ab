#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# A stage of src/ includes only itself and the stages before it, in this order. An entry is a folder or
# the beginning of a file name (formats/mesh: mesh.h, mesh_obj.c, ...); a file is of the longest that fits.
order="core math model geometry/surface formats/rig formats/mesh formats/rig_read formats/image geometry formats/tets
       volume nodes weights cubature kinematics material modes potentials contact solve integrate scene compile bodies
       compile/compile compile/inspect formats world output render"

set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2116,SC2086
find src include/sinew -name '*.[ch]' -o -name '*.inl' | sort | xargs grep -Hn '^ *# *include *"' |
    awk -v order="$(echo $order)" '
    function stage(path,    i, best) { # the number of its stage, or 0
        for (i = 1; i <= n; i++)
            if (index(path, name[i]) == 1 && substr(path, length(name[i]) + 1, 1) ~ /[\/._]/ &&
                length(name[i]) > length(name[best]))
                best = i
        return best + 0
    }
    function complain(text) { print $1 ":" $2 ": " text; bad = 1 }
    BEGIN { FS = ":"; n = split(order, name, " ") }
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
            complain("\"" included "\" is of a later stage: " name[stage(included)] " comes after " name[own])
    }
    END { exit bad }'
