#!/usr/bin/env bash
# Lessons on another machine: computes their digests as WebAssembly under Node, and those of the first few on an emulated ARM
# processor where qemu is installed, and holds them against tests/data/golden_lessons.txt, bit by bit.
# Usage: tests/portable.sh [EVERY]: under Node all lessons, or the first of so many
set -euo pipefail
cd "$(dirname "$0")/digests"
every=${1:-1}

folder=${CARGO_TARGET_DIR:-../../target/digests}
export CARGO_TARGET_DIR=$folder

# Lessons on the emulated processor, which is some twenty times as slow.
few=2

# Compares the digests in a file with the golden ones that are read from standard input.
compare() {
    diff - "$2" || {
        echo "$1: other bits than on the machine of the golden file" >&2
        exit 1
    }
    echo "$1: $(wc -l <"$2") lessons, the same bits"
}

rustup target add wasm32-unknown-unknown
# As the page is built (xtask/src/web.rs).
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128"
cargo build --release --lib --target wasm32-unknown-unknown
node run.mjs "$folder/wasm32-unknown-unknown/release/digests.wasm" "$every" >"$folder/wasm32.txt"
awk "(NR - 1) % $every == 0" ../data/golden_lessons.txt | compare wasm32 "$folder/wasm32.txt"

if command -v qemu-aarch64 >/dev/null; then
    rustup target add aarch64-unknown-linux-musl
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld cargo build --release --bin digests --target aarch64-unknown-linux-musl
    qemu-aarch64 "$folder/aarch64-unknown-linux-musl/release/digests" "$few" >"$folder/aarch64.txt"
    head -n "$few" ../data/golden_lessons.txt | compare aarch64 "$folder/aarch64.txt"
else
    echo "aarch64: not compared, qemu-aarch64 is not installed"
fi
