#!/usr/bin/env bash
# Drives the real window under a virtual display: it opens, runs, a key changes it, a screenshot is not
# blank, in Instant it comes to rest and takes no processor time, it closes when asked. Usage: tests/window.sh PROGRAM [FOLDER FOR SCREENSHOTS]
set -euo pipefail

program=$(realpath "$1")
shots=${2:-$(mktemp -d)}
mkdir -p "$shots"

fail() { echo "window: $1" >&2; exit 1; }

export LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY
# Settings of an earlier start must not decide what is tested.
scratch=$(mktemp -d)
export XDG_DATA_HOME=$scratch
# The server chooses a free display and says which.
mkfifo "$scratch/display"
Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp 3>"$scratch/display" 2>"$scratch/xvfb.log" &
server=$!
pid=""
clean() {
    for process in $pid $server; do kill "$process" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap clean EXIT
read -r -t 20 number <"$scratch/display" || fail "no virtual display: $(cat "$scratch/xvfb.log")"
export DISPLAY=:$number

"$program" &
pid=$!

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
differing() { { compare -metric AE "$shots/$1.png" "$shots/$2.png" null: 2>&1 || true; } | cut -d. -f1; }

sleep 2
shoot opened
[ "$(colours opened)" -gt 200 ] || fail "the window is blank: $(colours opened) colours"

xdotool windowfocus "$window" || true
shoot playing
[ "$(differing opened playing)" -gt 500 ] || fail "it does not run by itself"
xdotool key --window "$window" space
shoot paused
shoot still
[ "$(differing paused still)" -lt 500 ] || fail "space does not pause it"
xdotool key --window "$window" space
shoot again
[ "$(differing still again)" -gt 500 ] || fail "space does not go on"

# Ticks of processor time so far.
worked() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
xdotool key --window "$window" i
sleep 6
shoot instant
shoot rest
[ "$(differing again instant)" -gt 500 ] || fail "Instant shows no other picture"
[ "$(differing instant rest)" -lt 500 ] || fail "Instant does not come to rest"
before=$(worked)
sleep 3
[ $(($(worked) - before)) -le 3 ] || fail "a window at rest takes $(($(worked) - before)) ticks in 3 s"

kill -0 "$pid" 2>/dev/null || fail "the program ended by itself"
xdotool key --window "$window" ctrl+q
for _ in $(seq 50); do
    kill -0 "$pid" 2>/dev/null || { echo "window: opens, runs, pauses, computes at once, rests, closes"; exit 0; }
    sleep 0.1
done
fail "ctrl+q does not close it"
