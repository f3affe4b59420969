#!/usr/bin/env bash
# Draws the figures of docs/gallery.md: `docs/gallery.sh target/release/sampler-lab`.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/gallery"

# Name of the figure, scenario, and options.
draw() {
    local name=$1 scenario=$2
    shift 2
    "$program" render "$scenario" --out "$name.png" --without title,caption,footer "$@"
}

draw schedules authors-code --view schedule --size 900x380
draw grid four-chains-or-one-schedule --size 1100x640
draw beta beta-posterior --size 1100x520
draw mixture welling-teh --view canvas --size 640x560 --draws density
draw path authors-code --view path --size 900x420
draw smoothing smoothed-gradients --view smoothing --size 1000x420
draw laplace fisher --size 1100x640
draw mean-field mean-field --size 1100x640
draw rates rates --view map --size 1000x420

# Of docs/samplers.md.
draw gibbs one-coordinate --size 1100x560
draw contour flat-energies --size 1000x560
