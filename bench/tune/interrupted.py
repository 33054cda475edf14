#!/usr/bin/env python3
"""Interrupts a tuning at random moments, goes on with it each time, and looks whether it comes to the same.

    ./mvnw package && bench/tune/interrupted.py [--times 10] [--seed 1] [--java JAVA]

A service of the lab with two threads, a knob that helps, one that does nothing and one that keeps the JVM
from starting. One tuning runs to its end; another one is interrupted, by SIGINT and SIGKILL in turns, and
gone on with by --resume. Both must end with the same changes, no finished measurement may be repeated,
and nothing may be left running.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAN = """\
url: "http://127.0.0.1:{{port}}/memory?bytes=1k&holdMs=20"
target: {{launch: "{java} -Xmx128m -cp {jar} dev.jdyno.lab.memory.Memory --max-threads 2 --port {{port}}"}}
warmup: {{atLeast: 2s, atMost: 3s}}
rounds: {{length: 2s, settle: 500ms, concurrency: [1, 2, 4]}}
evidence: {{window: 2s, dumps: 6}}
look: {{profile: false}}
knobs:
  - {{name: threads, values: [2, 16], arg: "--max-threads {{}}"}}
  - {{name: herring, values: [300, 301], flag: "-XX:ReservedCodeCacheSize={{}}m"}}
  - {{name: gone, values: ["", "-XX:+UseConcMarkSweepGC"], flag: "{{}}"}}
"""
SHORT = ["--block", "2s", "--warmup", "2s", "--quiet", "--json"]


def started(command, arguments):
    # a session of its own, so that only jdyno gets the signal, as from a shell that kills one process
    return subprocess.Popen(
        command + arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a background job's SIGINT is ignored, and its children's too
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def finished(process):
    out, err = process.communicate()
    if process.returncode:
        sys.exit(f"exit {process.returncode}: {err}")
    return json.loads(out)


def services(plan):
    found = subprocess.run(["pgrep", "-f", "dev.jdyno.lab.memory.Memory"], capture_output=True, text=True)
    return found.stdout.split()


def main():
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--java", default="java")
    parser.add_argument("--jar", default=str(ROOT / "lab/target/jdyno-lab.jar"))
    parser.add_argument("--whole", help="tune.json of a tuning of the same that ran to its end; else one is run")
    given = parser.parse_args()
    command = os.environ.get("JDYNO", str(ROOT / "jdyno")).split()
    chance = random.Random(given.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="jdyno-interrupted-"))
    plan = folder / "plan.yaml"
    plan.write_text(PLAN.format(java=given.java, jar=given.jar))

    begun = time.monotonic()
    if given.whole:
        whole = json.loads(pathlib.Path(given.whole).read_text())
    else:
        whole = finished(started(command, ["tune", str(plan), "--out", str(folder / "whole"), *SHORT]))
    print(f"uninterrupted: {whole['result']['changes']} x {whole['result']['ratio']:.3f}, {time.monotonic() - begun:.0f} s")

    out = folder / "cut"
    arguments = ["tune", str(plan), "--out", str(out), *SHORT]
    for i in range(given.times):
        process = started(command, arguments)
        after = chance.uniform(5, 55)
        try:
            process.wait(after)
            print(f"{i + 1}: it was finished before it was interrupted")
            break
        except subprocess.TimeoutExpired:
            kind = signal.SIGINT if i % 2 == 0 else signal.SIGKILL
            process.send_signal(kind)
            process.communicate()
            time.sleep(3)
        journal = out / "journal.jsonl"
        lines = journal.read_text().count("\n") if journal.exists() else 0
        print(f"{i + 1}: {kind.name} after {after:.0f} s, exit {process.returncode}, {lines} measurements kept, left running: {services(plan)}")
        if (out / "plan.yaml").exists():
            arguments = ["tune", "--resume", str(out), "--quiet", "--json"]
    again = finished(started(command, arguments))
    steps = [json.loads(line)["step"] for line in (out / "journal.jsonl").read_text().splitlines()]
    print(f"interrupted:   {again['result']['changes']} x {again['result']['ratio']:.3f}")
    print(f"measured twice: {len(steps) - len(set(steps))} of {len(steps)}; left running: {services(plan)}")
    same = again["result"]["changes"] == whole["result"]["changes"]
    print("the same changes" if same else "OTHER CHANGES")
    return 0 if same and len(steps) == len(set(steps)) else 1


if __name__ == "__main__":
    sys.exit(main())
