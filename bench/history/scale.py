#!/usr/bin/env python3
"""How long `jdyno history` and `jdyno history trend` take with many stored results.

    bench/history/scale.py [--results 10000] [--rounds 5] [--jdyno ./jdyno]

Makes a store of synthetic results (20 plans, 12 figures, 40 parts each), then times both commands, and `jdyno --version`
beside them: the difference is what the store costs.
"""
import argparse
import os
import random
import sqlite3
import statistics
import subprocess
import tempfile
import time

FIGURES = ["qps", "p50", "p99", "cpuMsPerRequest", "allocBytesPerRequest", "gcMsPerS", "knee", "errorShare",
           "machineNs", "goalRate", "rtMs", "gain"]


def fill(store, results):
    random.seed(7)
    with sqlite3.connect(store) as db:
        for n in range(results):
            name = f"{n:08d}-000000-{n % 65536:04x}"
            db.execute("INSERT INTO run VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                       (name, "run", f"plan-{n % 20}", None, 1_700_000_000_000 + n * 60_000, 90.0, "a" * 40, "main",
                        "host", 2, "cpu", "Linux", "25", "-Xmx1g", "cpu", "cpu", 1, f"/out/{n}", "jdyno run plan.yaml"))
            db.executemany("INSERT INTO figure VALUES (?,?,?,?,?,?)",
                           [(name, f, "unit", random.gauss(100, 2), None, None) for f in FIGURES])
            db.executemany("INSERT INTO part VALUES (?,?,?,?,?)",
                           [(name, "method", f"com.acme.Class{k}.method", 1.0 / (k + 1), 100) for k in range(40)])


def timed(command, rounds):
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return seconds


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--results", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--jdyno", default="./jdyno")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store", "history.db")
        subprocess.run([given.jdyno, "history", "--store", store], check=True, stdout=subprocess.DEVNULL)
        fill(store, given.results)
        print(f"{given.results} results, {os.path.getsize(store) / 2**20:.0f} MiB, {os.cpu_count()} cores")
        commands = {
            "--version": [given.jdyno, "--version"],
            "history": [given.jdyno, "history", "--store", store],
            "history trend": [given.jdyno, "history", "trend", "plan-7", "--store", store],
        }
        for name, command in commands.items():
            seconds = timed(command, given.rounds)
            print(f"{name:14} median {statistics.median(seconds) * 1000:6.0f} ms "
                  f"({min(seconds) * 1000:.0f} to {max(seconds) * 1000:.0f})")


if __name__ == "__main__":
    main()
