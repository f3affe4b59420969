"""Prints what a screen reader says of figures: title and alternative text of SVG, PDF and PNG files. Ends with an error if one has none, or if
they differ.

    python3 tests/spoken.py figure.svg figure.pdf figure.png
"""

import re
import struct
import sys
import xml.etree.ElementTree as tree
import zlib


def of_svg(data):
    root = tree.fromstring(data)
    space = "{http://www.w3.org/2000/svg}"
    return root.find(f"{space}title").text, root.find(f"{space}desc").text


def of_png(data):
    texts, at = {}, 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"tEXt":
            key, text = body.split(b"\0", 1)
            texts[key] = text.decode("latin-1")
        elif kind == b"iTXt":
            key, rest = body.split(b"\0", 1)
            text = rest[2:].split(b"\0", 2)[2]
            texts[key] = (zlib.decompress(text) if rest[0] else text).decode()
        at += 12 + length
    return texts[b"Title"], texts[b"Description"]


def strings(data, key):
    """The strings under a key in the objects of a PDF, with those of compressed object streams."""
    parts = [data]
    for stream in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            parts.append(zlib.decompress(stream.group(1)))
        except zlib.error:
            pass
    whole = b"\n".join(parts)
    for found in re.finditer(rb"/" + key + rb"\s*(\((?:\\.|[^()\\])*\)|<[0-9A-Fa-f\s]*>)", whole, re.DOTALL):
        text = found.group(1)
        if text.startswith(b"<"):
            text = bytes.fromhex(re.sub(rb"\s", b"", text[1:-1]).decode())
        else:
            escapes = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
            octal = lambda match: bytes([int(match.group(1), 8)])
            text = re.sub(rb"\\([0-7]{1,3})", octal, text[1:-1])
            text = re.sub(rb"\\(.)", lambda match: escapes.get(match.group(1), match.group(1)), text, flags=re.DOTALL)
        yield text[2:].decode("utf-16-be") if text.startswith(b"\xfe\xff") else text.decode("latin-1")


def of_pdf(data):
    return next(strings(data, b"Title")), next(strings(data, b"Alt"))


def main():
    said = {}
    for path in sys.argv[1:]:
        data = open(path, "rb").read()
        read = {"svg": of_svg, "pdf": of_pdf, "png": of_png}[path.rsplit(".", 1)[1]]
        said[path] = read(data)
    title, alt = next(iter(said.values()))
    print(f"{title}\n{alt}")
    for path, (other, words) in said.items():
        if (other, words) != (title, alt) or not words:
            print(f"{path} says something else: {other}\n{words}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
