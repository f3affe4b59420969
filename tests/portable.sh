#!/usr/bin/env bash
# Lessons and exact distributions on another machine: computes their digests as WebAssembly under Node, and those of the first few lessons
# and of all distributions on an emulated ARM processor where qemu is installed, and holds them against tests/data/golden_lessons.txt, bit
# by bit.
# Usage: tests/portable.sh [EVERY]: under Node all lessons, or the first of so many, and all distributions
set -euo pipefail
cd "$(dirname "$0")/.."
every=${1:-1}

folder=${CARGO_TARGET_DIR:-target}

# Lessons on the emulated processor, which is some twenty times as slow.
few=2

golden=tests/data/golden_lessons.txt

# Compares the digests in a file with the golden ones that are read from standard input.
compare() {
    diff - "$2" || {
        echo "$1: other bits than on the machine of the golden file" >&2
        exit 1
    }
    echo "$1: $(grep -c '^lesson ' "$2") lessons and $(grep -c '^exact ' "$2") distributions, the same bits"
}

rustup target add wasm32-unknown-unknown
# As the page for tests is built (xtask/src/web.rs), with which it shares the engine.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128"
cargo build --package digests --lib --profile web-quick --target wasm32-unknown-unknown
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
node tests/digests/run.mjs "$folder/wasm32-unknown-unknown/web-quick/digests.wasm" "$every" >"$lines"
awk "/^exact / || (NR - 1) % $every == 0" "$golden" | compare wasm32 "$lines"

if command -v qemu-aarch64 >/dev/null; then
    rustup target add aarch64-unknown-linux-musl
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld cargo build --package digests --release --bin digests --target aarch64-unknown-linux-musl
    qemu-aarch64 "$folder/aarch64-unknown-linux-musl/release/digests" "$few" >"$lines"
    awk "/^exact / || NR <= $few" "$golden" | compare aarch64 "$lines"
else
    echo "aarch64: not compared, qemu-aarch64 is not installed"
fi
