#!/usr/bin/env bash
# Figures in other programs: the SVG in Chromium and the PDF in Poppler look like our PNG, and their texts are found. Installs nothing;
# a program that is not there is left out and named. Takes the program as its argument.
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Largest root mean square of the differences of all pixels, as a share of the whole range, after a blur of 1.5 pixels: programs place edges
# of text and hairlines differently within a pixel. A title that is missing is 0.036.
blur=0x1.5
most=0.03

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
poppler=$(command -v pdftoppm || true)
[ -n "$chromium" ] || echo "left out: there is no Chromium here" >&2
[ -n "$poppler" ] || echo "left out: there is no Poppler here" >&2

# Compares a picture with our PNG.
alike() {
    local value
    convert "$1" -blur "$blur" blurred-1.png
    convert "$2" -blur "$blur" blurred-2.png
    value=$(compare -metric RMSE blurred-1.png blurred-2.png null: 2>&1 | sed 's/.*(\(.*\))/\1/') || true
    echo "$2: $value"
    awk -v value="$value" -v most="$most" 'BEGIN { exit !(value + 0 < most && value != "") }' ||
        { echo "$2 differs from $1 by $value, more than $most" >&2; exit 1; }
}

for lesson in authors-code beta-posterior gap-bands equal-cost; do
    themes=light
    [ "$lesson" = authors-code ] && themes="light dark"
    for theme in $themes; do
        name="$lesson-$theme"
        for format in png svg pdf; do
            "$program" render "$lesson" --size 1200x800 --theme "$theme" --out "$name.$format"
        done
        if [ -n "$chromium" ]; then
            timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
                --window-size=1200,800 --screenshot="$folder/$name-chromium.png" "file://$folder/$name.svg" >chromium.log 2>&1 || true
            if [ -e "$name-chromium.png" ]; then
                alike "$name.png" "$name-chromium.png"
            else
                echo "left out: Chromium takes no pictures here: $(tail -n 1 chromium.log)" >&2
                chromium=""
            fi
        fi
        if [ -n "$poppler" ]; then
            pdftoppm -r 96 -png -singlefile "$name.pdf" "$name-poppler"
            alike "$name.png" "$name-poppler.png"
            pdftotext "$name.pdf" - | grep -q "seed 42" || { echo "no text in $name.pdf" >&2; exit 1; }
        fi
        grep -q "seed 42" "$name.svg" || { echo "no text in $name.svg" >&2; exit 1; }
    done
done

# A figure that moves: Chromium finds all of its pictures; `FRAMES=300 tests/figures.sh …` makes a longer one.
frames=${FRAMES:-60}
if [ -n "$chromium" ]; then
    "$program" render beta-posterior --view canvas --size 800x600 --frames "$frames" --fps 30 --out moving.gif
    cat >moving.html <<END
<p id="found"></p>
<script>
(async () => {
    const bytes = Uint8Array.from(atob("$(base64 -w 0 moving.gif)"), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount } = decoder.tracks.selectedTrack;
    const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
    document.getElementById("found").textContent = [image.displayWidth, image.displayHeight, frameCount].join(" ");
})();
</script>
END
    found=$(timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=60000 \
        --dump-dom "file://$folder/moving.html" 2>chromium.log | sed -n 's/.*id="found">\([^<]*\)<.*/\1/p')
    echo "moving.gif, width, height and pictures: $found"
    [ "$found" = "800 600 $frames" ] || { echo "Chromium does not find the pictures of the GIF" >&2; exit 1; }
fi
