#!/usr/bin/env bash
# Test of the real window under a virtual display: it opens, is not blank, runs, pauses and continues on the space key,
# becomes idle in Instant mode without using processor time, and closes on ctrl+q; while it computes, closing and SIGTERM end
# it within a second. After kill -9, SIGTERM and closing the next start shows the same scenario at the same step.
# Usage: tests/window.sh PROGRAM [FOLDER FOR SCREENSHOTS]
set -euo pipefail

program=$(realpath "$1")
shots=${2:-$(mktemp -d)}
mkdir -p "$shots"

fail() { echo "window: $1" >&2; exit 1; }

export LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY
# The test must not depend on settings of an earlier start.
scratch=$(mktemp -d)
export XDG_DATA_HOME=$scratch
# The server chooses a free display and writes its number.
mkfifo "$scratch/display"
Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp -noreset 3>"$scratch/display" 2>"$scratch/xvfb.log" &
server=$!
pid=""
clean() {
    for process in $pid $server; do kill "$process" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap clean EXIT
read -r -t 20 number <"$scratch/display" || fail "no virtual display: $(cat "$scratch/xvfb.log")"
export DISPLAY=:$number

# Starts the program and waits for its window, for as many seconds as the first argument says.
open_window() {
    local seconds=$1
    shift
    "$program" "$@" &
    pid=$!
    window=""
    for _ in $(seq $((10 * seconds))); do
        kill -0 "$pid" 2>/dev/null || fail "the program has ended"
        window=$(xdotool search --onlyvisible --pid "$pid" 2>/dev/null | head -n 1) && [ -n "$window" ] && break
        sleep 0.1
    done
    [ -n "$window" ] || fail "no window after $seconds seconds"
}

open_window 10 authors-code

shoot() { sleep 0.7; import -window "$window" "$shots/$1.png"; }
colours() { identify -format '%k' "$shots/$1.png"; }
# Pixels that differ between two screenshots.
differing() { { compare -metric AE "$shots/$1.png" "$shots/$2.png" null: 2>&1 || true; } | cut -d. -f1; }

sleep 2
shoot opened
[ "$(colours opened)" -gt 200 ] || fail "the window is blank: $(colours opened) colours"

xdotool windowfocus "$window" || true
shoot playing
[ "$(differing opened playing)" -gt 500 ] || fail "it does not run after the start"
xdotool key --window "$window" space
# Noise floors are completed for a few seconds after the pause.
for _ in $(seq 5); do
    shoot paused
    shoot still
    [ "$(differing paused still)" -lt 500 ] && break
done
[ "$(differing paused still)" -lt 500 ] || fail "space does not pause it"
xdotool key --window "$window" space
# Without a graphics card a picture may take a second.
for _ in $(seq 5); do
    shoot again
    [ "$(differing still again)" -gt 500 ] && break
done
[ "$(differing still again)" -gt 500 ] || fail "space does not continue"

# Ticks of processor time since the start.
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
xdotool key --window "$window" i
sleep 6
shoot instant
shoot idle
[ "$(differing again instant)" -gt 500 ] || fail "Instant does not change the picture"
[ "$(differing instant idle)" -lt 500 ] || fail "Instant does not become idle"
before=$(ticks)
sleep 3
[ $(($(ticks) - before)) -le 3 ] || fail "an idle window takes $(($(ticks) - before)) ticks in 3 s"

# Waits until the program has ended, and says in how many milliseconds; at most five seconds.
since() {
    local before=$1
    for _ in $(seq 250); do
        kill -0 "$pid" 2>/dev/null || { echo $((($(date +%s%N) - before) / 1000000)); return; }
        sleep 0.02
    done
    fail "$2 does not end it"
}

kill -0 "$pid" 2>/dev/null || fail "the program has ended"
before=$(date +%s%N)
xdotool key --window "$window" ctrl+q
idle=$(since "$before" ctrl+q)
[ -s "$XDG_DATA_HOME/sampler-lab/app.ron" ] || fail "preferences are not saved"

# Threads that compute, with chunks of work as long as they get, must not keep a closed window.
cat >"$scratch/heavy.toml" <<'SCENARIO'
format = 1
title = "Heavy"
seed = 1
[target]
kind = "bivariate-mixture"
[[run]]
name = "HMC"
method = "hmc"
chains = 4096
steps = 1000000
leapfrog_steps = 100
SCENARIO

sessions=$XDG_DATA_HOME/sampler-lab
# An entry of the session of the present process.
session() { sed -n "s/^ *\"$1\": \(.*\),\$/\1/p" "$sessions/session-$pid.json" 2>/dev/null | head -n 1; }
# The scenario of the session and its step, once the file does not change any more.
rested() {
    local before="" now
    for _ in $(seq 100); do
        now=$(session step; session scenario)
        [ -n "$now" ] && [ "$now" = "$before" ] && { echo "$now"; return; }
        before=$now
        sleep 1
    done
    fail "the session is not kept, or changes all the time"
}

open_window 10 authors-code
sleep 3
xdotool windowfocus "$window" || true
# Another seed makes it unsaved work.
xdotool key --window "$window" shift+n
sleep 3
xdotool key --window "$window" space
sleep 2
left=$(rested)
[ "$(session step)" -gt 0 ] || fail "the session is kept at step 0 after playing"
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
open_window 10
again=$(rested)
[ "$again" = "$left" ] || fail "after kill -9 the session is another one"
[ "$(find "$sessions" -name 'session-*.json' | wc -l)" -eq 1 ] || fail "the session of the killed process is still there"
case $(xdotool getwindowname "$window") in "• "*) ;; *) fail "after kill -9 the changes do not count as unsaved" ;; esac
shoot restored
kill -TERM "$pid"
wait "$pid" 2>/dev/null || true
open_window 10
[ "$(rested)" = "$left" ] || fail "after SIGTERM the session is another one"
xdotool windowfocus "$window" || true
xdotool key --window "$window" ctrl+q
since "$(date +%s%N)" "closing unsaved work without a file" >/dev/null
open_window 10
[ "$(rested)" = "$left" ] || fail "after closing the session is another one"
kill -TERM "$pid"
wait "$pid" 2>/dev/null || true

open_heavy() {
    open_window 20 "$scratch/heavy.toml"
    sleep 3
    xdotool windowfocus "$window" || true
}

open_heavy
# What is changed last is saved only at the end.
preferences=$XDG_DATA_HOME/sampler-lab/app.ron
grep -q 'left:None' "$preferences" || fail "a panel is folded"
xdotool key --window "$window" F2
before=$(date +%s%N)
xdotool key --window "$window" ctrl+q
closed=$(since "$before" ctrl+q)
wait "$pid" || fail "a closed window is no failure"
grep -q 'left:Some' "$preferences" || fail "preferences are not saved while it computes"
[ "$closed" -lt 1000 ] || fail "a window that computes closes in $closed ms"

open_heavy
before=$(date +%s%N)
kill -TERM "$pid"
ended=$(since "$before" SIGTERM)
status=0
wait "$pid" || status=$?
[ "$status" -eq 143 ] || fail "SIGTERM gives status $status"
[ "$ended" -lt 1000 ] || fail "SIGTERM ends a window that computes in $ended ms"

echo "window: opens, runs, pauses, computes in Instant, is idle, closes in $idle ms, while it computes in $closed ms," \
    "on SIGTERM in $ended ms; restores its session"
