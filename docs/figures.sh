#!/usr/bin/env bash
# Makes the pictures of docs/figures.md: `docs/figures.sh target/release/sampler-lab`. For PGF it needs pdflatex, for Typst and matplotlib a
# Python with typst, matplotlib and tueplots (PYTHON names it), for pictures of PDF files pdftoppm, and ImageMagick; what is missing is left out
# and named.
set -euo pipefail
program=$(realpath "$1")
python=${PYTHON:-python3}
tests=$(realpath "$(dirname "$0")/../tests")
cd "$(dirname "$0")/figures"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Name and size. The wide figure has the same panels.
render() { "$program" render two-runs.toml --out "$scratch/$1" "${@:2}" --force; }
# A picture of a PDF, at 150 pixels an inch or others.
picture() { pdftoppm -r "${2:-150}" -png -singlefile "$scratch/$1.pdf" "$1"; }

for format in pdf svg pgf typ png py vl.json; do
    render "column.$format" --mm 85x80 --dpi 150
    render "page.$format" --mm 180x84 --dpi 150
done
"$program" render two-runs.toml --out "$scratch/column.pdf" --mm 85x80 --caption --force
cp "$scratch/column.pdf.caption.txt" caption.txt
# All venues at one scale, the largest as wide as a page on a screen.
for preset in icml icml-wide neurips iclr aistats aistats-wide jmlr tmlr jasa springer springer-wide ieee ieee-wide a4 beamer beamer-half poster-a0; do
    panels=""
    # A slide is wide and low.
    [ "$preset" != beamer ] || panels='canvas SGLD | canvas cSGLD | 1.4: schedule'
    [ "$preset" != beamer-half ] || panels='canvas cSGLD'
    sed "s/^panels = .*/panels = \"$panels\"/" two-runs.toml >"$scratch/slide.toml"
    [ -n "$panels" ] || cp two-runs.toml "$scratch/slide.toml"
    "$program" render "$scratch/slide.toml" --out "$scratch/$preset.pdf" --preset "$preset" --force
    picture "$preset" 84
done
for size in column page; do
    picture "$size" && mv "$size.png" "$size-pdf.png"
    cp "$scratch/$size.png" "$size-png.png"
    if command -v inkscape >/dev/null; then
        inkscape --export-type=png --export-dpi=150 --export-filename="$size-svg.png" "$scratch/$size.svg" 2>/dev/null
    else
        echo "left out: there is no Inkscape here" >&2
    fi
    if command -v pdflatex >/dev/null; then
        [ "$size" = column ] && paper='paperwidth=85mm,paperheight=80mm' || paper='paperwidth=180mm,paperheight=84mm'
        printf '%s\n' '\documentclass{article}' "\\usepackage[$paper,margin=0mm]{geometry}" '\usepackage[T1]{fontenc}' \
            '\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}' '\usepackage{amssymb,pgf}' '\pagestyle{empty}\parindent=0pt' '\topskip=0pt' \
            '\begin{document}' "\\hbox to 0pt{\\vbox to 0pt{\\input{$size.pgf}\\vss}\\hss}" '\end{document}' >"$scratch/$size-pgf.tex"
        (cd "$scratch" && pdflatex -interaction=nonstopmode -halt-on-error "$size-pgf.tex" >/dev/null)
        picture "$size-pgf"
    else
        echo "left out: there is no pdflatex here" >&2
    fi
    if "$python" -c "import typst" 2>/dev/null; then
        printf '#set page(width: auto, height: auto, margin: 0pt)\n#include "%s.typ"\n' "$size" >"$scratch/$size-typst.typ"
        "$python" -c 'import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])' "$scratch/$size-typst.typ" "$scratch/$size-typst.pdf"
        picture "$size-typst"
    else
        echo "left out: there is no package typst for $python" >&2
    fi
    if "$python" -c "import matplotlib" 2>/dev/null; then
        "$python" "$scratch/$size.py" "$scratch/$size-python.pdf"
        picture "$size-python"
    else
        echo "left out: there is no matplotlib for $python" >&2
    fi
    if "$python" -c "import vl_convert" 2>/dev/null; then
        "$python" -c 'import sys, vl_convert; open(sys.argv[2], "wb").write(vl_convert.vegalite_to_png(open(sys.argv[1]).read(), scale=1.5))' \
            "$scratch/$size.vl.json" "$size-vega.png"
    fi
done
if "$python" -c "import tueplots" 2>/dev/null; then
    "$program" run two-runs.toml --out "$scratch/data" --data --draws csv --quiet
    "$python" "$tests/data/tueplots_figure.py" "$scratch/data" "$scratch/column-tueplots.pdf"
    picture column-tueplots
else
    echo "left out: there is no tueplots for $python" >&2
fi
for file in *.png; do
    convert "$file" -colors 128 "png8:$file"
done
