#!/usr/bin/env bash
# Figures in documents: PGF in LaTeX and Typst in Typst compile and look like our PNG; Inkscape opens the SVG and finds its groups and texts; the
# alternative text of SVG, PDF and PNG is printed, as screen readers get it. Installs nothing; a program that is not there is left out and named.
# Takes the program as its argument, and a folder to keep the files in if it is to. LESSONS names the lessons.
set -euo pipefail
program=$(realpath "$1")
folder=${2:-$(mktemp -d)}
[ -n "${2:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"
folder=$(realpath "$folder")
here=$(realpath "$(dirname "$0")")
cd "$folder"

# As in figures.sh, with a wider blur: the letters are those of the document.
blur=0x3
most=0.06

missing() { echo "left out: there is no $1 here" >&2; }
latex=$(command -v pdflatex || true)
typst=$(command -v typst || true)
inkscape=$(command -v inkscape || true)
poppler=$(command -v pdftoppm || true)
[ -n "$latex" ] || missing LaTeX
[ -n "$typst" ] || python3 -c "import typst" 2>/dev/null || missing Typst
[ -n "$inkscape" ] || missing Inkscape
[ -n "$poppler" ] || missing Poppler

alike() {
    local value
    convert "$1" -background white -alpha remove -blur "$blur" blurred-1.png
    convert "$2" -background white -alpha remove -resize "$(identify -format '%wx%h!' "$1")" -blur "$blur" blurred-2.png
    value=$(compare -metric RMSE blurred-1.png blurred-2.png null: 2>&1 | sed 's/.*(\(.*\))/\1/') || true
    echo "$2: $value"
    awk -v value="$value" -v most="$most" 'BEGIN { exit !(value + 0 < most && value != "") }' ||
        { echo "$2 differs from $1 by $value, more than $most" >&2; exit 1; }
}

compile_typst() {
    if [ -n "$typst" ]; then
        "$typst" compile "$1" "$2"
    else
        python3 -c 'import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])' "$1" "$2"
    fi
}

for lesson in ${LESSONS:-authors-code beta-posterior gap-bands equal-cost}; do
    for format in png svg pdf pgf typ; do
        "$program" render "$lesson" --mm 180x120 --dpi 200 --out "$lesson.$format" --force
    done
    if [ -n "$latex" ] && [ -n "$poppler" ]; then
        cat >"$lesson-latex.tex" <<END
\\documentclass{article}
\\usepackage[paperwidth=180mm,paperheight=120mm,margin=0mm]{geometry}
\\usepackage[T1]{fontenc}
\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}
\\usepackage{amssymb,pgf}
\\pagestyle{empty}\\parindent=0pt
\\topskip=0pt
\\begin{document}
% The page is as large as the figure, to within rounding.
\\hbox to 0pt{\\vbox to 0pt{\\input{$lesson.pgf}\\vss}\\hss}
\\end{document}
END
        pdflatex -interaction=nonstopmode -halt-on-error "$lesson-latex.tex" >latex.log 2>&1 || { tail -n 20 latex.log >&2; exit 1; }
        pdftoppm -r 200 -png -singlefile "$lesson-latex.pdf" "$lesson-latex"
        alike "$lesson.png" "$lesson-latex.png"
    fi
    if { [ -n "$typst" ] || python3 -c "import typst" 2>/dev/null; } && [ -n "$poppler" ]; then
        printf '#set page(width: 180mm, height: 120mm, margin: 0mm)\n#include "%s.typ"\n' "$lesson" >"$lesson-typst.typ"
        compile_typst "$lesson-typst.typ" "$lesson-typst.pdf"
        pdftoppm -r 200 -png -singlefile "$lesson-typst.pdf" "$lesson-typst"
        alike "$lesson.png" "$lesson-typst.png"
    fi
    if [ -n "$inkscape" ]; then
        groups=$(inkscape --query-all "$lesson.svg" 2>/dev/null | grep -cE '^(canvas|schedule|readout|trace|head)' || true)
        texts=$(inkscape --query-all "$lesson.svg" 2>/dev/null | grep -c '^text' || true)
        echo "$lesson.svg in Inkscape: $groups named groups, $texts texts"
        [ "$groups" -gt 1 ] && [ "$texts" -gt 5 ] || { echo "Inkscape does not find groups and texts in $lesson.svg" >&2; exit 1; }
        inkscape --export-type=png --export-dpi=200 --export-filename="$lesson-inkscape.png" "$lesson.svg" 2>/dev/null
        alike "$lesson.png" "$lesson-inkscape.png"
    fi
    python3 "$here/spoken.py" "$lesson.svg" "$lesson.pdf" "$lesson.png"
done
