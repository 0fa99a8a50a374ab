#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Usage: check_view.sh SINEW FOLDER: sinew view, against what pages send and what they would never send.
set -eu
sinew=$1 work=$2
tests=$(cd "$(dirname "$0")" && pwd)

if ! command -v node >/dev/null; then
    echo "SKIPPED: node is not installed"
    exit 77
fi
if ! "$sinew" view --help >/dev/null 2>&1; then
    echo "SKIPPED: $("$sinew" view --help 2>&1)"
    exit 77
fi
node "$tests/check_view.mjs" "$sinew" "$work"
