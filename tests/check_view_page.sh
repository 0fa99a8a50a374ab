#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_view_page.sh SINEW NODE_FOLDER FOLDER: opens the viewer's page in headless Chromium and uses
# it as a user would, see check_view_page.mjs.
set -eu
sinew=$1 node=$2 work=$3
tests=$(cd "$(dirname "$0")" && pwd)

skip() {
    echo "SKIPPED: $1"
    exit 77
}
if ! "$sinew" view --help >/dev/null 2>&1; then
    skip "this build has no viewer"
fi
command -v node >/dev/null || skip "node is not installed"
for browser in chromium chromium-browser google-chrome; do
    chromium=$(command -v $browser) && break
done
[ -n "${chromium:-}" ] || skip "no browser: chromium is not installed"
. "$tests/node_packages.sh"
node_packages "$tests" "$node" || skip "$reason"

rm -rf "$work"
mkdir -p "$work"
exec node "$tests/check_view_page.mjs" "$sinew" "$node" "$chromium" "$work"
