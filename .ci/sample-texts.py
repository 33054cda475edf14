#!/usr/bin/env python3
"""Draws comments, output sentences and test names from the sources, to check that strangers understand them.

.ci/sample-texts.py SEED            100 comments, 50 output sentences and 30 test names as one numbered list
.ci/sample-texts.py SEED --places   the same list with the file and line of each

A reader without context restates each in own words. The same seed and sources draw the same list.
"""

import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENTS, SENTENCES, TESTS = 100, 50, 30
FEWEST_WORDS = 5

TOKEN = re.compile(
    r'"""(?:\\.|(?!""").)*"""'  # a text block
    r'|(?P<text>"(?:\\.|[^"\\\n])*"(?:\s*\+\s*"(?:\\.|[^"\\\n])*")*)'  # a literal, or several joined
    r"|'(?:\\.|[^'\\\n])+'"
    r"|(?P<comment>///?[^\n]*(?:\n[ \t]*///?[^\n]*)*|/\*.*?\*/)",
    re.DOTALL,
)
TEST = re.compile(r"@(?:Parameterized|Repeated)?Test\b(?:(?!\bvoid\b)[^{;])*\bvoid (\w+)\(", re.DOTALL)


def joined(literals):
    """The text of joined literals as it is printed."""
    parts = re.findall(r'"((?:\\.|[^"\\\n])*)"', literals)
    return " ".join("".join(parts).replace('\\"', '"').replace("\\n", " ").split())


def described(comment):
    """The words of a comment, without its parameters: those need the signature."""
    lines = [line.strip().strip("/*").strip() for line in comment.splitlines()]
    return " ".join(" ".join(lines).split(" @")[0].split()).removeprefix("@")


def is_sentence(text):
    """True for words that are printed, and not for SQL, patterns, formats of tables or code."""
    words = [w for w in text.split() if re.fullmatch(r"[`'(]?[A-Za-z-]+[`'),.:;]*", w)]
    return (
        len(words) >= FEWEST_WORDS
        and re.match(r"[A-Z%`]", text) is not None
        and not re.match(r"(SELECT|INSERT|CREATE|UPDATE|DELETE|ALTER) ", text)
        and not re.search(r"\(\?|\\\\|[<>]{2}|</", text)
    )


def drawn():
    comments, sentences, tests = [], [], []
    for file in sorted(ROOT.glob("*/src/*/java/**/*.java")):
        source = file.read_text(encoding="utf-8")
        place = file.relative_to(ROOT)

        def at(offset):
            return f"{place}:{source.count(chr(10), 0, offset) + 1}"

        if "/src/test/" in str(place):
            tests += [(m.group(1), at(m.start(1))) for m in TEST.finditer(source)]
            continue
        if "/src/main/" not in str(place):
            continue
        for m in TOKEN.finditer(source):
            if m.group("comment"):
                text = described(m.group())
                if len(text.split()) >= FEWEST_WORDS:
                    comments.append((text, at(m.start())))
            elif m.group("text"):
                text = joined(m.group())
                if is_sentence(text):
                    sentences.append((text, at(m.start())))
    return comments, sentences, tests


def main():
    arguments = [a for a in sys.argv[1:] if a != "--places"]
    if len(arguments) != 1 or not arguments[0].lstrip("-").isdigit():
        sys.exit(__doc__)
    chance = random.Random(int(arguments[0]))
    number = 0
    for title, found, count in zip(
        ("Comments", "Output", "Test names"), drawn(), (COMMENTS, SENTENCES, TESTS)
    ):
        print(f"# {title} ({count} of {len(found)})")
        for text, place in chance.sample(found, count):
            number += 1
            print(f"{number}. {text}" + (f"  [{place}]" if "--places" in sys.argv else ""))


main()
