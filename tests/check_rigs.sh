#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_rigs.sh SINEW NODE_FOLDER SHARED FOLDER [all]: simulates characters of the shared assets and
# checks the files it writes with three.js, see check_rigs.mjs; with "all", every clip of every character.
set -eu
sinew=$1 node=$2 rigs=$3/assets/rigs work=$4 all=${5:-}
tests=$(cd "$(dirname "$0")" && pwd)

. "$tests/node_packages.sh"
if [ ! -d "$rigs" ]; then
    echo "SKIPPED: no characters in $rigs"
    exit 77
fi
if ! node_packages "$tests" "$node"; then
    echo "SKIPPED: $reason"
    exit 77
fi

rm -rf "$work"
mkdir -p "$work"
set -- "$rigs/Fox.glb:Run" "$rigs/Fox.glb:Run:--influences:0" "$rigs/Fox.glb:Walk:--keep-weights" \
    "$rigs/Trex.glb:4" "$rigs/CesiumMan.glb" "$rigs/r_hand_rhs.glb" "$rigs/RiggedSimple.glb"
if [ -n "$all" ]; then
    for name in Fox CesiumMan RiggedFigure RiggedSimple Trex Velociraptor Horse Husky Shark r_hand_rhs RobotExpressive; do
        set -- "$@" "$rigs/$name.glb:*" "$rigs/$name.glb:0:--influences:0"
    done
fi
exec node "$tests/check_rigs.mjs" "$node" "$sinew" "$work" "$@"
