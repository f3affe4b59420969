#!/bin/sh
# Regressions and hierarchies against packs of references: truth, and with --nuts the draws of NUTS as well.
#
#   tests/regressions.sh PROGRAM FOLDER [--nuts] [NAME …]
#
# Without a folder of packs there is nothing to compare, which is told.
set -eu
program=${1:?the program}
folder=${2:?a folder of packs}
shift 2
if [ ! -d "$folder" ]; then
    echo "no packs of references in $folder"
    exit 0
fi
exec python3 "$(dirname "$0")/regressions.py" "$program" "$folder" "$@"
