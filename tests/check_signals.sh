#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_signals.sh SINEW FOLDER: checks that signals end a run of any kind within seconds, in the middle of
# work that takes minutes, with exit status 1, a message and no partly written file.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
failures=0
patience=30 # [s] that a busy machine may take to end a run after a signal

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' out.txt err.txt | head -n 20
    failures=$((failures + 1))
}
said() { grep -qF -e "$2" "$1.txt" || fail "no \"$2\" in std$1"; }
# start ARGUMENT...: runs sinew in the background
start() {
    "$sinew" run "$@" >out.txt 2>err.txt </dev/null &
    process=$!
}
# wait_for FILE: waits until it exists
wait_for() {
    waited=0
    while [ ! -e "$1" ] && kill -0 $process 2>/dev/null && [ $waited -lt 300 ]; do
        sleep 1
        waited=$((waited + 1))
    done
    [ -e "$1" ] || fail "no $1"
}
# stop SIGNAL NAME: sends the signal and checks how the run ends
stop() {
    kill -0 $process 2>/dev/null || fail "$2: the run ended by itself: the scene is too easy"
    kill "-$1" $process
    waited=0
    while kill -0 $process 2>/dev/null && [ $waited -lt $patience ]; do
        sleep 1
        waited=$((waited + 1))
    done
    if kill -0 $process 2>/dev/null; then
        kill -KILL $process
        fail "$2: the run still goes on $patience s after SIG$1"
    fi
    wait $process
    status=$?
    [ $status -eq 1 ] || fail "$2: exit status $status instead of 1"
    for file in *.tmp; do
        [ ! -e "$file" ] || fail "$2: $file is left"
    done
}

# A bar that is twisted by half a turn at once: takes minutes of Newton iterations in the first increment.
turning='{"keys": [{"t": 0}, {"t": 1, "rotate": {"axis": [1, 0, 0], "degrees": 179}}]}'
twist() { # ANALYSIS SOLVER BODY [MOTION]
    cat <<END
{"sinew": 1, "analysis": "$1", "gravity": [0, 0, 0], "solver": {$2}, "modal": {"count": 400},
 "materials": {"m": {"law": "neo-hookean", "young": 1e6, "poisson": 0.3}},
 "bodies": [{"shape": {"box": {"size": [1.2, 0.4, 0.4], "center": [0.6, 0, 0]}}, $3,
   "handles": [{"region": {"box": {"size": [0.01, 1, 1]}}},
     {"region": {"box": {"size": [0.01, 1, 1], "center": [1.2, 0, 0]}},
      "motion": ${4-$turning}}]}]}
END
}

for linear in sparse cg; do
    twist static "\"linear\": \"$linear\"" '"voxel": 0.04, "tets": {"order": "quadratic"}' >static.json
    rm -f static.model
    start static.json --save-model static.model --json static.out --csv static.csv -o static.obj
    wait_for static.model
    sleep 1
    stop INT "statics, $linear"
    said err "stopped at 0% of the load"
    grep -q '"complete": false' static.out || fail "statics, $linear: static.out does not say that it is not complete"
    rm -f static.out static.csv
done

# Runs that already have an equilibrium to keep; a path.
twist static '"increments": 1000' '"voxel": 0.05, "tets": {"order": "quadratic"}' >static.json
rm -f static.model
start static.json --save-model static.model --save static.state
wait_for static.model
sleep 2
stop TERM "statics, many increments"
said err "of the load: the output shows the last equilibrium"
[ -s static.state ] || fail "static.state is missing"
twist static '"path": "arc-length"' '"voxel": 0.1, "tets": {"order": "quadratic"}' >static.json
rm -f static.model
start static.json --save-model static.model
wait_for static.model
sleep 1
stop INT "a path"
said err "stopped at"

# Vibrations.
twist modal '"linear": "auto"' '"voxel": 0.03, "tets": {"order": "quadratic"}' >modal.json
rm -f modal.model
start modal.json --save-model modal.model --json modal.out
wait_for modal.model
sleep 1
stop INT "vibrations"
said err "stopped"
[ ! -e modal.out ] || fail "modal.out is there"

# Compiling: fine voxels, weights of many frames, modes.
compile() { # BODY
    start compile.json --json compile.out
    sleep 2
    stop INT "compiling $1"
    said err "the compilation was stopped"
    [ ! -e compile.out ] || fail "compile.out is there"
}
for body in '"voxel": 0.003, "frames": {"count": 10}' '"voxel": 0.012, "frames": {"count": 300}' \
    '"voxel": 0.012, "frames": {"count": 60, "weights": {"kind": "eigenmodes"}}'; do
    twist static '"linear": "auto"' "$body" >compile.json
    compile "$body"
done
twist static '"linear": "auto"' '"voxel": 0.04, "modes": {"count": 60, "tets": {"order": "quadratic"}}' '"fixed"' \
    >compile.json
compile modes

[ $failures -eq 0 ] && echo "signals end runs in time"
exit $((failures > 0))
