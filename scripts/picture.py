"""Draws what a terminal shows as an SVG. Usage: hintlint --color always | picture.py COMMAND > docs/picture.svg

Knows the codes that hintlint writes: bold, dim, and the eight colours. Each character has its own place, so that a font without
box characters does not move the others.
"""

import html
import re
import sys
import unicodedata

COLOURS = {31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea"}
WIDTH, HEIGHT, SIZE, MARGIN = 8.4, 19, 14, 16


def runs(line):
    """The pieces of a line with their looks."""
    looks = {}
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if not code:
            if piece:
                yield piece, dict(looks)
            continue
        for number in (int(number or 0) for number in code[1].split(";")):
            if number == 0:
                looks.clear()
            elif number == 1:
                looks["font-weight"] = "bold"
            elif number == 2:
                looks["opacity"] = "0.7"
            elif number == 39:
                looks.pop("fill", None)
            elif number % 10 in range(1, 7) and number // 10 in (3, 9):
                looks["fill"] = COLOURS[30 + number % 10]


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    lines = [f"\x1b[1m$ {sys.argv[1]}\x1b[0m", *sys.stdin.read().rstrip().split("\n")]
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = max(map(columns, plain)) * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>')
    print(f'<g fill="#e6edf3" font-size="{SIZE}" font-family="ui-monospace, Menlo, Consolas, monospace" xml:space="preserve">')
    for row, line in enumerate(lines):
        at, y = 0, MARGIN + (row + 1) * HEIGHT - 5
        for text, looks in runs(line):
            attributes = "".join(f' {name}="{value}"' for name, value in sorted(looks.items()))
            if text.strip():
                size = columns(text) * WIDTH
                print(f'<text x="{MARGIN + at * WIDTH:.1f}" y="{y}" textLength="{size:.1f}"{attributes}>{html.escape(text)}</text>')
            at += columns(text)
    print("</g>\n</svg>")


main()
