#!/usr/bin/env python3
"""Guards a real service day after day, one "day" directly after the other.

    bench/guard/days.py [--days 14] [--changed-from 8] [--plain] [--jdyno ./jdyno] [--lab lab/target/jdyno-lab.jar]

The service is the lab's page with 10 ms of CPU a request. Every second day a neighbour keeps one core busy for half of the
time. From day --changed-from on the page takes --changed-cpu ms (+5 %), unless --plain. Prints each day's exit code, verdict and
the ratio of CPU per request to its level, and at the end on which day the change was found, with which method.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

NEIGHBOUR = "import time\nwhile True:\n    e = time.time() + 0.05\n    while time.time() < e: pass\n    time.sleep(0.05)"


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
    given = options.parse_args()
    found = None
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store", "history.db")
        for day in range(1, given.days + 1):
            cpu = 10 if given.plain or day < given.changed_from else given.changed_cpu
            plan = os.path.join(folder, "page.yaml")
            with open(plan, "w", encoding="utf-8") as out:
                out.write(f"name: page\nurl: http://127.0.0.1:{{port}}/perf?cpu={cpu}&io=0\n"
                          f"target: {{launch: \"java -Xmx256m -cp {os.path.abspath(given.lab)} "
                          "dev.jdyno.lab.perf.Perf --port {port} --downstream http://127.0.0.1:9\"}\n"
                          "evidence: {window: 2s, dumps: 6}\n")
            neighbour = subprocess.Popen(["python3", "-c", NEIGHBOUR]) if day % 2 == 0 else None
            start = time.perf_counter()
            try:
                run = subprocess.run(
                    [given.jdyno, "guard", plan, "--json", "--quiet", "--starts", given.starts, "--block", given.block,
                     "--warmup", "6s", "--store", store, "--out", os.path.join(folder, f"day-{day}")],
                    capture_output=True, text=True, check=False)
            finally:
                if neighbour:
                    neighbour.kill()
                    neighbour.wait()
            if not run.stdout:
                print(f"day {day:2}: exit {run.returncode}: {run.stderr.strip()[:300]}")
                continue
            result = json.loads(run.stdout)
            figures = {f["name"]: f for f in result["figures"]}
            cpu_row = figures.get("cpuMsPerRequest", {})
            worse = [f["name"] for f in result["figures"] if f["verdict"] == "worse"]
            if run.returncode == 4 and day >= given.changed_from and found is None:
                found = day
            print(f"day {day:2}: exit {run.returncode} {result['verdict']:10} CPU {cpu_row.get('value') or 0:6.3f} ms "
                  f"× {cpu_row.get('ratio') or float('nan'):.3f} {cpu_row.get('ci95')} machine {result['machine'] or 1:.3f} "
                  f"{'confirmed ' if result['confirmed'] else ''}worse {worse} grew {[g['method'] for g in result['grew']][:2]} "
                  f"{result['bottleneck']} {'neighbour ' if neighbour else ''}{time.perf_counter() - start:.0f} s", flush=True)
    print(f"found on day {found}" if found else "no change was found")


if __name__ == "__main__":
    main()
