#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_gltf.sh SINEW TESTS NODE_FOLDER FOLDER: writes animations with the command and the test
# executable and gives them to check_gltf.mjs; Khronos's glTF validator is fetched once into
# NODE_FOLDER at the version of package-lock.json.
set -eu
sinew=$1 unit=$2 node=$3 work=$4
tests=$(cd "$(dirname "$0")" && pwd)

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "SKIPPED: node and npm are not installed"
    exit 77
fi
mkdir -p "$node"
node=$(cd "$node" && pwd)
if ! cmp -s "$tests/package-lock.json" "$node/package-lock.json" || [ ! -d "$node/node_modules" ]; then
    cp "$tests/package.json" "$node"
    if ! (cd "$node" && cp "$tests/package-lock.json" . &&
        timeout 120 npm ci --cache "$node/cache" --no-audit --no-fund --fetch-retries=1 \
            --fetch-timeout=30000) </dev/null >"$node/log" 2>&1; then
        rm -f "$node/package-lock.json"
        echo "SKIPPED: npm could not fetch gltf-validator: $(grep -m 1 'npm error' "$node/log")"
        exit 77
    fi
fi

"$sinew" run "$tests/../examples/turtle.json" -o "$work/validated.glb"
mkdir -p "$work/films"
SINEW_TEST_FILES="$work/films" "$unit" gltf >/dev/null
node "$tests/check_gltf.mjs" "$node" "$work/validated.glb" "$work"/films/*.glb
