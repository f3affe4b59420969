#!/usr/bin/env bash
# Test of the page in Chromium: builds it, serves it, and does what people do there (page.mjs). Pictures of it are in target/page-test.
# Installs what it needs.
# Usage: tests/page.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."

needed=(chromium nodejs npm)
missing=()
for package in "${needed[@]}"; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update -q
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

cargo run --quiet --package xtask -- web --quick

folder=${CARGO_TARGET_DIR:-target}/page-test
mkdir -p "$folder"
folder=$(realpath "$folder")
# A module is looked for beside the file that names it.
cp tests/page.mjs "$folder"
(cd "$folder" && npm install --silent --no-audit --no-fund --no-save playwright-core@1)

"$program" serve --port 0 --page "${CARGO_TARGET_DIR:-target}/web" >"$folder/serve.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
address=""
for _ in $(seq 100); do
    address=$(grep --only-matching --max-count 1 'http://127[^ ]*[0-9]' "$folder/serve.log" || true)
    [ -n "$address" ] && break
    sleep 0.1
done
[ -n "$address" ] || { cat "$folder/serve.log" >&2; exit 1; }
node "$folder/page.mjs" "$address" "$folder" "$program"
