#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_gltf.sh SINEW TESTS NODE_FOLDER FOLDER: writes animations with the command and the test
# executable and checks them with check_gltf.mjs. Khronos's glTF validator is fetched once into
# NODE_FOLDER, in the version given by package-lock.json.
set -eu
sinew=$1 unit=$2 node=$3 work=$4
tests=$(cd "$(dirname "$0")" && pwd)

. "$tests/node_packages.sh"
if ! node_packages "$tests" "$node"; then
    echo "SKIPPED: $reason"
    exit 77
fi

"$sinew" run "$tests/../examples/turtle.json" -o "$work/validated.glb"
mkdir -p "$work/films"
SINEW_TEST_FILES="$work/films" "$unit" gltf >/dev/null
SINEW_TEST_FILES="$work/films" "$unit" character >/dev/null
node "$tests/check_gltf.mjs" "$node" "$work/validated.glb" "$work"/films/*.glb
