#!/bin/sh
# Regressions and hierarchies against packs of references: truth, and with --nuts the draws of NUTS as well.
#
#   tests/regressions.sh PROGRAM [FOLDER] [--nuts] [NAME …]
#
# Without a folder of packs, whose path has a slash, those of tests/data/posteriors are taken.
set -eu
here=$(dirname "$0")
program=${1:?the program}
shift
folder=$here/data/posteriors
case "${1:-}" in
    */*)
        folder=$1
        shift
        ;;
esac
if [ ! -d "$folder" ]; then
    echo "there is no folder $folder" >&2
    exit 1
fi
exec python3 "$here/regressions.py" "$program" "$folder" "$@"
