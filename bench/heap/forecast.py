#!/usr/bin/env python3
"""Compares what jdyno forecasts from one GC log with what came out (README.md).

    bench/heap/forecast.py --corpus DIR --jdyno app/target/jdyno.jar [--java JAVA]
"""
import argparse, collections, json, pathlib, statistics, subprocess

from corpus import FIT

MIB = 1024 * 1024
LEAST_COLLECTIONS = 5


def ask(a, log, heaps):
    command = [a.java, "-jar", a.jdyno, "gc", log, "--advise", "--json"]
    command += ["--heaps", ",".join(f"{h}m" for h in heaps)]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout)["advice"] if done.returncode == 0 else None


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
        answers = {h: ask(a, turns[1], heaps) for h, turns in heaps.items() if 1 in turns}
        seen = {h: x["observed"] for h, x in answers.items() if x}
        part = "fit" if program in FIT else "held out"
        for here, there in ((x, y) for x in seen for y in seen if x != y):
            if min(seen[here]["collections"], seen[there]["collections"]) < LEAST_COLLECTIONS:
                continue
            choice = next(c for c in answers[here]["choices"] if c["heapBytes"] == there * MIB)
            for key in ((part, collector), (part, "all")):
                for into, what in zip(errors[key], ("collections", "pauseMs")):
                    into.append(choice[what] / seen[there][what] - 1)
        for heap, turns in heaps.items():
            again = ask(a, turns[2], [heap]) if 2 in turns else None
            if again and heap in seen and again["observed"]["collections"] >= LEAST_COLLECTIONS:
                for key in (("repeat", collector), ("repeat", "all")):
                    for into, what in zip(errors[key], ("collections", "pauseMs")):
                        into.append(seen[heap][what] / again["observed"][what] - 1)
    print("| part | collector | pairs | count (bias) | total pause (bias) | together |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (part, collector), (count, pause) in sorted(errors.items()):
        each = [f"{median(e)} ({100 * statistics.median(e):+.1f} %)" for e in (count, pause)]
        print(f"| {part} | {collector} | {len(count)} | {' | '.join(each)} | {median(count + pause)} |")


def median(errors):
    return f"{100 * statistics.median(map(abs, errors)):.1f} %"


if __name__ == "__main__":
    main()
