#!/usr/bin/env bash
# Fuzzing: looks for files that make a reader panic, hang or take too much memory. It starts from the files that the program has, which
# a program that is built already draws. Needs a nightly compiler and cargo-fuzz, and installs them.
# Usage: tests/fuzz.sh PROGRAM [SECONDS OF EACH TARGET]
set -euo pipefail
program=$(realpath "$1")
seconds=${2:-60}
cd "$(dirname "$0")/.."

rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz

rm -rf fuzz/corpus
mkdir -p fuzz/corpus/{scenario,csv,png,svg,pdf,gif,formula}
cp assets/lessons/*.toml fuzz/corpus/scenario
sed -n 's/^density = "\(.*\)"$/\1/p' assets/lessons/*.toml | split -l 1 - fuzz/corpus/formula/lesson-
find assets tests/data -name '*.csv' -exec cp {} fuzz/corpus/csv \;
find docs assets -name '*.png' -size -200k -exec cp {} fuzz/corpus/png \;
for format in svg pdf gif; do
    "$program" render beta-posterior --size 300x200 --frames 2 --out "fuzz/corpus/$format/beta.$format"
done
for target in scenario csv png svg pdf gif formula; do
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536
done
