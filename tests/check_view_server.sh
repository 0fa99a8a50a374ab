#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_view_server.sh SINEW FOLDER: tests sinew view with messages that pages send and others that they
# would never send.
set -eu
sinew=$1 work=$2
tests=$(cd "$(dirname "$0")" && pwd)

if ! command -v node >/dev/null; then
    echo "SKIPPED: node is not installed"
    exit 77
fi
help=$("$sinew" view --help 2>&1) || true
case $help in
*"has no viewer"*)
    echo "SKIPPED: $help"
    exit 77
    ;;
"Usage: sinew view"*) ;;
*)
    echo "sinew view --help says: $help"
    exit 1
    ;;
esac
node "$tests/check_view_server.mjs" "$sinew" "$work"
