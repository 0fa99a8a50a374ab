#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_verify.sh SINEW FOLDER: runs sinew verify on rows that are fast, and checks its options.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' out.txt err.txt | head -n 20
    failures=$((failures + 1))
}
expect() { # STATUS ARGUMENT...
    wanted=$1
    shift
    "$sinew" verify "$@" >out.txt 2>err.txt </dev/null
    status=$?
    [ $status -eq "$wanted" ] || fail "sinew verify $*: exit status $status instead of $wanted"
}
said() { grep -qF -e "$2" "$1.txt" || fail "no \"$2\" in std$1"; }

# ---- within their bounds: some rows of each kind, as all of them would take minutes ----
for rows in uniaxial-neo-hookean-nu0.3-e0.5 uniaxial-stvk-nu0-e-0.4 uniaxial-stvk-nu0.3-e1 mooney \
    poisson-nu0.3 poisson-nu0.499-affine hat-5 layers3-neo-hookean-nu0.3-100 layers2-stvk-nu0-3000 \
    t-bend-1-affine traction-stvk-50-tets2 \
    cook-nu0.4999-0.625-tets2-mean-8 cook-plane-nu0.3 tets1-plain-2 tets1-mean-4; do
    expect 0 "$rows"
    said out " 0 beyond their bounds"
done

# ---- what it prints and writes ----
expect 0 --help; said out "PATTERN"
expect 0 --list torsion-90; said out "torsion-90-affine-hat-9"
[ "$(wc -l <out.txt)" -eq "$(sort -u out.txt | wc -l)" ] || fail "a row is listed twice"
row=torsion-90-affine-hat-9-locked
expect 0 $row --csv table.csv --json table.json; said out "torque.x"
[ "$(wc -l <table.csv)" -eq 4 ] || fail "rows of table.csv"
cp table.csv out.txt; said out "torsion-90,torque.x,affine,hat,9,locked,9,84,"
if command -v python3 >/dev/null; then
    python3 -m json.tool table.json >/dev/null || fail "table.json is not JSON"
fi
expect 0 $row --csv -
[ "$(head -n 1 out.txt)" = "$(head -n 1 table.csv)" ] || fail "--csv - is not the table alone"

# ---- a written scene gives the same ----
expect 0 --write scenes/new $row
[ "$(ls scenes/new)" = "$row.json" ] || fail "what --write wrote"
"$sinew" run "scenes/new/$row.json" --quiet --json result.json >out.txt 2>err.txt || fail "the written scene"
torque=$(sed -n 's/^torsion-90,torque.x,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,\([^,]*\),.*/\1/p' table.csv)
cp result.json out.txt
[ -n "$torque" ] && said out "\"torque\": [$torque, "

# ---- mistakes ----
expect 2 no-such-row; said err 'found "no-such-row"'
expect 2 --list no-such-row; said err "a part of a name"
expect 2 --write scenes/none no-such-row; said err "a part of a name"
[ ! -e scenes/none ] || fail "a folder was made for nothing"
expect 2 torsion again; said err "one argument too many"
expect 2 --refine 0; said err "whole number from 1 to 4"
expect 2 --lsit; said err "did you mean --list?"
expect 2 $row --csv a --json a; said err "asked for twice"
: >file
expect 2 --write file/inside $row; said err "file"

[ $failures -eq 0 ] || echo "$failures checks failed"
[ $failures -eq 0 ]
