#!/usr/bin/python3
"""Generates src/jinja/text/unicode_tables.cpp: the character properties of CPython 3.11.

Run it manually with the Python version to match:  python3.11 src/jinja/text/generate_unicode.py
Each table is a sequence of LEB128 numbers (7 bits per byte, least significant first).
"""
import os
import unicodedata

LAST = 0x110000
ANCHOR_EVERY = 192  # runs; a lookup starts at the closest earlier anchor
OUT = os.path.join(os.path.dirname(__file__), "..", "src", "jinja", "text", "unicode_tables.cpp")


def leb(number):
    out = []
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return out + [number]


def zigzag(number):
    return number * 2 if number >= 0 else -number * 2 - 1


def is_ignorable(c):
    """Returns Case_Ignorable, derived from its only effect: which sigma is a final sigma."""
    return ("A" + c + "Σ").lower()[-1] == "ς" and ("AΣ" + c).lower()[1] == "ς"


def continues_identifier(c):
    return ("a" + c).isidentifier()


def char_class(c):
    """Returns kind * 2 + Case_Ignorable. No digit is ignorable, so 5 marks other characters:
    those that are only printable, but can continue an identifier, such as spacing marks."""
    kind = 3 if c.isalpha() else 2 if c.isalnum() else 1 if c.isprintable() else 0
    if kind == 1 and not is_ignorable(c) and continues_identifier(c):
        return 5
    return kind * 2 + is_ignorable(c)


def mostly_continues_identifier(c):
    return c.isidentifier() or c.isdecimal() or char_class(c) in (3, 5)


def classes():
    """Returns runs (length * 8 + class, from code point 0) and anchors (code point, byte)."""
    bytes_, anchors, runs = [], [], 0
    start = 0
    current = char_class(chr(0))
    for code in range(1, LAST + 1):
        kind = char_class(chr(code)) if code < LAST else None
        if kind == current:
            continue
        if runs % ANCHOR_EVERY == 0:
            anchors.append((start, len(bytes_)))
        bytes_ += leb((code - start) * 8 + current)
        start, current, runs = code, kind, runs + 1
    return bytes_, anchors


def mapping_runs(mapping):
    """Returns runs: gap to the previous run, (length - 1) * 2 + (stride - 1), zigzag(delta)."""
    runs = []
    for code, target in sorted(mapping.items()):
        delta = target - code
        if runs and runs[-1][3] == delta:
            start, length, stride, _ = runs[-1]
            if length == 1 and code - start in (1, 2):
                runs[-1] = (start, 2, code - start, delta)
                continue
            if length > 1 and code == start + length * stride:
                runs[-1] = (start, length + 1, stride, delta)
                continue
        runs.append((code, 1, 1, delta))
    out, position = [], 0
    for start, length, stride, delta in runs:
        out += leb(start - position) + leb((length - 1) * 2 + stride - 1) + leb(zigzag(delta))
        position = start + (length - 1) * stride
    return out


def simple(function):
    return {c: ord(function(chr(c))) for c in range(LAST)
            if len(function(chr(c))) == 1 and function(chr(c)) != chr(c)}


def special(function, common):
    """Returns mappings to several code points: gap, count, then each code point."""
    out, position = [], 0
    for code in range(LAST):
        text = function(chr(code))
        if len(text) > 1 and text != common(chr(code)):
            out += leb(code - position) + leb(len(text))
            for c in text:
                out += leb(ord(c))
            position = code
    return out


def ranges(test):
    """Returns ranges: gap to the end of the previous range, length."""
    out, end, start = [], 0, None
    for code in range(LAST + 1):
        inside = code < LAST and test(chr(code))
        if inside and start is None:
            start = code
        if not inside and start is not None:
            out += leb(start - end) + leb(code - start)
            start, end = None, code
    return out


def decimals():
    """Returns the digit runs 0 to 9: gap to the start of the previous run."""
    out, position = [], 0
    for code in range(LAST):
        if unicodedata.decimal(chr(code), None) == 0:
            out += leb(code - position)
            position = code
    return out


def swaps_up(c):
    return c.upper() != c and c.lower() == c


def swaps_down(c):
    return c.lower() != c and c.upper() == c


def inverse(mapping):
    out = {}
    for code in sorted(mapping):
        out.setdefault(mapping[code], code)
    return out


def lower_exceptions():
    """Returns lower() where it is not the inverse of upper(), including unchanged code points."""
    up, down = inverse(simple(str.upper)), simple(str.lower)
    return {c: down.get(c, c) for c in set(up) | set(down) if up.get(c) != down.get(c)}


def title_exceptions():
    return {c: ord(chr(c).title()) for c in range(LAST)
            if len(chr(c).title()) == 1 and chr(c).title() != chr(c).upper()}


def array(name, data, sized=True):
    lines = ["const uint8_t %s[] = {" % name]
    line = "   "
    for byte in data:
        word = " %d," % byte
        if len(line) + len(word) > 100:
            lines.append(line)
            line = "   "
        line += word
    lines += [line, "};"]
    if sized:
        lines.append("const size_t %sSize = sizeof %s;" % (name, name))
    return "\n".join(lines)


def main():
    class_bytes, anchors = classes()
    parts = [
        "// Written by src/jinja/text/generate_unicode.py from Unicode %s." % unicodedata.unidata_version,
        "// clang-format off",
        '#include "jinja/text/unicode_tables.h"',
        "",
        "namespace strata::jinja::text {",
        "",
        "const Anchor kClassAnchors[] = {",
        "\n".join("    {%d, %d}," % a for a in anchors),
        "};",
        "const size_t kClassAnchorCount = %d;" % len(anchors),
        array("kClasses", class_bytes, sized=False),
        array("kUpper", mapping_runs(simple(str.upper))),
        array("kLowerExceptions", mapping_runs(lower_exceptions())),
        array("kTitleExceptions", mapping_runs(title_exceptions())),
        array("kUpperSpecial", special(str.upper, lambda c: c)),
        array("kTitleSpecial", special(str.title, str.upper)),
        array("kLowerOddities", ranges(lambda c: c.islower() != swaps_up(c))),
        array("kUpperOddities", ranges(lambda c: c.isupper() != swaps_down(c))),
        array("kDecimalStarts", decimals()),
        array("kIdentifierStartOddities",
              ranges(lambda c: c > "\x7f" and c.isidentifier() != c.isalpha())),
        array("kIdentifierOddities",
              ranges(lambda c: c > "\x7f"
                     and continues_identifier(c) != mostly_continues_identifier(c))),
        array("kOtherDigits", ranges(lambda c: c.isdigit() and not c.isdecimal())),
        "",
        "}  // namespace strata::jinja::text",
        "",
    ]
    with open(OUT, "w", encoding="utf-8") as out:
        out.write("\n".join(parts))


main()
