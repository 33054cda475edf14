#!/usr/bin/env python3
"""The demo beside neighbours: are the knee and the name right when other processes use the machine?

    bench/noise/demos.py [--moment 20] [--always 10] [--none 10] [--quick] [--seed 1] [--csv demos.csv] [--resume] [--at-most N] [--out DIR]

--moment runs have a neighbour that burns one core for 5 to 20 s at a random time of the run, --always runs one that burns it
all the time, --none runs are alone. The three kinds are interleaved. Each run prints a row as it ends: kind, when the neighbour
burnt, knee, its distance from F1, X at saturation, the name and its confidence, whether the verdict claims that throughput
falls (the demo's does not, so such a claim is false), disturbed rounds that were left out and that count all the same, valid,
seconds. The last lines sum up by kind: knees within 10 % of F1, names, false claims, disturbed rounds, seconds.

The rows are appended to the CSV as they come. --resume goes on with it: runs that it holds are not run again, those without a
result are. --at-most ends after so many runs. --quick takes the same service and downstream with rounds of 2 s and a short
warm-up: some 50 s a run in place of some 100 s. --out keeps each run's folder. Whatever was started is ended, also on Ctrl-C,
SIGTERM and SIGHUP.
"""
import argparse
import contextlib
import csv
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# it ends with us, too, where we are killed
BURN = "import os\nours = os.getppid()\nwhile os.getppid() == ours:\n    for _ in range(100000): pass"
NEAR = 0.10
# of a run: before that there is nothing to disturb, and after it the diagnostic windows are over
FULL_S = (8, 80)
QUICK_S = (4, 40)
# id of the evidence line that more load than the best gives much less
FALLS = "throughput-left"
JAVA = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
KEY = ["seed", "mode", "run", "kind", "fromS", "forS"]
FIGURES = ["knee", "f1", "distance", "qps", "name", "confidence", "falls", "rounds", "leftOut", "kept", "valid", "seconds", "by"]
YES = {True: "yes", False: "no"}


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
    with ended([sys.executable, "-c", BURN]):
        stop.wait(seconds)


@contextlib.contextmanager
def neighbour(after, seconds):
    """Burns one core beside the block; for 0 seconds: no neighbour."""
    if not seconds:
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
        raise SystemExit("the downstream did not print its port")


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
            process = subprocess.Popen(command + ["--out", out, "--no-color"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                process.wait()
            finally:
                if process.poll() is None:
                    # it ends what it started, which a killed one could not
                    process.terminate()
                    process.wait()
        took = time.perf_counter() - start
    try:
        with open(os.path.join(out, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
    except FileNotFoundError:
        return None, took
    return (result if result["rounds"] else None), took


def figures(result, took):
    """What the table shows of a result."""
    knee = result["knee"] or {}
    at = knee.get("concurrency")
    f1 = (knee.get("predicted") or {}).get("concurrency")
    verdict = result["verdict"]
    left = result.get("leftOut") or []
    kept = [r for r in result["rounds"] if r.get("disturbance")]
    by = {n["name"] for r in left + kept for n in r["disturbance"]["by"] or []}
    number = lambda value, digits: "" if value is None else f"{value:.{digits}f}"
    return {"knee": number(at, 2), "f1": number(f1, 2), "distance": number(at / f1 - 1 if at and f1 else None, 3),
            "qps": number(knee.get("qps"), 1), "name": verdict["bottleneck"], "confidence": number(verdict["confidence"], 2),
            "falls": YES[any(line["id"] == FALLS for line in verdict["evidence"])], "rounds": str(len(result["rounds"])),
            "leftOut": str(len(left)), "kept": str(len(kept)), "valid": YES[result["validity"]["ok"]], "seconds": number(took, 0),
            "by": ";".join(sorted(by))}


def planned(given):
    """All runs: a function of the options, so that a set that was interrupted goes on as it began."""
    dice = random.Random(given.seed)
    kinds = ["moment"] * given.moment + ["always"] * given.always + ["none"] * given.none
    dice.shuffle(kinds)
    runs = []
    for number, kind in enumerate(kinds, 1):
        moment = (dice.uniform(*(QUICK_S if given.quick else FULL_S)), dice.uniform(5, 20))
        after, seconds = {"none": (0, 0), "always": (0, 9999)}.get(kind, moment)
        key = [given.seed, "quick" if given.quick else "demo", number, kind, f"{after:.1f}", f"{seconds:.1f}"]
        runs.append(dict(zip(KEY, map(str, key))))
    return runs


def key(row):
    return tuple(row[k] for k in KEY)


def finished(given, runs):
    """The rows that the CSV holds by their keys; makes it where there is none."""
    if not os.path.exists(given.csv):
        with open(given.csv, "x", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(KEY + FIGURES)
        return {}
    if not given.resume:
        raise SystemExit(f"{given.csv} exists: go on with it by --resume, or name another file with --csv")
    with open(given.csv, encoding="utf-8", newline="") as file:
        text = file.read()
    whole = text[:text.rfind("\n") + 1]
    if whole != text:
        # we were killed while we wrote the last line
        with open(given.csv, "w", encoding="utf-8", newline="") as file:
            file.write(whole)
    reader = csv.DictReader(whole.splitlines())
    if reader.fieldnames != KEY + FIGURES:
        raise SystemExit(f"{given.csv} has other columns than {','.join(KEY + FIGURES)}: name another file with --csv")
    rows = {key(row): row for row in reader}
    strange = set(rows) - {key(run) for run in runs}
    if strange:
        raise SystemExit(f"{given.csv} holds run {sorted(strange)[0]}, which is none of this set: give the options (--seed, --quick, the numbers) "
                         "that it began with, or name another file with --csv")
    return rows


def append(file, row):
    """Whole or not at all, and there when the machine stops."""
    with open(file, "a", encoding="utf-8", newline="") as out:
        csv.writer(out).writerow([row[c] for c in KEY + FIGURES])
        out.flush()
        os.fsync(out.fileno())


def folder_of(base, run):
    """A new one for each attempt."""
    attempt = 1
    while True:
        folder = os.path.join(base, f"{int(run['run']):02}-{run['kind']}" + (f"-{attempt}" if attempt > 1 else ""))
        try:
            os.makedirs(folder, mode=0o700)
            return folder
        except FileExistsError:
            attempt += 1


HEAD = (f"{'run':>3} {'kind':7} {'from':>4} {'for':>4} {'knee':>6} {'F1':>6} {'dist.':>6} {'X/s':>6} {'name':14} {'conf':>4} "
        f"{'falls':5} {'n':>2} {'left':>4} {'kept':>4} {'valid':5} {'s':>4} by")


def head(run):
    return f"{run['run']:>3} {run['kind']:7} {float(run['fromS']):4.0f} {float(run['forS']):4.0f}"


def line(row):
    distance = f"{float(row['distance']):+.1%}" if row["distance"] else "-"
    return (f"{head(row)} {row['knee'] or '-':>6} {row['f1'] or '-':>6} {distance:>6} {row['qps'] or '-':>6} {row['name']:14} {row['confidence']:>4} "
            f"{'FALSE' if row['falls'] == 'yes' else '-':5} {row['rounds']:>2} {row['leftOut']:>4} {row['kept']:>4} {row['valid']:5} {row['seconds']:>4} "
            f"{row['by'] or '-'}")


def sums(name, rows):
    near = sum(bool(r["distance"]) and abs(float(r["distance"])) <= NEAR for r in rows)
    return (f"{name:7} {len(rows)} runs: {near} knees within {NEAR:.0%} of F1; name cpu in {sum(r['name'] == 'cpu' for r in rows)}; "
            f"false 'throughput falls' in {sum(r['falls'] == 'yes' for r in rows)}; disturbed rounds {sum(int(r['leftOut']) for r in rows)} left out, "
            f"{sum(int(r['kept']) for r in rows)} kept; {sum(r['valid'] == 'yes' for r in rows)} valid; "
            f"median {statistics.median(float(r['seconds']) for r in rows):.0f} s")


def options():
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--moment", type=int, default=20)
    known.add_argument("--always", type=int, default=10)
    known.add_argument("--none", type=int, default=10)
    known.add_argument("--quick", action="store_true")
    known.add_argument("--seed", type=int, default=1)
    known.add_argument("--csv", default="demos.csv", help="one line is appended for each run that ended with a result")
    known.add_argument("--resume", action="store_true", help="go on with the CSV, without the runs that it holds")
    known.add_argument("--at-most", type=int, help="end after so many runs")
    known.add_argument("--out", help="keep the folders of the runs here")
    known.add_argument("--jdyno", default="./jdyno")
    known.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    given = known.parse_args()
    if min(given.moment, given.always, given.none) < 0 or given.at_most is not None and given.at_most < 0:
        known.error("numbers of runs are 0 or more")
    for needed in [given.jdyno] + ([given.lab] if given.quick else []):
        if not os.path.exists(needed):
            known.error(f"{needed} does not exist: build it, and call this from the project's folder or name it by --jdyno or --lab")
    return given


def end_on_signals():
    """The blocks that are open then end what they started."""
    def leave(number, _):
        # a second one must not cut that short
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        # under nohup it stays ignored
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, leave)


def main():
    given = options()
    end_on_signals()
    runs = planned(given)
    rows = finished(given, runs)
    left = given.at_most
    print(HEAD, flush=True)
    with contextlib.ExitStack() as stack:
        base = given.out or stack.enter_context(tempfile.TemporaryDirectory(prefix="demos-"))
        for run in runs:
            if key(run) in rows:
                print(line(rows[key(run)]), flush=True)
                continue
            if left == 0:
                break
            left = None if left is None else left - 1
            folder = folder_of(base, run)
            result, took = measured(given, folder, float(run["fromS"]), float(run["forS"]))
            if not result:
                print(f"{head(run)} no result after {took:.0f} s" + (f", see {folder}/log" if given.out else " (--out keeps its log)"), flush=True)
                continue
            row = run | figures(result, took)
            append(given.csv, row)
            rows[key(run)] = row
            print(line(row), flush=True)
    for kind in ("none", "moment", "always"):
        of_kind = [r for r in rows.values() if r["kind"] == kind]
        if of_kind:
            print(sums(kind, of_kind))
    if rows:
        print(sums("all", list(rows.values())))
    if len(rows) < len(runs):
        print(f"{len(runs) - len(rows)} of {len(runs)} runs are missing: --resume runs them")


if __name__ == "__main__":
    main()
