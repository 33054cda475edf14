#!/usr/bin/env python3
"""Two limits of nearly the same height, and none: does jdyno name both, and does it name nothing?

    two.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR pairs [NAME ...] [--seeds 1,2,3] [--lift]
    two.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR healthy [NAME ...] [--seeds 1,2,3]
    two.py --out DIR report

`pairs` starts each service of `Planted --list-pairs` and runs it. With --lift it starts the same service again, once with only the limit that jdyno
names first lifted, and once with both, to measure the gains that the result gives. `healthy` starts each service of `Planted --list-healthy`, sends
it the light load of its label (Poisson arrivals), and diagnoses it from that load alone. Each service is one line of DIR/pairs.jsonl or
DIR/healthy.jsonl; one that is there is not measured again.
"""
import argparse, json, os, pathlib, shlex, statistics, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import Service, catalogue

LIFTED = 3
SURE = 0.9


def run(args, service, folder, loads):
    command = [*shlex.split(args.jdyno), "run", service.url, "--pid", str(service.process.pid), "--concurrency", ",".join(map(str, loads)),
               "--out", str(folder)]
    result = folder / "result.json"
    result.unlink(missing_ok=True)  # of an earlier call: not the answer of this one
    done = subprocess.run(command, capture_output=True, text=True)
    if not result.exists():
        raise RuntimeError(f"no result: {' '.join(command)}\n{done.stdout}{done.stderr}")
    (folder / "terminal.txt").write_text(done.stdout)
    return json.loads(result.read_text())


def best(result):
    """Best mean throughput of a load."""
    loads = {r["concurrency"] for r in result["rounds"]}
    return max(statistics.mean(r["qps"] for r in result["rounds"] if r["concurrency"] == n) for n in loads)


def pair(args, case, seed):
    planted = [case["bottleneck"], *case["also"]]
    row = {"case": case["case"], "seed": seed, "planted": planted}
    n = case["concurrency"]
    loads = [1, 4, n // 2, n, 2 * n]
    label = f"{case['case']}-{seed}"
    with Service(args, case, seed) as service:
        result = run(args, service, args.out / label, loads)
    verdict = result["verdict"]
    row.update(valid=result["validity"]["ok"], verdict=verdict["bottleneck"], where=verdict["where"], confidence=verdict["confidence"],
               next=verdict["nextLimit"], runnersUp=[r["bottleneck"] for r in verdict["runnersUp"] if r["possible"]], qps=best(result))
    if args.lift and verdict["bottleneck"] in planted and case["case"] != "pair-gc-cpu":
        is_second = "Stock" in verdict["where"] if planted[0] == planted[1] else verdict["bottleneck"] == planted[1]
        first = "secondPercent" if is_second else "firstPercent"
        for row_name, lifts in (("first", [first]), ("both", ["firstPercent", "secondPercent"])):
            with Service(args, case, seed, [(name, LIFTED) for name in lifts]) as service:
                row[row_name] = best(run(args, service, args.out / f"{label}-{row_name}", loads)) / row["qps"]
    return row


def healthy(args, case, seed):
    row = {"case": case["case"], "seed": seed, "note": case["note"]}
    with Service(args, case, seed) as service:
        traffic = subprocess.Popen(
            [*shlex.split(args.jdyno), "load", service.url, "-c", "50", "--rate", str(case["concurrency"]), "-d", f"{args.seconds + 25}s",
             "--arrivals", "poisson", "--warmup", "0s", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            done = subprocess.run(
                [*shlex.split(args.jdyno), "diagnose", str(service.process.pid), "--headroom", "--duration", f"{args.seconds}s", "--json", "--no-store"],
                capture_output=True, text=True)
            if not done.stdout:
                raise RuntimeError(f"no diagnosis: {done.stderr[:300]}")
            seen = json.loads(done.stdout)
        finally:
            traffic.terminate()
            traffic.wait()
    headroom = seen["headroom"] or {}
    first, bound = headroom.get("first"), headroom.get("bound")
    row.update(verdict=seen["verdict"]["bottleneck"], confidence=seen["verdict"]["confidence"], says=seen["verdict"]["says"],
               inFlight=seen["inFlight"], times=first and first["timesNow"], atLeast=bound and bound["timesNow"], of=bound and bound["name"])
    return row


def measure(args):
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / f"{args.kind}.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(r["case"], r["seed"]) for r in rows}
    for case in catalogue(args, args.kind).values():
        short = case["case"].split("-", 1)[1]
        if args.what and short not in args.what and case["case"] not in args.what:
            continue
        for seed in args.seeds:
            if (case["case"], seed) in done:
                continue
            try:
                row = args.one(args, case, seed)
            except (RuntimeError, json.JSONDecodeError) as failed:
                row = {"case": case["case"], "seed": seed, "failure": str(failed)[:400]}
            with file.open("a") as out:
                out.write(json.dumps(row) + "\n")
            print(json.dumps(row), flush=True)


def ratio(value):
    return "" if value is None else f"× {value:.2f}"


def report_pairs(rows):
    print("| pair | seed | verdict | second limit | both named | only the first lifted: at most, measured | both lifted: at most, measured |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    named = among = false = run_ = 0
    for r in rows:
        if "failure" in r:
            print(f"| {r['case']} | {r['seed']} | failed: {r['failure'][:60]} | | | | |")
            continue
        run_ += 1
        second = r["next"]
        names = [r["verdict"]] + ([second["bottleneck"]] if second else [])
        both = sorted(names) == sorted(r["planted"])
        named += both
        among += set(r["planted"]) <= set(names + r["runnersUp"])
        false += r["verdict"] not in r["planted"] and r["confidence"] >= SURE
        after = second and second["after"]
        print(f"| {r['case']} | {r['seed']} | {r['verdict']} {r['confidence']:.2f} | "
              f"{second['bottleneck'] + ' ' + format(second['confidence'], '.2f') if second else 'none'} | {'yes' if both else 'no'} | "
              f"{ratio(second and 1 + second['gainOfFirst'])}, {ratio(r.get('first'))} | "
              f"{ratio(after and 1 + after['gainOfBoth'])}, {ratio(r.get('both'))} |")
    print(f"\nboth named {named} of {run_}; both among the names and runners-up {among}; false names of {SURE} and more {false}\n")


def headroom_of(row):
    if row["times"] is not None:
        return ratio(row["times"])
    return "" if row.get("atLeast") is None else f"at least {ratio(row['atLeast'])} ({row['of']})"


def report_healthy(rows):
    print("| service | seed | verdict | requests in flight | headroom | nothing is saturated |")
    print("| --- | --- | --- | --- | --- | --- |")
    none = false = run_ = 0
    for r in rows:
        if "failure" in r:
            print(f"| {r['case']} | {r['seed']} | failed: {r['failure'][:60]} | | | |")
            continue
        run_ += 1
        said = "is saturated" in r["says"] and r["says"].startswith("Nothing")
        none += said
        false += r["verdict"] != "load" and r["confidence"] >= SURE
        flight = "" if r["inFlight"] is None else f"{r['inFlight']:.1f}"
        print(f"| {r['case']} | {r['seed']} | {r['verdict']} {r['confidence']:.2f} | {flight} | {headroom_of(r)} | {'yes' if said else 'no'} |")
    print(f"\n\"nothing is saturated\" {none} of {run_}; false names of {SURE} and more {false}")


def report(args):
    for kind, table in (("pairs", report_pairs), ("healthy", report_healthy)):
        file = args.out / f"{kind}.jsonl"
        if file.exists():
            table([json.loads(line) for line in file.read_text().splitlines()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="jdyno", help="how the tool is started")
    parser.add_argument("--lab", default="lab/target/jdyno-lab.jar", help="the lab's jar, or its class path")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java")
    verbs = parser.add_subparsers(required=True)
    for kind, one in (("pairs", pair), ("healthy", healthy)):
        verb = verbs.add_parser(kind)
        verb.add_argument("what", nargs="*", metavar="NAME")
        verb.add_argument("--seeds", type=lambda text: [int(s) for s in text.split(",")], default=[1])
        verb.add_argument("--seconds", type=int, default=75, help="of a diagnosis")
        verb.add_argument("--lift", action="store_true", help="also measure the service with the first limit lifted, and with both")
        verb.set_defaults(does=measure, kind=kind, one=one)
    verb = verbs.add_parser("report")
    verb.set_defaults(does=report)
    args = parser.parse_args()
    args.does(args)


if __name__ == "__main__":
    main()
