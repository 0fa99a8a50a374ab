#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_clips.sh SINEW FOLDER ASSETS [whole]: checks that clips of every rig in ASSETS run: four
# clips of each until 0.2 s after the lead-in or, with `whole`, all of them to their ends; and that no
# result is NaN or infinite. Prints a row for each clip. Exit status 77: there are no rigs.
set -u
sinew=$(realpath -m "$1") work=$2 assets=$(realpath -m "$3") whole=${4:-} # it changes folders
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
if ! ls "$assets"/*.glb >/dev/null 2>&1; then
    echo "SKIPPED: no rigs in $assets"
    exit 77
fi
failures=0 runs=0
fail() {
    echo "FAILED: $*"
    sed 's/^/    /' err.txt | head -n 10
    failures=$((failures + 1))
}
# Prints the number that follows a key in the results.
number() { sed -n "s/.*\"$1\": \([-0-9.e+]*\).*/\1/p" out.json | head -n 1; }

# The hand has no clip, the strip of SimpleSkin has no interior, and the robot has 63 open parts.
for file in "$assets"/*.glb "$assets"/*.bvh; do
    name=$(basename "$file")
    "$sinew" info "$file" --json info.json --brief >/dev/null 2>err.txt || fail "info $name"
    clips=$(grep -c '"seconds":' info.json)
    most=$clips
    [ -z "$whole" ] && [ "$clips" -gt 4 ] && most=4
    [ "$name" = RobotExpressive.glb ] && [ -z "$whole" ] && most=1
    clip=0
    while [ $clip -lt "$most" ] || [ $clip -eq 0 ]; do
        set -- "$file" --json out.json --quiet
        [ "$clips" -gt 0 ] && set -- "$@" --clip $clip
        [ -z "$whole" ] && set -- "$@" --end 0.7
        "$sinew" run "$@" >out.txt 2>err.txt || fail "$name, clip $clip"
        runs=$((runs + 1))
        grep -q '"converged": true' out.json || fail "$name, clip $clip did not converge"
        grep -q '[: [,]null' out.json && fail "$name, clip $clip: a result is not a number"
        printf '%-26s clip %2d  %4d steps  %8.1f us per step  %6.2f x real time\n' "$name" $clip \
            "$(number steps)" "$(number step_us)" "$(number times_real_time)"
        clip=$((clip + 1))
    done
done
echo "$runs runs, $failures failures"
[ $failures -eq 0 ]
