#!/usr/bin/env python3
"""The demo beside neighbours: are the knee and the name right when other processes use the machine?

    bench/noise/demos.py [--moment 20] [--always 10] [--none 10] [--quick] [--seed 1] [--out DIR] [--jdyno ./jdyno] [--lab lab/target/jdyno-lab.jar]

--moment runs have a neighbour that burns one core for 5 to 20 s at a random time of the run, --always runs one that burns it
all the time, --none runs are alone. The three kinds are interleaved. Each run prints a row: kind, when the neighbour burnt,
knee, F1, their ratio, X at saturation, the name and its confidence, whether it claims that throughput falls, rounds that were
left out and rounds that count though disturbed, valid, seconds. The last lines sum up: knee within 10 % of F1, names, claims.

--quick takes the same service and downstream with rounds of 2 s and a short warm-up: some 50 s a run in place of some 100 s.
--out keeps each run's folder. Whatever was started is ended, also on Ctrl-C.
"""
import argparse
import contextlib
import json
import os
import random
import re
import subprocess
import tempfile
import threading
import time

BURN = "while True: pass"
NEAR = 0.10
# of a run: before that there is nothing to disturb, and after it the diagnostic windows are over
FULL_S = (8, 80)
QUICK_S = (4, 40)
JAVA = os.path.join(os.environ.get("JAVA_HOME", ""), "bin", "java") if os.environ.get("JAVA_HOME") else "java"


@contextlib.contextmanager
def ended(command, **how):
    """A process that is ended with the block."""
    process = subprocess.Popen(command, **how)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def burn(stop, after, seconds):
    """One core from then on for so long, or until it is stopped."""
    if stop.wait(after):
        return
    with ended(["python3", "-c", BURN]):
        stop.wait(seconds)


@contextlib.contextmanager
def neighbour(after, seconds):
    """Burns one core beside the block; None: no neighbour."""
    if after is None:
        yield
        return
    stop = threading.Event()
    thread = threading.Thread(target=burn, args=(stop, after, seconds))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextlib.contextmanager
def downstream(lab):
    """The demo's downstream on a free port."""
    command = [JAVA, "-Xmx64m", "-cp", lab, "dev.jdyno.lab.downstream.Downstream", "--port", "0"]
    with ended(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            found = re.search(r"listening on (\d+)", line)
            if found:
                yield int(found.group(1))
                return
        raise SystemExit("the downstream did not say its port")


def quick(given, folder, port):
    """The demo's plan with shorter rounds."""
    plan = os.path.join(folder, "plan.yaml")
    with open(plan, "w", encoding="utf-8") as out:
        out.write("name: demo\nurl: http://127.0.0.1:{port}/perf?cpu=10&io=80\n"
                  f"target: {{launch: \"java -Xms256m -Xmx256m -cp {os.path.abspath(given.lab)} dev.jdyno.lab.perf.Perf "
                  f"--port {{port}} --max-threads 400 --downstream http://127.0.0.1:{port}\"}}\n"
                  "warmup: {atLeast: 3s, atMost: 12s}\nrounds: {length: 2s, settle: 1s}\nevidence: {window: 2s, dumps: 6}\n")
    return [given.jdyno, "run", plan]


def measured(given, folder, after, seconds):
    """One run: its result, or None, and the seconds it took."""
    out = os.path.join(folder, "out")
    with contextlib.ExitStack() as stack:
        command = quick(given, folder, stack.enter_context(downstream(given.lab))) if given.quick else [given.jdyno, "demo"]
        start = time.perf_counter()
        stack.enter_context(neighbour(after, seconds))
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
            # it ends what it started when it is interrupted, which a killed one could not
            process = subprocess.Popen(command + ["--out", out, "--no-color"], stdout=log, stderr=log)
            try:
                process.wait()
            finally:
                if process.poll() is None:
                    process.terminate()
                    process.wait()
        took = time.perf_counter() - start
    try:
        with open(os.path.join(out, "result.json"), encoding="utf-8") as file:
            return json.load(file), took
    except FileNotFoundError:
        return None, took


def row(result):
    """What a table shows of a result."""
    knee = result["knee"] or {}
    predicted = knee.get("predicted") or {}
    at = knee.get("concurrency")
    f1 = predicted.get("concurrency")
    verdict = result["verdict"]
    left = result.get("leftOut") or []
    kept = [r for r in result["rounds"] if r.get("disturbance")]
    by = {n["name"] for r in left + kept for n in (r["disturbance"]["by"] or [])}
    return {"knee": at, "f1": f1, "ratio": at / f1 if at and f1 else float("nan"), "qps": knee.get("qps"),
            "name": verdict["bottleneck"], "confidence": verdict["confidence"],
            "falls": bool(re.search("[Tt]hroughput falls", verdict["says"])),
            "rounds": len(result["rounds"]), "left": len(left), "kept": len(kept), "by": ",".join(sorted(by)) or "-",
            "valid": result["validity"]["ok"]}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--moment", type=int, default=20)
    options.add_argument("--always", type=int, default=10)
    options.add_argument("--none", type=int, default=10)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", help="keep the folders of the runs here")
    options.add_argument("--jdyno", default="./jdyno")
    options.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    given = options.parse_args()
    dice = random.Random(given.seed)
    kinds = ["moment"] * given.moment + ["always"] * given.always + ["none"] * given.none
    dice.shuffle(kinds)
    rows = []
    print(f"{'run':>3} {'kind':7} {'from':>4} {'for':>4} {'knee':>6} {'F1':>6} {'ratio':>5} {'X/s':>6} {'name':14} {'conf':>4} falls "
          f"{'n':>2} {'left':>4} {'kept':>4} valid {'s':>4} by", flush=True)
    with contextlib.ExitStack() as stack:
        base = given.out or stack.enter_context(tempfile.TemporaryDirectory())
        for number, kind in enumerate(kinds, 1):
            after, seconds = {"none": (None, 0), "always": (0, 1e6)}.get(
                kind, (dice.uniform(*(QUICK_S if given.quick else FULL_S)), dice.uniform(5, 20)))
            folder = os.path.join(base, f"{number:02}-{kind}")
            os.makedirs(folder, mode=0o700)
            result, took = measured(given, folder, after, seconds)
            head = f"{number:3} {kind:7} {after or 0:4.0f} {min(seconds, 999):4.0f}"
            if not result or not result["rounds"]:
                rows.append(None)
                print(f"{head} no result, see {folder}/log; {took:.0f} s", flush=True)
                continue
            r = row(result)
            rows.append(r)
            print(f"{head} {r['knee'] or 0:6.2f} {r['f1'] or 0:6.2f} {r['ratio']:5.2f} {r['qps'] or 0:6.1f} {r['name']:14} "
                  f"{r['confidence']:4.2f} {'FALLS' if r['falls'] else '-':5} {r['rounds']:2} {r['left']:4} {r['kept']:4} "
                  f"{'yes' if r['valid'] else 'NO':5} {took:4.0f} {r['by']}", flush=True)
    known = [r for r in rows if r]
    print(f"{sum(abs(r['ratio'] - 1) <= NEAR for r in known)} of {len(rows)} knees within {NEAR:.0%} of F1; name cpu in "
          f"{sum(r['name'] == 'cpu' for r in known)}; 'throughput falls' in {sum(r['falls'] for r in known)}; "
          f"{sum(r['left'] for r in known)} rounds left out, {sum(r['kept'] for r in known)} kept disturbed")


if __name__ == "__main__":
    main()
