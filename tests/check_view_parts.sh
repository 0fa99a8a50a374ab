#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_view_parts.sh PACKAGES FOLDER: runs the unit tests of the page, with the packages that the
# build has fetched into PACKAGES.
set -eu
packages=$1 work=$2
viewer=$(cd "$(dirname "$0")/../viewer" && pwd)

if [ ! -e "$packages/fetched" ]; then
    echo "SKIPPED: the build has no viewer"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work"
cp -R "$viewer/src" "$viewer/tests" "$viewer/package.json" "$viewer/tsconfig.json" "$work"
ln -s "$packages/node_modules" "$work/node_modules"
cd "$work"
npm run --silent test
