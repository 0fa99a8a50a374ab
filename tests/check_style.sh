#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Rules that every file of the project follows. Exit status 77: no complaints, but the formatting was not
# checked.
set -u
cd "$(dirname "$0")/.." || exit 1
status=0
complain() { # title, offending lines
    [ -z "$2" ] && return
    printf '%s:\n%s\n' "$1" "$2"
    status=1
}

files=$(find . \( -name .git -o -name node_modules -o -path './build*' -o -path ./out \) -prune -o \
    -type f -print | sed 's|^\./||' | sort)
code=$(echo "$files" | grep -E '\.([ch]|cpp)$')
scripts=$(echo "$files" | grep -E '\.(sh|py|mjs|cmake|cmake\.in)$|CMakeLists\.txt$|^Makefile$|^scripts/|^\.ci/')

complain "no SPDX header of two lines at the top" "$(for file in $code $scripts; do
    head -n 3 "$file" | tr '\n' ' ' |
        grep -q 'SPDX-FileCopyrightText: .* The sinew authors .*SPDX-License-Identifier: MIT' ||
        echo "  $file"
done)"
complain "left behind by a tool" "$(echo "$files" | grep -E '[.](orig|rej)$|~$')"
complain "more than 800 lines" "$(echo "$code" | xargs wc -l | awk '$2 != "total" && $1 > 800')"
# The brackets keep these patterns from finding themselves.
complain "paths that exist on one machine only" "$(echo "$files" | xargs grep -nIE \
    '(^|[^A-Za-z0-9_.$}-])/(wor[k]|tm[p]|hom[e]|roo[t])(/|[^A-Za-z0-9_/-]|$)')"
complain "unfinished marks" "$(echo "$files" | xargs grep -nIwE 'TO[D]O|FIX[M]E|#if [0]')"
complain "trailing white space" "$(echo "$code $scripts" | xargs grep -nE '[[:blank:]]+$')"

if command -v clang-format >/dev/null 2>&1; then
    complain "not formatted as by clang-format (make format)" \
        "$(echo "$code" | xargs clang-format --dry-run -Werror 2>&1 |
            grep -E '^[^ ]+:[0-9]+:[0-9]+: error' | sort -t: -k1,1 -u)"
elif [ $status -eq 0 ]; then
    echo "SKIPPED: formatting, as clang-format is not installed"
    status=77
fi
exit $status
