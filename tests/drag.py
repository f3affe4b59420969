#!/usr/bin/env python3
"""Drags a slider, or a handle on the curve of step sizes, in the real window in Instant and counts the finished pictures that
reach the screen.

The window runs under a virtual display whose pixels are in a file. A picture is counted when the canvas of the first
run has changed and then stays the same; the pointer is never over this canvas. Needs Xvfb, xdotool and a build:

    cargo build --release && tests/drag.py target/release/sampler-lab [SCENARIO] [--grip handle] [--seconds 5] [--least 20]
"""

import argparse
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib

WIDTH, HEIGHT = 1600, 1000
# Places in a window of this size: the two ends of the drag on the slider of the first run's step size, short of its own ends, where the
# draws would hardly change, and on the handle of its curve; and the canvas of this run.
GRIPS = {"slider": ((122, 437), (176, 437)), "handle": ((343, 850), (343, 815))}
CANVAS = (420, 170, 700, 670)
# Distance between the rows of the canvas that are compared.
ROWS = 12


def started(scratch):
    """Starts a virtual display and returns its process and its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command + ["-fbdir", scratch], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as answer:
        return server, f":{answer.readline().strip()}"


class Screen:
    """The pixels of the display, from the file in which Xvfb keeps them (an XWD dump)."""

    def __init__(self, scratch):
        with open(os.path.join(scratch, "Xvfb_screen0"), "rb") as file:
            self.pixels = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = struct.unpack(">25I", self.pixels[:100])
        self.start = header[0] + 12 * header[19]
        self.line = header[12]

    def sum(self, part):
        left, top, right, bottom = part
        total = 0
        for row in range(top, bottom, ROWS):
            begin = self.start + row * self.line + 4 * left
            total = zlib.crc32(self.pixels[begin : begin + 4 * (right - left)], total)
        return total


def xdotool(*arguments, **options):
    return subprocess.run(["xdotool", *map(str, arguments)], capture_output=True, text=True, **options).stdout.strip()


def wait(what, holds, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.05)
    sys.exit(f"drag: there is no {what} after {seconds} s")


def still(screen, seconds=0.7):
    """Waits until the screen has not changed for some time."""
    last, since = None, time.monotonic()
    while time.monotonic() - since < seconds:
        now = screen.sum((0, 0, WIDTH, HEIGHT))
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.05)


def drag(grip, seconds, interval):
    """The xdotool commands of a drag to and fro, one move per interval."""
    (x, y), (right, top) = GRIPS[grip]
    steps = int(seconds / interval)
    # One period takes two seconds; two moves in a row never have the same place.
    period = int(2 / interval)
    yield f"mousemove {x} {y} sleep 0.1 mousedown 1 sleep 0.1"
    for step in range(steps):
        phase = step % period / period
        share = 2 * phase if phase < 0.5 else 2 - 2 * phase
        yield f"mousemove {x + round(share * (right - x))} {y + round(share * (top - y))} sleep {interval}"
    yield "mouseup 1"


def counted(screen, dragging):
    """The times at which the canvas has changed and is the same in two looks in a row, during the drag."""
    last = shown = screen.sum(CANVAS)
    times = []
    while dragging.poll() is None:
        time.sleep(0.004)
        now = screen.sum(CANVAS)
        if now == last and now != shown:
            shown = now
            times.append(time.monotonic())
        last = now
    return times


def busy(process):
    """Processor time of a process since its start, in seconds."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scenario", nargs="?", default="authors-code")
    parser.add_argument("--grip", choices=GRIPS, default="slider")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--interval", type=float, default=0.008, help="time between two moves of the pointer")
    parser.add_argument("--least", type=float, default=0, help="fail below this number of pictures per second")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        server, display = started(scratch)
        # The measurement must not depend on settings of an earlier start.
        os.environ.update(DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1", XDG_DATA_HOME=scratch)
        os.environ.pop("WAYLAND_DISPLAY", None)
        program = subprocess.Popen([os.path.abspath(options.program), options.scenario])
        try:
            find = lambda: xdotool("search", "--onlyvisible", "--pid", program.pid).split("\n")[0]
            window = wait("window", find)
            screen = Screen(scratch)
            xdotool("windowmove", window, 0, 0, "windowsize", window, WIDTH, HEIGHT, "windowfocus", window)
            time.sleep(1)
            xdotool("key", "--window", window, "i")
            still(screen)
            words = " ".join(drag(options.grip, options.seconds, options.interval)).split()
            before = busy(program.pid)
            times = counted(screen, subprocess.Popen(["xdotool", *words]))
            work = busy(program.pid) - before
        finally:
            program.terminate()
            server.terminate()
            program.wait()
            server.wait()
    if len(times) < 3:
        sys.exit("drag: the canvas does not follow")
    gaps = sorted(after - before for before, after in zip(times, times[1:]))
    rate = (len(times) - 1) / (times[-1] - times[0])
    print(f"{rate:.1f} finished pictures per second over {times[-1] - times[0]:.1f} s; ", end="")
    print(f"gaps in ms: median {1e3 * gaps[len(gaps) // 2]:.0f}, longest {1e3 * gaps[-1]:.0f}; ", end="")
    print(f"{1e3 * work / len(times):.0f} ms of processor time each")
    if rate < options.least:
        sys.exit(f"drag: fewer than {options.least:g} per second")


main()
