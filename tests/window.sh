#!/usr/bin/env bash
# Drives the real window under a virtual display: it opens, runs, a key changes it, a screenshot is not
# blank, it closes when asked. Usage: tests/window.sh PROGRAM [FOLDER FOR SCREENSHOTS]
set -euo pipefail

program=$(realpath "$1")
shots=${2:-$(mktemp -d)}
mkdir -p "$shots"

fail() { echo "window: $1" >&2; exit 1; }

if [ "${INSIDE_XVFB:-}" != yes ]; then
    export INSIDE_XVFB=yes LIBGL_ALWAYS_SOFTWARE=1
    unset WAYLAND_DISPLAY
    # Settings of an earlier start must not decide what is tested.
    XDG_DATA_HOME=$(mktemp -d)
    export XDG_DATA_HOME
    exec xvfb-run --auto-servernum --server-args='-screen 0 1440x900x24' bash "$0" "$program" "$shots"
fi

"$program" &
pid=$!
trap 'kill "$pid" 2>/dev/null || true' EXIT

window=""
for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || fail "the program ended by itself"
    window=$(xdotool search --onlyvisible --pid "$pid" 2>/dev/null | head -n 1) && [ -n "$window" ] && break
    sleep 0.1
done
[ -n "$window" ] || fail "no window after 10 seconds"

shoot() { sleep 0.7; import -window "$window" "$shots/$1.png"; }
colours() { identify -format '%k' "$shots/$1.png"; }
# Pixels that differ between two screenshots.
differing() { compare -metric AE "$shots/$1.png" "$shots/$2.png" null: 2>&1 || true; }

sleep 2
shoot opened
[ "$(colours opened)" -gt 200 ] || fail "the window is blank: $(colours opened) colours"

xdotool windowfocus "$window" || true
# To the beginning: the clouds are gone, the picture is another.
xdotool key --window "$window" Home
shoot start
xdotool key --window "$window" space
sleep 1.5
xdotool key --window "$window" space
shoot played
[ "$(differing start played | cut -d. -f1)" -gt 500 ] || fail "space does not make it run"
shoot still
[ "$(differing played still | cut -d. -f1)" -lt 500 ] || fail "space does not pause it"

kill -0 "$pid" 2>/dev/null || fail "the program ended by itself"
xdotool key --window "$window" ctrl+q
for _ in $(seq 50); do
    kill -0 "$pid" 2>/dev/null || { echo "window: opens, runs, pauses, closes"; exit 0; }
    sleep 0.1
done
fail "ctrl+q does not close it"
