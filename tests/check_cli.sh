#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_cli.sh SINEW FOLDER: checks the command as users see it: help, exit statuses,
# messages, files of every kind, and all examples.
set -u
sinew=$1 work=$2
examples=$(cd "$(dirname "$0")/../examples" && pwd)
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
# Scenes that are used several times are compiled only once; tests of compiling use --no-cache.
SINEW_CACHE=$(pwd)/kept
SINEW_CACHE_AFTER=0.05
export SINEW_CACHE SINEW_CACHE_AFTER
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' out.txt err.txt | head -n 20
    failures=$((failures + 1))
}
# expect STATUS ARGUMENT...: runs sinew, with its output in out.txt and err.txt
expect() {
    wanted=$1
    shift
    "$sinew" "$@" >out.txt 2>err.txt </dev/null
    status=$?
    [ $status -eq "$wanted" ] || fail "sinew $*: exit status $status instead of $wanted"
}
said() { grep -qF -e "$2" "$1.txt" || fail "no \"$2\" in std$1"; }
silent() { [ ! -s "$1.txt" ] || fail "something in std$1"; }
exists() { for file; do [ -s "$file" ] || fail "$file is missing or empty"; done; }
missing() { for file; do [ ! -e "$file" ] || fail "$file was written"; done; }
starts() { [ "$(head -c "$3" "$1" | tail -c +"$2" | tr -d '\0')" = "$4" ] || fail "$1 does not start like $4"; }
is_json() {
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$1" >/dev/null || fail "$1 is not JSON"
    fi
}
hash_of() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$1"; }

# ---- help and mistakes ----
expect 0 --help; said out "run"; said out "info"; silent err
expect 0 --version; said out "sinew "
expect 2; said out "Usage"
for command in run info mesh new verify bench; do
    expect 0 $command --help; said out "sinew $command"; silent err
    expect 0 help $command; said out "sinew $command"
done
expect 2 rnu scene.json; said err 'did you mean "run"?'
expect 2 "$examples/beam.json"; said err "did you mean \"sinew run "
expect 2 run; said err "SCENE"
expect 2 run "$examples/beam.json" --jsn x; said err "did you mean --json?"
expect 2 run "$examples/beam.json" --json; said err "expected FILE"
expect 2 run "$examples/beam.json" --threads=none; said err "whole number"
expect 2 run "$examples/beam.json" --step 0; said err "--step"
expect 2 run "$examples/beam.json" --end 1e999; said err "--end"
expect 2 run "$examples/beam.json" --size 640; said err "640x480"
expect 2 run "$examples/beam.json" --quiet=yes; said err "takes no value"
expect 2 run "$examples/beam.json" again.json; said err "one argument too many"
expect 2 run nothing.json; said err "nothing.json: cannot open"
expect 2 run nothing.obj; said err "nothing.obj"
expect 2 run "$examples/beam.json" -o new/beam.xyz; said err ".glb .obj .ply .png .swr .mp4"
expect 2 run "$examples/beam.json" --json a --csv a; said err "asked for twice"
cp "$examples/beam.json" own.json
expect 2 run own.json --json own.json; said err "would be overwritten"
expect 2 compare "$examples/beam.json" --models "frames 5, sprngs"; said err 'modes, found "sprngs"'
expect 0 compare "$examples/compare/t.json" --models "frames 5" --cells 60 --json compared.json
said out "The reference was refined once"
is_json compared.json
expect 2 run "$examples/beam.json" --color blue -o new/a.png; said err "plain, material, strain"
expect 2 run "$examples/beam.json" --color weight:9 -o new/a.png; said err "from 0 to 4"
missing new/beam.xyz new/a.png a
mkdir folder.glb
expect 2 run "$examples/beam.json" -o folder.glb; said err "it is a folder"
: >file
expect 2 run "$examples/beam.json" -o file/a.glb; said err "file"

printf '{"sinew": 1,\n "bodies": [{"shape": {"sphere": {"radius": 1}},\n  "frames": {"kond": "affine"}}]}' >typo.json
expect 2 run typo.json --json typo.out
said err 'sinew: typo.json:3:14: bodies[0].frames.kond: unknown key, did you mean "kind"?'
missing typo.out

# ---- every kind of file ----
expect 0 run "$examples/beam.json" --end 0.1 -o out/beam.glb -o out/deep/beam.png -o out/beam.obj \
    -o out/beam.swr -o out/beam.ply --json out/beam.json --csv out/beam.csv --save out/beam.state \
    --save-model out/beam.model --size 64x48
said out "degrees of freedom"; said out "x real time"; said out "out/deep/beam.png"; silent err
exists out/beam.glb out/deep/beam.png out/beam_0000.obj out/beam_0003.ply out/beam.state out/beam.model
missing out/beam.obj out/beam_0004.obj
starts out/beam.glb 1 4 glTF
starts out/deep/beam.png 2 4 PNG
is_json out/beam.json
for key in '"converged": true' '"analysis": "dynamic"' '"steps": 10' '"tip"' '"wall"' '"step_us"' '"dof"'; do
    cp out/beam.json out.txt; said out "$key"
done
[ "$(head -n 1 out/beam.csv)" = "time,tip.x,tip.y,tip.z,elastic,kinetic,potential,contact,iterations,work,dissipated,drift,residual,scale,line_search_cuts,projections,contacts,replaced,damping,muscle,actuated,substeps,leapt,rough,asleep,stopped" ] ||
    fail "header of beam.csv"
[ "$(wc -l <out/beam.csv)" -eq 11 ] || fail "rows of beam.csv: one per step"
awk -F, 'NF != 26 { bad = 1 } NR > 1 && $1 + 0 <= last { bad = 1 } { last = $1 + 0 } END { exit bad }' \
    out/beam.csv || fail "rows of beam.csv"
if command -v ffmpeg >/dev/null; then
    expect 0 run "$examples/beam.json" --end 0.1 -o out/beam.mp4 --size 65x47 --color strain
    starts out/beam.mp4 5 8 ftyp
fi
env PATH=/nowhere "$sinew" run "$examples/beam.json" -o out/none.mp4 >out.txt 2>err.txt
[ $? -eq 2 ] || fail "a film without ffmpeg"
said err "ffmpeg"
missing out/none.mp4
for color in plain material strain weight:1 weight:wall; do
    expect 0 run "$examples/beam.json" --end 0.02 -o out/color.png --size 32x32 --frames \
        --moments 2 --color $color --view=0,1,1
done

# A body whose step fails stops alone and is named; a handle that moves too far takes its body along.
cat >stops.json <<'END'
{"sinew": 1, "time": {"end": 0.2}, "solver": {"iterations": 1}, "materials": {"a": {"law": "neo-hookean", "young": 1e5}}, "bodies": [
  {"name": "torn", "shape": {"box": {"size": [0.4, 0.1, 0.1]}}, "resolution": 8, "frames": {"count": 2}, "handles": [
    {"name": "left", "region": {"box": {"size": [0, 1, 1], "center": [-0.2, 0, 0]}}},
    {"name": "right", "region": {"box": {"size": [0, 1, 1], "center": [0.2, 0, 0]}},
     "motion": {"keys": [{"t": 0}, {"t": 0.05, "translate": [-5, 0, 0]}]}}]},
  {"name": "box", "shape": {"box": {"size": [0.1, 0.1, 0.1]}}, "resolution": 4, "place": {"translate": [9, 0, 0]}}]}
END
expect 1 run stops.json --json out/stops.json
said err 'stopped at t = 0'; said err 'body "torn"'; said err "the others go on"
cp out/stops.json out.txt
said out '"stopped": 1'; said out '"steps": 20'; said out '"converged": false'
sed 's/"solver": {"iterations": 1}, //; /"left"/d; s/-5, 0, 0/-900, 0, 0/' stops.json >leaps.json
expect 0 run leaps.json; said err "warning: 5 times a handle moved too far"

# Surfaces of materials, shown or hidden.
expect 2 run "$examples/beam.json" --hide steel -o out/a.png; said err '"surfaces": "materials"'
sed 's/"name": "beam",/&\n    "surfaces": "materials",/' "$examples/beam.json" >parts.json
expect 2 run parts.json --hide tin -o out/a.png; said err 'found "tin"'
missing out/a.png
for hide in "--hide steel" "--hide rubber --hide steel" --outer "--color strain"; do
    # shellcheck disable=SC2086
    expect 0 run parts.json --end 0.02 -o out/parts.png -o out/parts.obj --size 32x32 --moments 1 $hide
done
grep -q '^g beam/steel$' out/parts_0000.obj || fail "groups of parts_0000.obj"

# ---- standard output, quiet, devices ----
expect 0 run "$examples/beam.json" --end 0.1 --json -; is_json out.txt; silent err
expect 0 run "$examples/beam.json" --end 0.1 --csv -; silent err
cmp -s out.txt out/beam.csv || fail "--csv - differs from --csv FILE"
expect 0 run "$examples/beam.json" --end 0.02 --quiet; silent out; silent err
expect 0 run "$examples/beam.json" --end 0.02 --json /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"

# ---- the same bits: any number of threads, in two parts, from a saved model, from a written scene ----
hash=$(hash_of out/beam.json)
again() { # what, arguments...
    what=$1
    shift
    expect 0 run "$@" --json again.json
    [ "$(hash_of again.json)" = "$hash" ] || fail "another result: $what"
}
again "two threads" "$examples/beam.json" --end 0.1 --threads 2 --no-cache
again "a saved model" out/beam.model --end 0.1
expect 0 run "$examples/beam.json" --end 0.05 --save half.state
again "a run in two parts" "$examples/beam.json" --end 0.1 --load half.state
expect 0 new "$examples/beam.json" -o written.json; silent out
again "every default written out" written.json --end 0.1 --no-cache
expect 2 run "$examples/twist.json" --load half.state; said err "another model"
expect 2 run half.state; said err "--load"
expect 2 run out/beam.model --step 0.1; said err "--step needs the scene"

# ---- vibrations, and increments of statics ----
sed 's/"time"/"analysis": "modal", "modal": {"count": 4}, "time"/' "$examples/beam.json" >modal.json
expect 0 run modal.json --mode 2 -o modal.glb -o modal.png --size 32x32 --json modal.out --csv modal.csv
said out "frequency [Hz]"; said out "0 motions that nothing resists"
exists modal.glb modal.png
is_json modal.out
cp modal.out out.txt; said out '"analysis": "modal"'; said out '"frequencies"'; said out '"unstable": 0'
[ "$(head -n 1 modal.csv)" = "mode,frequency,body" ] || fail "header of modal.csv"
[ "$(wc -l <modal.csv)" -eq 5 ] || fail "rows of modal.csv: one per mode"
expect 2 run modal.json --mode 5; said err "there are only 4"
expect 2 run "$examples/beam.json" --mode 1; said err "--mode needs a scene"
expect 0 info modal.json --brief; said out "modal"
expect 0 run "$examples/hammock.json" --csv statics.csv; said out "0 cuts"
awk -F, 'NR == 1 && $(NF - 1) != "load" { bad = 1 } NR > 1 && $(NF - 1) + 0 <= last { bad = 1 }
    { last = $(NF - 1) + 0 } END { exit bad || NR != 5 || last != 1 }' statics.csv ||
    fail "rows of statics.csv: one per increment"

# ---- failures: exit status 1; the results so far are written and marked ----
sed 's/"time"/"solver": {"iterations": 2}, "time"/' "$examples/beam.json" >hard.json
expect 1 run hard.json --step 0.2 -o hard.glb --json hard.out --csv hard.csv
said err "the step from t = "; said err "Newton iterations"; said err "--step 0.1"
exists hard.glb hard.csv
is_json hard.out
cp hard.out out.txt; said out '"converged": false'; said out '"reason"'; said out '"residual"'
sed 's/"increments": 4/"increments": 4, "iterations": 1/' "$examples/hammock.json" >hard.json
expect 1 run hard.json -o hard.png --size 32x32 --json hard.out; said err "no equilibrium beyond"
exists hard.png
# A column that is compressed beyond its buckling load bends. A path keeps it straight, and is reported as
# unstable. It is not corrected: the chosen points are not symmetric, so that it would bend by itself.
column() {
    cat <<END
{"sinew": 1, "analysis": "static", "gravity": [0, 0, 0], "solver": {"path": "$1"},
 "materials": {"m": {"law": "stvk", "young": 1e5, "poisson": 0}},
 "bodies": [{"shape": {"box": {"size": [1, 0.1, 0.12], "center": [0.5, 0, 0]}}, "voxel": 0.02,
   "frames": {"kind": "affine", "at": [[0.25, 0, 0], [0.5, 0, 0], [0.75, 0, 0]], "weights": {"kind": "hat"}},
   "integration": {"correct": false},
   "handles": [{"region": {"box": {"size": [0.02, 1, 1]}}},
     {"region": {"box": {"size": [0.02, 1, 1], "center": [1, 0, 0]}},
      "motion": {"keys": [{"t": 0}, {"t": 1, "translate": [-0.1, 0, 0]}]}}]}]}
END
}
column load >column.json
expect 0 run column.json --json column.out; said out "saddles 1, unstable, from which the search went on"; silent err
cp column.out out.txt; said out '"left": 1, "unstable": 0'
column arc-length >column.json
expect 0 run column.json --json column.out --csv column.csv
said out "unstable: the body gives way"; said err "warning: the equilibrium is unstable"
cp column.out out.txt; said out '"left": 0, "unstable": 1'
head -n 1 column.csv >out.txt; said out ",load,unstable"
tail -n 1 column.csv >out.txt; said out ",1,1"
# Stopped from outside.
"$sinew" run "$examples/twist.json" --end 100000 --save-model twist.model --json stopped.out \
    -o stopped.glb --fps 1 >out.txt 2>err.txt </dev/null &
process=$!
while [ ! -e twist.model ] && kill -0 $process 2>/dev/null; do
    sleep 0.2
done
sleep 1
kill -TERM $process
wait $process
status=$?
[ $status -eq 1 ] || fail "stopped: exit status $status instead of 1"
said err "stopped at t = "
exists stopped.out stopped.glb

# ---- info and new ----
expect 0 info "$examples/beam.json"
said out 'body "beam"'; said out "closed"; said out "expected"; said out '"integrator": "implicit-euler"'
expect 0 info "$examples/hammock.json" --brief; said out "static"
expect 0 info out/beam_0000.obj; said out "a mesh"; said out '"resolution"'
expect 0 info out/beam.model; said out "a model"
expect 0 info half.state; said out "0.05 s"
expect 0 info out/beam.swr; said out "a recording"; said out "4 keys from t = 0 s to 0.1 s"; said out "sinew view"
expect 2 info out/beam.swr --picture in/none.png; said err "needs the scene"
expect 2 run out/beam.swr; said err "sinew view out/beam.swr"
expect 2 run "$examples/dent.json" -o out/dent.swr; said err "frames that come and go"; [ ! -e out/dent.swr ] || fail "out/dent.swr is there"
expect 2 run "$examples/dent.json" -o out/dent.png --color strain; said err "whose strain pictures cannot show"
expect 2 new out/beam.swr; said err "holds no scene"
head -c 5000 out/beam.swr >short.swr
expect 2 info short.swr; said err "short.swr: "
for what in stress energy; do
    expect 0 run "$examples/beam.json" --end 0.05 -o out/$what.png --color $what --size 64x48 --moments 1
done
expect 0 run "$examples/beam.json" --end 0.05 -o out/bare.png --color stress --size 64x48 --moments 1 --bare
expect 0 info out/bare.png --brief; said out "64 x 48 x 1 voxels"
expect 0 info "$examples/beam.json" --json -; is_json out.txt
expect 0 info "$examples/beam.json" --picture in/side.png --of weights --of weight:wall --size 96x64
said out "in/side.png"; silent err; starts in/side.png 2 4 PNG
expect 0 info in/side.png --brief; said out "196 x 64 x 1 voxels"
expect 0 info "$examples/beam.json" --picture in/all.png --slice x=0.1 --body beam --of distance \
    --of material --of stiffness --of label --of regions --of points --size 64x64 --threads 2
exists in/all.png
expect 2 info "$examples/beam.json" --picture in/none.png --of mass; said err "regions or points"
expect 2 info "$examples/beam.json" --slice z; said err "need --picture"
expect 2 info "$examples/beam.json" --picture in/none.png --json -; said err "--json"
expect 2 info out/beam.model --picture in/none.png; said err "needs the scene"
missing in/none.png
expect 0 new out/beam_0000.obj; is_json out.txt
expect 0 new out/beam_0000.obj -o sub/mesh.json; silent out
expect 0 run sub/mesh.json --end 0.05
expect 0 run out/beam_0000.obj --end 0.05
expect 2 new out/beam.model; said err "holds no scene"

# ---- tetrahedra ----
expect 0 mesh "$examples/beam.json" --voxel 0.02 -o tets/beam.msh -o tets/beam.vtu; silent err
said out "of order 1"; said out "wrote tets/beam.vtu"; said out "material"
expect 0 mesh tets/beam.vtu -o tets/again.vtu; cmp -s tets/beam.vtu tets/again.vtu || fail "again.vtu differs"
expect 0 mesh tets/beam.vtu --order 2 --text --msh22 -o tets/two.msh; said out "of order 2"; starts tets/two.msh 1 11 '$MeshFormat'
expect 0 mesh tets/two.msh --json - -o tets/two.node; is_json out.txt; exists tets/two.ele tets/two.node
expect 0 mesh out/beam_0000.obj --fit --voxel 0.02 -o tets/fit.veg; said out "degrees"
expect 2 mesh tets/two.msh -o tets/no.veg; said err "only hold tetrahedra of order 1"; missing tets/no.veg
expect 2 mesh tets/two.msh -o tets/no.obj; said err ".msh .node .ele .veg .vtk .vtu .mesh"
expect 2 mesh tets/two.msh --fit; said err "is a mesh already"
expect 2 mesh out/beam.swr; said err "expected a mesh or a scene"
head -c 300 tets/two.msh >tets/short.msh
expect 2 mesh tets/short.msh; said err "tets/short.msh:"
expect 0 info tets/fit.veg --brief; said out "a mesh of tetrahedra (Vega, text)"; said out "degrees of freedom"
expect 0 new tets/fit.veg; is_json out.txt; said out '"file": "tets/fit.veg"'
expect 0 run tets/fit.veg --end 0.02
expect 2 info nothing.json; said err "cannot open"

# ---- all examples ----
for scene in "$examples"/*.json; do
    name=$(basename "$scene" .json)
    grep -q '"title": "..*"' "$scene" || fail "$name has no title"
    if [ "$name" = cut ] || [ "$name" = tear ]; then # their surfaces change, which a .glb cannot show
        expect 2 run "$scene" -o "examples/$name.glb"; said err ".glb"
        expect 0 run "$scene" --end 0.1 -o "examples/$name.png" --size 48x36 \
            --json "examples/$name.json"
        exists "examples/$name.png"
        is_json "examples/$name.json"
        continue
    fi
    expect 0 run "$scene" --end 0.3 -o "examples/$name.glb" -o "examples/$name.png" --size 48x36 \
        --json "examples/$name.json"
    silent err
    exists "examples/$name.glb" "examples/$name.png"
    is_json "examples/$name.json"
done

left=$(find . -name '*.tmp*')
[ -z "$left" ] || fail "temporary files are left: $left"
[ $failures -eq 0 ] || echo "$failures checks failed"
[ $failures -eq 0 ]
