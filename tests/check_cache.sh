#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_cache.sh SINEW FOLDER: checks that cached models are bitwise the same and give the same messages, that
# they are compiled again when anything has changed, and that problems with the cache never get in the way.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
[ -e /proc/self/exe ] || { echo "no /proc: nothing is cached on this system"; exit 77; }
failures=0
SINEW_CACHE=$work/kept
SINEW_CACHE_AFTER=0 # however fast a compile is
export SINEW_CACHE SINEW_CACHE_AFTER

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' out.txt err.txt | head -n 20
    failures=$((failures + 1))
}
# run CACHED SCENE [ARGUMENT...]: runs sinew; CACHED (true or false): whether the model must come from the
# cache. The results are in out.txt.
run() {
    wanted=$1
    shift
    "$sinew" run "$@" --json - >out.txt 2>err.txt </dev/null || fail "sinew run $*: exit status $?"
    grep -qF "\"cached\": $wanted" out.txt || fail "sinew run $*: cached is not $wanted"
    hash=$(sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' out.txt)
}
# with VARIABLE VALUE COMMAND...: sets it for one command, as shells differ in how long an assignment
# before a function lasts
with() {
    variable=$1
    eval "old=\${$1:-}"
    export "$1=$2"
    shift 2
    "$@"
    export "$variable=$old"
}
same() { [ "$hash" = "$1" ] || fail "$2: the state is $hash instead of $1"; }
count() { find "$1" -name '*.swc*' 2>/dev/null | wc -l; }
kept() { [ "$(count "$SINEW_CACHE")" -eq "$1" ] || fail "$2: $(count "$SINEW_CACHE") files instead of $1"; }

# A box from a mesh, which starts inside a plane, so that the compile warns.
box() { # box HEIGHT
    printf 'v 0 0 0\nv 1 0 0\nv 1 %s 0\nv 0 %s 0\nv 0 0 1\nv 1 0 1\nv 1 %s 1\nv 0 %s 1\n' "$1" "$1" "$1" "$1"
    printf 'f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n'
}
cat >scene.json <<'END'
{"sinew": 1, "time": {"end": 0.02}, "materials": {"soft": {"young": 1e5}},
 "bodies": [{"name": "b", "shape": {"mesh": {"file": "box.obj"}}, "resolution": 8, "frames": {"count": 2}}],
 "colliders": [{"plane": {"normal": [0, 1, 0], "offset": 0.3}}]}
END
box 1 >box.obj

# ---- the same bits and the same messages ----
run false scene.json
first=$hash
cp out.txt results.txt
cp err.txt said.txt
grep -q 'inside a collider' err.txt || fail "the scene of this test gives no warning"
kept 1 "one scene"
run true scene.json
same "$first" "from the cache"
cmp -s err.txt said.txt || fail "other messages"
for file in out results; do
    sed '/"timing"/,/}/d' $file.txt >$file.rest
done
cmp -s out.rest results.rest || fail "other results"
"$sinew" info scene.json >out.txt 2>err.txt || fail "info"
grep -q 'taken from the cache' out.txt || fail "info does not take the model from the cache"
grep -q 'inside a collider' err.txt || fail "info does not warn"
"$sinew" run scene.json >out.txt 2>err.txt || fail "run"
grep -q 'from the cache' out.txt || fail "the summary does not mention the cache"
mkdir -p elsewhere
cp scene.json box.obj elsewhere
(cd elsewhere && SINEW_CACHE=$SINEW_CACHE "$sinew" run scene.json --json -) >out.txt 2>err.txt
grep -qF '"cached": true' out.txt || fail "the same scene in another folder"

# ---- anything has changed ----
box 1.1 >box.obj
run false scene.json
[ "$hash" != "$first" ] || fail "the old mesh"
box 1 >box.obj
run true scene.json
same "$first" "the mesh as it was"
run false scene.json --step 0.005
sed 's/1e5/2e5/' scene.json >stiffer.json
run false stiffer.json
run true scene.json --threads 2
same "$first" "two threads"
cat >scan.mhd <<'END'
ObjectType = Image
NDims = 3
DimSize = 4 4 4
ElementSpacing = 0.25 0.25 0.25
ElementType = MET_UCHAR
ElementDataFile = scan voxels.raw
END
sed 's/{"mesh": {"file": "box.obj"}}/{"volume": {"file": "scan.mhd", "labels": {"1": "soft", "2": "soft"}}}/' scene.json >scan.json
head -c 64 /dev/zero | tr '\0' '\1' >'scan voxels.raw'
run false scan.json
run true scan.json
{ head -c 16 /dev/zero; head -c 48 /dev/zero | tr '\0' '\1'; } >'scan voxels.raw'
run false scan.json

# ---- files that cannot be used ----
rm -rf "$SINEW_CACHE"
run false scene.json
file=$(find "$SINEW_CACHE" -name '*.swc')
size=$(wc -c <"$file")
cp "$file" whole
spoil() { # what was done to the file: the model is compiled again, without a message about it
    run false scene.json
    same "$first" "$1"
    cmp -s err.txt said.txt || fail "$1: other messages"
    run true scene.json
    same "$first" "$1, again"
}
for at in 4 60 3000 $((size / 2)) $((size - 4)); do
    cp whole "$file"
    printf 'damage' | dd of="$file" bs=1 seek="$at" conv=notrunc 2>/dev/null
    spoil "damaged at $at"
done
for length in 0 7 40 2000 $((size - 1)); do
    head -c "$length" whole >"$file"
    spoil "cut after $length bytes"
done
echo "something else" >"$file"
spoil "a text"
run false stiffer.json
for other in "$SINEW_CACHE"/*.swc; do
    [ "$other" = "$file" ] || cp "$other" "$file"
done
spoil "the file of another scene"
"$sinew" run scene.json --save-model model >/dev/null 2>&1
cp model "$file"
spoil "a saved model"
rm "$file"
mkdir "$file"
run false scene.json
same "$first" "a folder"
rmdir "$file"

# ---- folders ----
rm -rf "$SINEW_CACHE"
with SINEW_CACHE "$work/box.obj/below" run false scene.json
with SINEW_CACHE "$work/box.obj/below" run false scene.json
same "$first" "a folder that cannot be made"
cmp -s err.txt said.txt || fail "there is a message about a folder that cannot be made"
mkdir closed
chmod 500 closed
with SINEW_CACHE "$work/closed" run false scene.json
same "$first" "a folder that cannot be written to"
if [ ! -w closed ]; then
    with SINEW_CACHE "$work/closed" run false scene.json
fi
chmod 700 closed
mkdir user
(
    unset SINEW_CACHE
    XDG_CACHE_HOME=$work/user/all HOME=$work/user/home "$sinew" run scene.json
    XDG_CACHE_HOME='' HOME=$work/user/home "$sinew" run scene.json
) >out.txt 2>err.txt
[ "$(count user/all/sinew)" -eq 1 ] || fail "not in XDG_CACHE_HOME"
[ "$(count user/home/.cache/sinew)" -eq 1 ] || fail "not in HOME"

# ---- nothing is kept ----
with SINEW_CACHE off run false scene.json
run false scene.json --no-cache
"$sinew" info scene.json --no-cache >out.txt 2>err.txt || fail "info --no-cache"
kept 0 "off"
with SINEW_CACHE_AFTER 1000 run false scene.json
kept 0 "a quick compile"

# ---- no more than the size limit ----
run false scene.json
run false stiffer.json
sleep 1
run true scene.json # now the other one is the least recently used
kilobytes=$(($(wc -c <"$(find "$SINEW_CACHE" -name '*.swc' | head -n 1)") / 1000))
run false scene.json --step 0.004
kept 3 "three scenes"
with SINEW_CACHE_SIZE "$(echo "$kilobytes" | awk '{ print 2.5 * $1 / 1000 }')" run false scene.json --step 0.003
kept 2 "room for two"
run false stiffer.json
echo "mine" >"$SINEW_CACHE/notes.txt"
with SINEW_CACHE_SIZE 0 run false scene.json --step 0.002
kept 0 "no room"
[ -e "$SINEW_CACHE/notes.txt" ] || fail "a file that is not of the cache is gone"

[ $failures -eq 0 ] && echo "all is well"
[ $failures -eq 0 ]
