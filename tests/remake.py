"""Runs the scripts of `render --out figure.py` under Python, and reads the descriptions for Vega-Lite.

    pip install matplotlib vl-convert-python             # in an environment of its own
    python3 tests/remake.py target/debug/sampler-lab [--lessons a,b,c] [--keep FOLDER]

Of every lesson the default figure is made as PNG, as a script and as a description. Each script has to run and to write a picture of the
size of ours, in which the plots are where ours are: within every plot, the share of pixels that are not paper agrees to within a fifth of
the plot or a factor of three, and no colour of a run is missing. Without matplotlib the script says so and does nothing; without vl-convert
descriptions are only read as JSON.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.image as images
    import numpy as np
except ImportError:
    print("left out: there is no matplotlib here")
    sys.exit(0)

try:
    import vl_convert
except ImportError:
    print("left out: there is no vl-convert here; descriptions are read as JSON only")
    vl_convert = None

SIZE = (1200, 800)


def lessons(program):
    """The names of all lessons."""
    listed = subprocess.run([program, "list", "lessons"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^  ([a-z0-9]+(?:-[a-z0-9]+)*)  +\S", listed, re.MULTILINE)


def ink(picture, rect):
    """The share of pixels within a rectangle, as shares of a picture from its lower left corner, that are not paper."""
    left, bottom, width, height = rect
    high, wide = picture.shape[:2]
    rows = slice(int((1 - bottom - height) * high) + 2, int((1 - bottom) * high) - 2)
    part = picture[rows, int(left * wide) + 2 : int((left + width) * wide) - 2, :3]
    return float((np.abs(part - 1).max(axis=2) > 0.08).mean())


def compare(name, folder):
    """Runs the script of a lesson, and compares its picture with ours. Returns what is wrong."""
    script = folder / f"{name}.py"
    again = folder / f"{name}-python.png"
    run = subprocess.run([sys.executable, "-W", "error::UserWarning", script, again], capture_output=True, text=True)
    if run.returncode != 0:
        return [f"the script fails: {run.stderr.strip().splitlines()[-1]}"]
    ours, theirs = (images.imread(folder / file) for file in [f"{name}.png", again])
    wrong = []
    rects = re.findall(r"fig\.add_axes\(\[([^\]]*)\]", script.read_text())
    for number, rect in enumerate(rects, 1):
        rect = [float(share) for share in rect.split(",")]
        one, other = ink(ours, rect), ink(theirs, rect)
        if abs(one - other) > 0.2 and not 1 / 3 < (one + 0.01) / (other + 0.01) < 3:
            wrong.append(f"plot {number} has {other:.2f} of its pixels drawn, ours {one:.2f}")
    return wrong


def describe(name, folder):
    """Reads the description of a lesson, and draws it. Returns what is wrong, and the number of plots."""
    text = (folder / f"{name}.vl.json").read_text()
    whole = json.loads(text)
    plots = [plot for row in whole["vconcat"] for plot in row["hconcat"]]
    if vl_convert and plots:
        try:
            (folder / f"{name}-vega.png").write_bytes(vl_convert.vegalite_to_png(text, scale=1))
        except ValueError as error:
            return [f"Vega-Lite refuses the description: {error}"], len(plots)
    return [], len(plots)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--lessons", help="names with commas; all if left out")
    options.add_argument("--keep", help="a folder for the files")
    options = options.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    names = options.lessons.split(",") if options.lessons else lessons(program)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(exist_ok=True)
        for name in names:
            for ending in ["png", "py", "vl.json"]:
                out = folder / f"{name}.{ending}"
                size = f"{SIZE[0]}x{SIZE[1]}"
                subprocess.run([program, "render", name, "--size", size, "--out", out, "--force"], check=True)
            wrong, plots = describe(name, folder)
            wrong += compare(name, folder)
            failed += bool(wrong)
            print(f"{name}: {plots} plots{''.join('; ' + problem for problem in wrong)}", flush=True)
    print(f"{len(names)} lessons, {failed} with faults")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
