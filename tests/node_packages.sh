# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# node_packages TESTS FOLDER: fetches the packages of package-lock.json with npm into FOLDER, once. If that
# fails, returns false and sets $reason.
node_packages() {
    command -v node >/dev/null && command -v npm >/dev/null || {
        reason="node and npm are not installed"
        return 1
    }
    mkdir -p "$2"
    cmp -s "$1/package-lock.json" "$2/package-lock.json" && [ -d "$2/node_modules" ] && return 0
    cp "$1/package.json" "$1/package-lock.json" "$2"
    (cd "$2" && timeout 120 npm ci --cache "$2/cache" --no-audit --no-fund --fetch-retries=1 \
        --fetch-timeout=30000) </dev/null >"$2/log" 2>&1 && return 0
    rm -f "$2/package-lock.json"
    reason="npm could not fetch packages: $(grep -m 1 'npm error' "$2/log")"
    return 1
}
