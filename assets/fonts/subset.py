"""Makes the font files in this folder from the upstream ones.

    python subset.py INTER_FOLDER DEJAVU_FOLDER NOTO_FOLDER NOTO_CJK_COLLECTION TEX_GYRE_FOLDER

Needs fonttools. Inter gets tabular digits in place of its proportional ones, so that running
numbers do not jitter, and more space between the bars of ‖, which are one grey bar on a screen
otherwise; nothing else about the glyphs is changed.
"""

import subprocess
import sys
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

LATIN = "U+0020-007E,U+00A0-017F,U+0300-0304,U+0308,U+2009,U+200A,U+2010-2017,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032,U+2033"
GREEK = "U+0370-03FF"
SCRIPTS = "U+2070-209C,U+1D62-1D6A,U+1D40,U+1D52,U+1D57,U+1D48,U+2C7C"
SYMBOLS = "U+20AC,U+2113,U+211D,U+2190-21FF,U+2200-22FF,U+2308-230B,U+2460-2473,U+25A0-25FF"
PICTURES = "U+2600-2606,U+2610-2612,U+2630,U+2699,U+263E,U+26A0,U+2713-2718,U+271A,U+270E,U+2726,U+27E8-27E9,U+27F0-27FF,U+22EE-22EF,U+2713"

LETTERS = "U+0180-024F,U+0400-052F,U+1E00-1EFF,U+2116"

TRANSPORT = "U+23E9-23FA,U+25B6,U+25C0,U+2715,U+1F50D,U+1F5AB,U+1F4C2,U+1F5C0,U+1F5BC"


def tabular(font):
    digits = {font.getBestCmap()[ord(digit)] for digit in "0123456789"}
    gsub = font["GSUB"].table
    swap = {}
    for record in gsub.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[index].SubTable:
                table = getattr(table, "ExtSubTable", table)
                swap.update({old: new for old, new in table.mapping.items() if old in digits})
    assert len(swap) == 10, swap
    for table in font["cmap"].tables:
        for code, name in table.cmap.items():
            table.cmap[code] = swap.get(name, name) if code < 128 else name


def subset(source, target, unicodes, tabular_digits):
    font = TTFont(source)
    if tabular_digits:
        tabular(font)
    font.save(target)
    command = ["pyftsubset", target, f"--unicodes={unicodes}", "--layout-features=kern,mark,mkmk,ccmp"]
    subprocess.run([*command, "--no-hinting", "--desubroutinize", f"--output-file={target}"], check=True)


def with_space_between_bars(target):
    """Moves the bars of ‖ apart: two pixels and more at the size of text, where letters are thirteen pixels high."""
    apart = 0.175
    font = TTFont(target)
    name, glyphs = font.getBestCmap()[0x2016], font.getGlyphSet()
    top, em = font["CFF "].cff.topDictIndex[0], font["head"].unitsPerEm
    drawn = RecordingPen()
    glyphs[name].draw(drawn)
    corners = [point for _, points in drawn.value for point in points]
    xs = sorted({x for x, _ in corners})
    bottom, height = min(y for _, y in corners), max(y for _, y in corners)
    left, right, second, _ = xs
    shift = round(apart * em) - (second - right)
    width = font["hmtx"][name][0] + shift
    pen = T2CharStringPen(width, glyphs)
    for from_x in [left, second + shift]:
        to_x = from_x + right - left
        pen.moveTo((from_x, bottom))
        for corner in [(to_x, bottom), (to_x, height), (from_x, height)]:
            pen.lineTo(corner)
        pen.closePath()
    made = pen.getCharString(private=top.Private, globalSubrs=font["CFF "].cff.GlobalSubrs)
    top.CharStrings[name] = made
    font["hmtx"][name] = (width, left)
    font.save(target)


# Raised and lowered characters that TeX Gyre has only as features or not at all, and what they are made of.
RAISED = dict(zip("⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0456789+−n"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥᵦᵧᵨᵩᵪ", "0123456789+−aeoxhklmnpstijruvβγρφχ"))


def with_scripts(target):
    """Adds raised and lowered characters that a font lacks: its own ones, smaller, 0.29 em higher, as its own ², or 0.15 em lower."""
    size, up, down = 0.6, 0.29, -0.15
    font = TTFont(target)
    known, glyphs = font.getBestCmap(), font.getGlyphSet()
    table = font["CFF "].cff
    top, em = table.topDictIndex[0], font["head"].unitsPerEm
    order = font.getGlyphOrder()
    for shift, scripts in [(up, RAISED), (down, LOWERED)]:
        for script, letter in scripts.items():
            if ord(script) in known or ord(letter) not in known:
                continue
            source, name = known[ord(letter)], f"uni{ord(script):04X}"
            width = round(size * font["hmtx"][source][0])
            pen = T2CharStringPen(width, glyphs)
            glyphs[source].draw(TransformPen(pen, (size, 0, 0, size, 0, shift * em)))
            made = pen.getCharString(private=top.Private, globalSubrs=table.GlobalSubrs)
            top.CharStrings.charStringsIndex.append(made)
            top.CharStrings.charStrings[name] = len(top.CharStrings.charStringsIndex) - 1
            top.charset.append(name)
            bounds = BoundsPen(glyphs)
            glyphs[source].draw(TransformPen(bounds, (size, 0, 0, size, 0, 0)))
            font["hmtx"][name] = (width, round(bounds.bounds[0]))
            order = [*order, name]
            for part in font["cmap"].tables:
                if part.isUnicode():
                    part.cmap[ord(script)] = name
    order = list(dict.fromkeys(order))
    font.setGlyphOrder(order)
    font["maxp"].numGlyphs = len(order)
    font.save(target)


def in_ks_x_1001(syllable):
    """Whether the Korean standard has a code of two bytes for a syllable; Python spells the others out."""
    return len(chr(syllable).encode("euc_kr")) == 2


def east_asian(collection, target):
    """The font of the collection with Korean forms; its glyphs share subroutines, which stay."""
    codes = [*range(0x3000, 0x3100), *range(0x3131, 0x318F), *range(0xFF01, 0xFF5F)]
    codes += filter(in_ks_x_1001, range(0xAC00, 0xD7A4))
    codes += map(ord, Path("han.txt").read_text(encoding="utf-8").strip())
    drop = "--drop-tables+=BASE,GSUB,GPOS,GDEF,VORG,vhea,vmtx,DSIG"
    listed = ",".join(f"U+{code:04X}" for code in codes)
    command = ["pyftsubset", collection, "--font-number=1", f"--unicodes={listed}", "--no-hinting", drop]
    subprocess.run([*command, "--layout-features=", "--notdef-outline", f"--output-file={target}"], check=True)


inter, dejavu, noto, noto_cjk, tex_gyre = map(Path, sys.argv[1:])
text = ",".join([LATIN, GREEK, SCRIPTS, SYMBOLS])
subset(inter / "Inter-Regular.otf", "Inter-Regular.otf", text, True)
subset(inter / "Inter-SemiBold.otf", "Inter-SemiBold.otf", text, True)
for weight in ["Regular", "SemiBold"]:
    with_space_between_bars(f"Inter-{weight}.otf")
subset(dejavu / "DejaVuSans.ttf", "DejaVuSans.ttf", ",".join(["U+2016", SCRIPTS, SYMBOLS, PICTURES]), False)
subset(dejavu / "DejaVuSansMono.ttf", "DejaVuSansMono.ttf", text, False)
subset(noto / "NotoSansSymbols2-Regular.ttf", "NotoSansSymbols2.ttf", TRANSPORT, False)
subset(noto / "NotoSans-Regular.ttf", "NotoSans.ttf", LETTERS, False)
east_asian(noto_cjk, "NotoSansCJK.otf")
for family in ["Termes", "Heros"]:
    for weight in ["Regular", "Bold"]:
        source = tex_gyre / f"texgyre{family.lower()}-{weight.lower()}.otf"
        target = f"TeXGyre{family}-{weight}.otf"
        subset(source, target, ",".join([LATIN, GREEK, SCRIPTS, "U+20AC,U+2113,U+2200-22FF"]), False)
        with_scripts(target)
