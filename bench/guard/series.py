#!/usr/bin/env python3
"""F1 with margin 5 of `jdyno guard --series` beside Apache Otava's on the labelled series.

    pip install apache-otava==0.8.0
    bench/guard/series.py

Otava with its defaults (window 50, p-value 0.001) and no least magnitude, as the series have none.
Precision and recall as in van den Burg & Williams (2020): each person's first mark is the first value.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERIES = ROOT / "history/src/test/resources/series"


def hits(marks, predicted):
    left, n = set(predicted), 0
    for mark in sorted(marks):
        near = sorted((abs(x - mark), x) for x in left if abs(x - mark) <= 5)
        if near:
            left.remove(near[0][1])
            n += 1
    return n


def f1(people, found):
    predicted = set(found) | {0}
    everyone = {0}.union(*map(set, people))
    precision = hits(everyone, predicted) / len(predicted)
    recall = sum(hits(set(p) | {0}, predicted) / len(set(p) | {0}) for p in people) / len(people)
    return 2 * precision * recall / (precision + recall)


def otava(values):
    from otava.analysis import compute_change_points

    points, _ = compute_change_points(values, window_len=50, max_pvalue=0.001, min_magnitude=0.0)
    return [p.index for p in points]


def jdyno(values, command):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(values, file)
        file.flush()
        out = subprocess.run(
            command + ["guard", "--series", file.name, "--json"], capture_output=True, text=True
        )
        if out.returncode not in (0, 3, 4):
            sys.exit(out.stderr)
        return [p["index"] for p in json.loads(out.stdout)["changePoints"]]


def cases():
    for case in json.loads((SERIES / "small-labelled.json").read_text()):
        yield case["id"], case["series"], [case["change"]]
    yield "mongodb-real", json.loads((SERIES / "mongodb-real_series.json").read_text()), [[]]
    people = json.loads((SERIES / "tcpd/annotations.json").read_text())
    for name in sorted(people):
        series = json.loads((SERIES / f"tcpd/{name}.json").read_text())["series"][0]
        yield name, series, list(people[name].values())


def main():
    command = os.environ.get("JDYNO", str(ROOT / "jdyno")).split()
    print(f"{'series':42} {'jdyno':>6} {'otava':>6}  found by jdyno | by otava")
    sums = [0, 0, 0]
    for name, values, people in cases():
        ours, theirs = jdyno(values, command), otava([float(v) for v in values])
        a, b = f1(people, ours), f1(people, theirs)
        sums = [sums[0] + a, sums[1] + b, sums[2] + 1]
        print(f"{name:42} {a:6.3f} {b:6.3f}  {ours} | {theirs}")
    print(f"{'mean':42} {sums[0] / sums[2]:6.3f} {sums[1] / sums[2]:6.3f}")


if __name__ == "__main__":
    main()
