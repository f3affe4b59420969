#!/usr/bin/env bash
# Test of the page in Chromium: builds it, serves it, and does what people do there (page.mjs). Pictures of it are in target/page-test.
# Installs what it needs.
# Usage: tests/page.sh PROGRAM
set -euo pipefail

# The version of playwright-core, which drives the browser.
version=1.65.1

program=$(realpath "$1")
cd "$(dirname "$0")/.."

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v curl >/dev/null || missing+=(curl ca-certificates)
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
driver=$folder/node_modules/playwright-core
mkdir -p "$driver"
curl --silent --show-error --fail --retry 3 "https://registry.npmjs.org/playwright-core/-/playwright-core-$version.tgz" |
    tar --extract --gzip --strip-components 1 --directory "$driver"

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
