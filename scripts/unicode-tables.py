#!/usr/bin/env python3
"""Write src/base/characters/tables.rs from the Unicode Character Database.

    python3 scripts/unicode-tables.py UCD_DIRECTORY > src/base/characters/tables.rs

UCD_DIRECTORY has the layout of https://www.unicode.org/Public/18.0.0/ucd/, and beside it `security/confusables.txt`
of the same version. All files must name the version below; otherwise nothing is written. Standard library only.
"""
import collections
import os
import re
import sys

VERSION = "18.0.0"
LAST = 0x10FFFF

# In the order of the constants in characters.rs; the test `bits_are_those_of_the_generator` there holds them together.
BITS = [
    "LETTER", "MARK", "NONSPACING", "INHERITED", "SYMBOL", "UNASSIGNED", "IGNORABLE", "RTL", "COMBINING_CLASS",
    "TRANSPARENT", "JOINING", "JOINER_SCRIPT", "LINE_BREAK_SA", "PICTOGRAPH", "IDEOGRAPHIC", "LATIN", "CYRILLIC", "GREEK",
    "ARMENIAN", "CHEROKEE", "MONGOLIAN", "KHMER", "HANGUL", "CJK", "UPPERCASE", "MATH", "FORMAT",
]
BIT = {name: 1 << index for index, name in enumerate(BITS)}

# Scripts whose orthography uses ZWNJ or ZWJ, or whose text comes with them. Evidence: UAX #31 section 2.3, CLDR.
JOINER_SCRIPTS = """Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar
Tibetan Javanese Balinese Sundanese Limbu Lepcha Meetei_Mayek Chakma Tirhuta Grantha Newa Saurashtra Syloti_Nagri Kaithi Modi
Sharada Takri Tai_Tham New_Tai_Lue Tai_Le Tai_Viet Brahmi Mongolian""".split()
# UTS #39 5.1 as far as lookalike tokens are judged by it.
LOOKALIKE_SCRIPTS = ("Cyrillic", "Greek", "Armenian", "Cherokee")


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8-sig") as file:
        return file.read()


def rows(text):
    """Data lines as lists of fields, without comments."""
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def span(field):
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def with_value(text, *values):
    """Code points whose second field is one of `values`."""
    out = set()
    for row in rows(text):
        if row[1] in values:
            out.update(span(row[0]))
    return out


def unicode_data(text):
    """General category, combining class and name of every listed code point."""
    category, combining, names, first = {}, {}, {}, None
    for line in text.splitlines():
        fields = line.split(";")
        code = int(fields[0], 16)
        if fields[1].endswith(", First>"):
            first = code
            continue
        start = code if first is None else first
        for point in range(start, code + 1):
            category[point] = fields[2]
            combining[point] = int(fields[3])
        if first is None:
            names[code] = fields[1]
        first = None
    return category, combining, names


def properties(root, category, combining):
    """Code point to bit set."""
    scripts_text = read(root, "Scripts.txt")
    derived = read(root, "DerivedCoreProperties.txt")
    props = read(root, "PropList.txt")
    emoji = read(root, "emoji/emoji-data.txt")
    joining = read(root, "extracted/DerivedJoiningType.txt")
    bidi = read(root, "extracted/DerivedBidiClass.txt")
    script = {name: with_value(scripts_text, name) for name in
              {*JOINER_SCRIPTS, *LOOKALIKE_SCRIPTS, "Inherited", "Latin", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"}}
    noncharacter = with_value(props, "Noncharacter_Code_Point")
    pictographic = with_value(emoji, "Extended_Pictographic")
    sets = {
        "LETTER": {c for c, gc in category.items() if gc[0] == "L"},
        "MARK": {c for c, gc in category.items() if gc[0] == "M"},
        "NONSPACING": {c for c, gc in category.items() if gc in ("Mn", "Me")},
        "INHERITED": script["Inherited"],
        "SYMBOL": {c for c, gc in category.items() if gc in ("Sc", "Sk", "Sm", "So", "Po")},
        "IGNORABLE": with_value(derived, "Default_Ignorable_Code_Point"),
        # U+200F and U+061C are themselves of these classes; the point is to find letters.
        "RTL": {c for c in with_value(bidi, "R", "AL") if c in category} - {0x200F, 0x061C},
        "COMBINING_CLASS": {c for c, ccc in combining.items() if ccc},
        "TRANSPARENT": with_value(joining, "T"),
        "JOINING": with_value(joining, "D", "L", "R"),
        "JOINER_SCRIPT": set().union(*(script[name] for name in JOINER_SCRIPTS)),
        "LINE_BREAK_SA": with_value(read(root, "LineBreak.txt"), "SA"),
        "PICTOGRAPH": {c for c in pictographic | with_value(emoji, "Emoji") if c > 0x7F},
        "IDEOGRAPHIC": with_value(props, "Ideographic"),
        "LATIN": script["Latin"], "CYRILLIC": script["Cyrillic"], "GREEK": script["Greek"],
        "ARMENIAN": script["Armenian"], "CHEROKEE": script["Cherokee"], "MONGOLIAN": script["Mongolian"],
        "KHMER": script["Khmer"], "HANGUL": script["Hangul"],
        "CJK": script["Han"] | script["Hiragana"] | script["Katakana"] | script["Hangul"] | script["Bopomofo"],
        "UPPERCASE": with_value(derived, "Uppercase"),
        "MATH": with_value(derived, "Math"),
        "FORMAT": {c for c, gc in category.items() if gc in ("Cf", "Zl", "Zp")},
    }
    sets["UNASSIGNED"] = set(range(LAST + 1)) - set(category) - noncharacter - pictographic - sets["IGNORABLE"]
    assert set(sets) == set(BITS)
    table = [0] * (LAST + 1)
    for name, points in sets.items():
        for point in points:
            table[point] |= BIT[name]
    for surrogate in range(0xD800, 0xE000):
        table[surrogate] = 0
    return table


def ranges(table):
    """Maximal ranges of equal, non-zero bits at or above U+0080, with plain ranges left out."""
    start = 0x80
    for point in range(0x81, LAST + 2):
        if point > LAST or table[point] != table[start]:
            if table[start]:
                yield start, point - 1, table[start]
            start = point


def confusables(text, category):
    """Letter to the ASCII letter it is confusable with, both ways of the file taken into account."""
    skeleton, members = {}, collections.defaultdict(set)
    for row in rows(text):
        source, target = row[0].split(), row[1].split()
        if len(source) == 1 and len(target) == 1:
            skeleton[int(source[0], 16)] = int(target[0], 16)
    for point in list(skeleton) + [ord(c) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]:
        members[skeleton.get(point, point)].add(point)
    out = {}
    for group in members.values():
        ascii_letters = sorted(p for p in group if p < 0x80 and chr(p).isalpha())
        for point in group:
            if point < 0x80 or category.get(point, "Cn")[0] != "L" or not ascii_letters:
                continue
            # `I` and `l` share a skeleton: an uppercase letter looks like the uppercase one.
            upper = category[point] == "Lu"
            fitting = [p for p in ascii_letters if chr(p).isupper() == upper] or ascii_letters
            out[point] = fitting[0]
    return out


def hexes(points):
    return ", ".join("0x%X" % p for p in points)


def emit(lines, head, items):
    print(head)
    line = "   "
    for item in items:
        if len(line) + len(item) + 1 > lines:
            print(line)
            line = "   "
        line += " " + item
    if line.strip():
        print(line)
    print("];")


def main():
    root = sys.argv[1]
    for name in ("Scripts.txt", "LineBreak.txt", "PropList.txt", "DerivedCoreProperties.txt", "StandardizedVariants.txt"):
        head = read(root, name).splitlines()[0]
        if VERSION not in head:
            sys.exit(f"{name} is not of version {VERSION}: {head}")
    category, combining, names = unicode_data(read(root, "UnicodeData.txt"))
    table = properties(root, category, combining)
    lookalikes = {point: target for point, target in confusables(read(root, "security/confusables.txt"), category).items()
                  if any(table[point] & BIT[name.upper()] for name in LOOKALIKE_SCRIPTS)}
    for row in rows(read(root, "NameAliases.txt")):
        code = int(row[0], 16)
        if names.get(code) == "<control>" and row[2] in ("control", "figment"):
            names[code] = row[1]
    variants = []
    for row in rows(read(root, "StandardizedVariants.txt")):
        base, selector = (int(field, 16) for field in row[0].split())
        if 0xFE00 <= selector <= 0xFE0D:
            variants.append((base, selector - 0xFE00))
    named = sorted(
        {c for c, gc in category.items() if gc in ("Cf", "Cc", "Zs", "Zl", "Zp") and not 0xE0000 <= c}
        | {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0xFFFD}
        | set(lookalikes))

    print("//! Generated by `scripts/unicode-tables.py` from the Unicode Character Database; do not edit. Owns the data only:")
    print("//! what the bits mean is said in `characters`.")
    print()
    print(f"/// The version of Unicode that every table here comes from.\n#[cfg(test)]\npub(super) const VERSION: &str = \"{VERSION}\";\n")
    print("/// First and last code point of each range at or above U+0080, and its property bits; sorted, without overlap.")
    emit(120, "#[rustfmt::skip]\npub(super) static RANGES: &[(u32, u32, u32)] = &[",
         ("(0x%X, 0x%X, 0x%X)," % item for item in ranges(table)))
    print("\n/// Base character and number of the selector (0 for U+FE00) of each standardized variation sequence; sorted.")
    emit(120, "#[rustfmt::skip]\npub(super) static VARIANTS: &[(u32, u8)] = &[",
         ("(0x%X, %d)," % item for item in sorted(variants)))
    print("\n/// Letters that UTS #39 takes for one ASCII letter, of the scripts that are judged; sorted.")
    emit(120, "#[rustfmt::skip]\npub(super) static LOOKALIKES: &[(u32, u8)] = &[",
         ("(0x%X, b'%s')," % (point, chr(target)) for point, target in sorted(lookalikes.items())))
    print("\n/// Names of the characters that messages print one by one; sorted.")
    print("#[rustfmt::skip]\npub(super) static NAMES: &[(u32, &str)] = &[")
    for point in named:
        print('    (0x%X, "%s"),' % (point, names[point]))
    print("];")


if __name__ == "__main__":
    main()
