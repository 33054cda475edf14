#!/usr/bin/env python3
"""Compares the resolved libraries (an SBOM of CycloneDX) with the reviewed list, docs/dependencies.tsv.

    ./mvnw -Psbom cyclonedx:makeAggregateBom && .ci/dependencies.py

Fails when a library or a version is in one of them only: a new version gets a look at its advisories, and a line with the
date of that look, before it lands. Checks itself first, with a changed version, a new library and a line without a date.
"""
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LIST = HERE / "docs" / "dependencies.tsv"
COLUMNS = 4


def resolved(bom):
    return {
        (f"{c['group']}:{c['name']}" if c.get("group") else c["name"], c.get("version", ""))
        for c in bom["components"]
        if c.get("group") != "dev.jdyno"
    }


def reviewed(text):
    found, mistakes = set(), []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != COLUMNS or not re.fullmatch(r"\d{4}-\d\d-\d\d", cells[2]) or not cells[3].strip():
            mistakes.append(f"line {number}: not LIBRARY, VERSION, DATE and what was found, with tabs between")
            continue
        found.add((cells[0], cells[1]))
    return found, mistakes


def mistakes(bom, text):
    listed, wrong = reviewed(text)
    there = resolved(bom)
    if not there:
        wrong.append("the SBOM names no library")
    wrong += [f"{name} {version} is used and was not reviewed" for name, version in sorted(there - listed)]
    wrong += [f"{name} {version} was reviewed and is not used: take its line out" for name, version in sorted(listed - there)]
    return wrong


def check_self():
    bom = {"components": [{"group": "a", "name": "b", "version": "1"}, {"group": "dev.jdyno", "name": "x", "version": "0"}]}
    good = "# list\na:b\t1\t2026-11-28\tnothing known\n"
    assert mistakes(bom, good) == []
    assert len(mistakes(bom, good.replace("\t1\t", "\t2\t"))) == 2
    assert len(mistakes(bom, "")) == 1
    assert len(mistakes(bom, good.replace("2026-11-28", "soon"))) == 2
    assert len(mistakes({"components": []}, "")) == 1
    # CycloneDX requires a name only
    bare = {"components": bom["components"] + [{"name": "c"}, {"group": "", "name": "d", "version": "2"}]}
    assert [m.split(" is used")[0] for m in mistakes(bare, good)] == ["c ", "d 2"]
    assert mistakes(bare, good + "c\t\t2026-11-28\tnothing known\nd\t2\t2026-11-28\tnothing known\n") == []


def main():
    check_self()
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "target" / "bom.json"
    if not path.exists():
        sys.exit(f"error: there is no {path}\nfix: ./mvnw -Psbom cyclonedx:makeAggregateBom")
    bom = json.loads(path.read_text())
    wrong = mistakes(bom, LIST.read_text())
    if wrong:
        print("error: the libraries are not those of docs/dependencies.tsv", *wrong, sep="\n  ", file=sys.stderr)
        sys.exit("fix: read the advisories and release notes of these versions, and change the lines with today's date")
    print(f"{len(resolved(bom))} libraries, each reviewed in the version that is used")


if __name__ == "__main__":
    main()
