#!/usr/bin/env python3
"""Guards a real service day after day, one "day" directly after the other.

    bench/guard/days.py [--days 14] [--changed-from 8] [--plain] [--out DIR] [--jdyno ./jdyno] [--lab lab/target/jdyno-lab.jar]

The service is the lab's page with 10 ms of CPU a request. Every second day a neighbour keeps one core busy for half of the
time. From day --changed-from on the page takes --changed-cpu ms (+5 %), unless --plain. Prints each day's exit code, verdict and
the ratio of CPU per request to its level, and at the end on which day the change was found, with which method.

--out keeps history and results, and the figures of each start in starts.tsv: a second call goes on after the last day there.
--lock FILE is held (flock) while --at-once days are measured.
"""
import argparse
import contextlib
import fcntl
import json
import os
import subprocess
import tempfile
import time

NEIGHBOUR = "import time\nwhile True:\n    e = time.time() + 0.05\n    while time.time() < e: pass\n    time.sleep(0.05)"
FIGURES = ["cpuMsPerRequest", "allocBytesPerRequest", "qps", "p50", "p99", "gcMsPerS"]


@contextlib.contextmanager
def held(lock):
    """Holds a lock file, so that nothing else measures or compiles meanwhile; without one it does nothing."""
    if not lock:
        yield
        return
    with open(lock, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def neighbour(wanted):
    """Another process that keeps a core busy half of the time."""
    process = subprocess.Popen(["python3", "-c", NEIGHBOUR]) if wanted else None
    try:
        yield
    finally:
        if process:
            process.kill()
            process.wait()


def guard(given, folder, day):
    """One day: the finished process and the seconds it took."""
    cpu = 10 if given.plain or day < given.changed_from else given.changed_cpu
    plan = os.path.join(folder, "page.yaml")
    with open(plan, "w", encoding="utf-8") as out:
        out.write(f"name: page\nurl: http://127.0.0.1:{{port}}/perf?cpu={cpu}&io=0\n"
                  f"target: {{launch: \"java -Xmx256m -cp {os.path.abspath(given.lab)} "
                  "dev.jdyno.lab.perf.Perf --port {port} --downstream http://127.0.0.1:9\"}\n"
                  "evidence: {window: 2s, dumps: 6}\n")
    with neighbour(day % 2 == 0):
        start = time.perf_counter()
        run = subprocess.run(
            [given.jdyno, "guard", plan, "--json", "--quiet", "--starts", given.starts, "--block", given.block, "--warmup", "6s",
             "--store", os.path.join(folder, "store", "history.db"), "--out", os.path.join(folder, f"day-{day}")],
            capture_output=True, text=True, check=False)
        return run, time.perf_counter() - start


def line(day, run, seconds):
    result = json.loads(run.stdout)
    cpu = next((f for f in result["figures"] if f["name"] == "cpuMsPerRequest"), {})
    worse = [f["name"] for f in result["figures"] if f["verdict"] == "worse"]
    grew = [f"{g['method']} {g['beforeMs']:.2f} -> {g['afterMs']:.2f}" for g in result["grew"]][:2]
    return (f"day {day:2}: exit {run.returncode} {result['verdict']:10} CPU {cpu.get('value') or 0:6.3f} ms "
            f"× {cpu.get('ratio') or float('nan'):.3f} {cpu.get('ci95')} machine {result['machine'] or 1:.3f} "
            f"{'confirmed ' if result['confirmed'] else ''}worse {worse} grew {grew} "
            f"{result['bottleneck']} {'neighbour ' if day % 2 == 0 else ''}{seconds:.0f} s")


def starts(folder, days):
    """The figures of each start, as the simulated histories of RecordedDaysTest read them."""
    with open(os.path.join(folder, "starts.tsv"), "w", encoding="utf-8") as out:
        print("day", "neighbour", "measurement", "machineNs", *FIGURES, sep="\t", file=out)
        for day in range(1, days + 1):
            with open(os.path.join(folder, f"day-{day}", "guard.json"), encoding="utf-8") as file:
                measurements = json.load(file)["measurements"]
            for number, measured in enumerate(measurements, 1):
                for start in measured["starts"]:
                    print(day, int(day % 2 == 0), number, f"{measured['machineNs']:.5g}",
                          *(f"{start[f]:.6g}" if f in start else "-" for f in FIGURES), sep="\t", file=out)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--days", type=int, default=14)
    options.add_argument("--changed-from", type=int, default=8)
    options.add_argument("--changed-cpu", type=float, default=10.5, help="ms of CPU a request from then on")
    options.add_argument("--plain", action="store_true", help="no day differs")
    options.add_argument("--starts", default="3")
    options.add_argument("--block", default="4s")
    options.add_argument("--jdyno", default="./jdyno")
    options.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    options.add_argument("--out", help="keep history and results in this folder")
    options.add_argument("--lock", help="file to hold while days are measured")
    options.add_argument("--at-once", type=int, default=1, help="days for which it is held at once")
    given = options.parse_args()
    found = None
    with contextlib.ExitStack() as stack:
        folder = given.out or stack.enter_context(tempfile.TemporaryDirectory())
        os.makedirs(folder, exist_ok=True)
        done = sum(1 for day in range(1, given.days + 1) if os.path.exists(os.path.join(folder, f"day-{day}", "guard.json")))
        days = range(done + 1, given.days + 1)
        for first in days[:: given.at_once]:
            with held(given.lock):
                for day in days[days.index(first) :][: given.at_once]:
                    run, seconds = guard(given, folder, day)
                    if not run.stdout:
                        print(f"day {day:2}: exit {run.returncode}: {run.stderr.strip()[:300]}", flush=True)
                        continue
                    if run.returncode == 4 and day >= given.changed_from and found is None:
                        found = day
                    print(line(day, run, seconds), flush=True)
        if given.out:
            starts(folder, given.days)
    print(f"found on day {found}" if found else "no change was found")


if __name__ == "__main__":
    main()
