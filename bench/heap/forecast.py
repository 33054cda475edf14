#!/usr/bin/env python3
"""Compares what jdyno forecasts from one GC log with what came out (README.md).

    bench/heap/forecast.py --corpus DIR --jdyno app/target/jdyno.jar [--java JAVA]
"""
import argparse, collections, json, pathlib, statistics, subprocess

from corpus import FIT, FRESH, HELD_OUT

MIB = 1024 * 1024
LEAST_COLLECTIONS = 5
FIGURES = ("collections", "pauseMs")


def ask(a, log, heaps):
    command = [a.java, "-jar", a.jdyno, "gc", log, "--advise", "--json"]
    command += ["--heaps", ",".join(f"{h}m" for h in heaps)]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout)["advice"] if done.returncode == 0 else None


def told(advice, heap):
    """Of the choices for this heap the one divided as in the run, as the runs are."""
    sizes = (c for c in advice["choices"] if c["heapBytes"] == heap * MIB)
    return next(c for c in sizes if c["sharesAsSeen"])


def mean(runs):
    """What runs of one thing came to, as geometric means: one alone is off by chance."""
    return {w: statistics.geometric_mean(r[w] for r in runs) for w in FIGURES} if runs else None


def distance(here, there):
    """How far forecasts reach: 1.5 and 1.6 times the heap, or 2.4 times."""
    return "near" if max(here, there) < 2 * min(here, there) else "far"


def note(errors, part, collector, forecast, came, apart=None):
    keys = [(part, collector), (part, "all")]
    keys += [(f"{part}, {apart}", c) for c in (collector, "all") if apart]
    for key in keys:
        for into, what in zip(errors[key], FIGURES):
            into.append(forecast[what] / came[what] - 1)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--corpus", type=pathlib.Path, required=True)
    p.add_argument("--jdyno", required=True)
    p.add_argument("--java", default="java")
    a = p.parse_args()
    groups = collections.defaultdict(dict)  # (program, collector, jdk) -> heap -> turn -> log
    for log in sorted(a.corpus.glob("*.log")):
        program, collector, jdk, heap, turn = log.stem.split("-")
        groups[program, collector, jdk].setdefault(int(heap), {})[int(turn)] = log
    errors = collections.defaultdict(lambda: ([], []))
    for (program, collector, jdk), heaps in groups.items():
        answers = {(h, t): ask(a, log, heaps) for h, turns in heaps.items() for t, log in turns.items()}
        answers = {at: advice for at, advice in answers.items() if advice}
        came = {h: mean([x["observed"] for (at, _), x in answers.items() if at == h]) for h in heaps}
        parts = {"fit": FIT, "former": HELD_OUT, "later": FRESH}
        part = next((name for name, programs in parts.items() if program in programs), "held out")
        for (here, _), advice in answers.items():
            for there in (h for h in heaps if h != here and came[h]):
                least = min(advice["observed"]["collections"], came[there]["collections"])
                if least >= LEAST_COLLECTIONS:
                    choice = told(advice, there)
                    note(errors, part, collector, choice, came[there], distance(here, there))
        for (heap, turn), advice in answers.items():
            again = answers.get((heap, turn + 1))
            if again and again["observed"]["collections"] >= LEAST_COLLECTIONS:
                note(errors, "repeat", collector, advice["observed"], again["observed"])
    print("| part | collector | pairs | count (bias) | total pause (bias) | together |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (part, collector), (count, pause) in sorted(errors.items()):
        each = [f"{median(e)} ({100 * statistics.median(e):+.1f} %)" for e in (count, pause)]
        print(f"| {part} | {collector} | {len(count)} | {' | '.join(each)} | {median(count + pause)} |")


def median(errors):
    return f"{100 * statistics.median(map(abs, errors)):.1f} %"


if __name__ == "__main__":
    main()
