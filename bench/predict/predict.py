#!/usr/bin/env python3
"""Compares what a run predicts of a change with what the changed service gives.

A planted service of the lab is run, and the recommendations of its report are kept. Then the same service, from the same seed,
is started with one parameter multiplied (`--lift`), which is what the recommendation asks for, and run at the same load:

    predict.py --jdyno "java -jar jdyno.jar" --lab lab/target/jdyno-lab.jar --out DIR measure [CASE:LIFT ...] [--seeds 1,2,3]
    predict.py --out DIR report [--bounds] [--without DIR2] [--record FILE]

Without names `measure` takes all lifts of LIFTS. Each pair is one line of DIR/pairs.jsonl; a pair that is there is not measured
again. `report` prints the table by kind of change. --bounds begins the range of each bound at the share that the other pairs of its kind
reached. --without leaves out the services of DIR2. --record writes what the tool reads (diagnose/…/gain/record.tsv).
"""
import argparse, json, os, pathlib, shlex, statistics, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import Service, catalogue

# case: {lift: (kind of change, factor of the parameter, ids of the recommendations that ask for it)}
# Kinds are those of dev.jdyno.diagnose.gain.ChangeKind.
HALF_CPU = ("less-cpu", 0.5, ["cpu-halve"])
SHORTER = ("shorter-hold", 0.5, ["lock-shorter", "pool-shorter", "pool-query", "pool-no-sleep", "pool-call-outside"])
PLACES = ("more-places", 2, ["pool-double", "threads", "executor-larger", "loops-more"])
WAIT = ("shorter-wait", 0.5, ["downstream-halve", "queries-faster", "wait-shorter", "task-shorter"])
OTHER_SIDE = ("faster-peer", 2, ["downstream-double", "limit-double", "disk-faster"])
LINES = ("less-logging", 0.5, ["logging-less"])
ALLOCATION = ("less-garbage", 0.5, ["allocate-less", "live-less", "hold-less", "arrays-smaller"])
LIFTS = {
    "cpu": {"tenthsOfMs": HALF_CPU},
    "cpu-exceptions": {"throws": ("less-cpu", 0.5, ["cpu-halve"])},
    "cpu-garbage": {"tenthsOfMs": HALF_CPU},
    "cpu-regex": {"words": HALF_CPU},
    "cpu-system-calls": {"bytes": HALF_CPU},
    "cpu-quota": {"percentOfACore": ("more-cores", 2, ["quota-raise"]), "tenthsOfMs": HALF_CPU},
    "event-loop-cpu": {"tenthsOfMs": ("shorter-wait", 0.5, ["loop-unblock"])},
    "event-loop-blocked": {"callMs": ("shorter-wait", 0.5, ["loop-unblock"]), "loops": PLACES},
    "lock-synchronized": {"heldTenthsOfMs": SHORTER},
    "lock-reentrant": {"heldTenthsOfMs": SHORTER},
    "lock-virtual": {"tenthsOfMs": SHORTER},
    "lock-over-io": {"heldMs": SHORTER},
    "connection-pool-database": {"connections": PLACES, "queryMs": SHORTER},
    "connection-pool-held": {"connections": PLACES, "heldMs": SHORTER},
    "connection-pool-http": {"connections": PLACES, "callMs": SHORTER},
    "connection-pool-virtual": {"connections": PLACES, "queryMs": SHORTER},
    "thread-pool-own": {"threads": PLACES, "callMs": WAIT},
    "thread-pool-tomcat": {"threads": PLACES, "callMs": WAIT},
    "thread-pool-undertow": {"threads": PLACES, "callMs": WAIT},
    "pool-starvation-inner": {"threads": PLACES, "callMs": WAIT},
    "pool-starvation-nested": {"threads": PLACES},
    "downstream-slots": {"callMs": WAIT, "slots": OTHER_SIDE},
    "downstream-pooled": {"callMs": WAIT, "slots": OTHER_SIDE},
    "downstream-virtual": {"callMs": WAIT, "slots": OTHER_SIDE},
    "database-saturated": {"queryMs": WAIT},
    "rate-limit-sleep": {"perSecond": OTHER_SIDE},
    "rate-limit-semaphore": {"permitsEach10Ms": OTHER_SIDE},
    "logging-caller": {"lines": LINES},
    "logging-queue": {"lines": LINES},
    "logging-slow-sink": {"kilobytesPerSecond": ("faster-peer", 2, ["logging-sink"])},
    "gc-allocation": {"megabytes": ALLOCATION},
    "gc-promotion": {"holdMs": ALLOCATION},
    "gc-stall": {"megabytes": ALLOCATION},
}


def run(args, service, folder, loads):
    command = [*shlex.split(args.jdyno), "run", f"http://127.0.0.1:{service.port}/", "--pid", str(service.process.pid),
               "--concurrency", ",".join(map(str, loads)), "--out", str(folder)]
    result = folder / "result.json"
    result.unlink(missing_ok=True)  # of an earlier call: not the answer of this one
    done = subprocess.run(command, capture_output=True, text=True)
    if not result.exists():
        raise RuntimeError(f"no result: {' '.join(command)}\n{done.stdout}{done.stderr}")
    (folder / "terminal.txt").write_text(done.stdout)
    return json.loads(result.read_text())


def throughput(result, concurrency):
    """Mean of the rounds of one load."""
    found = [r["qps"] for r in result["rounds"] if r["concurrency"] == concurrency]
    return statistics.mean(found) if found else None


def predicted(result, ids):
    """The first recommendation that asks for the change, else None."""
    for r in result["prescriptions"]:
        if r["id"] in ids:
            return r
    return None


FAULTY = {}  # results of this process, by folder


def faulty(args, case, seed, loads, folder):
    """One faulty run serves all lifts of its case. A result of an earlier call may be of another jdyno: it is measured again."""
    if folder not in FAULTY:
        with Service(args, case, seed) as service:
            FAULTY[folder] = run(args, service, folder, loads)
    return FAULTY[folder]


def pair(args, case, name, seed):
    kind, factor, ids = LIFTS[case["case"]][name]
    n = case["concurrency"]
    loads = sorted({1, max(2, n // 4), n, 2 * n})
    label = f"{case['case']}-{seed}"
    row = {"case": case["case"], "lift": name, "factor": factor, "kind": kind, "seed": seed}
    before = faulty(args, case, seed, loads, args.out / f"{label}-faulty")
    row["verdict"] = before["verdict"]["bottleneck"]
    row["valid"] = before["validity"]["ok"]
    wanted = predicted(before, ids)
    row["recommendation"] = wanted and wanted["id"]
    if wanted is None or wanted["expected"] is None:
        return {**row, "withheld": wanted["formula"] if wanted else "not recommended"}
    expected = wanted["expected"]
    at = (before.get("operatingPoint") or {}).get("concurrency") or n
    now = throughput(before, at)
    low, high = expected["ci95"] or (expected["qps"], expected["qps"])
    row.update(atMost=wanted["atMost"], now=now, predicted=expected["qps"] / now, low=low / now, high=high / now)
    # what a change gives only under more load is measured under that load
    after_loads = sorted({at, max(1, expected["atConcurrency"])})
    with Service(args, case, seed, [(name, factor)]) as service:
        after = run(args, service, args.out / f"{label}-{name}-lifted", after_loads)
    row["validAfter"] = after["validity"]["ok"]
    row["measured"] = throughput(after, max(1, expected["atConcurrency"])) / now
    return row


def measure(args):
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "pairs.jsonl"
    cases = catalogue(args)
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(r["case"], r["lift"], r["seed"]) for r in rows}
    wanted = [tuple(w.split(":", 1)) for w in args.what] or [(c, lift) for c in LIFTS for lift in LIFTS[c]]
    for case, lift in wanted:
        if case not in cases or lift not in LIFTS.get(case, {}):
            sys.exit(f"{case}:{lift} is no lift; those are " + " ".join(f"{c}:{x}" for c in LIFTS for x in LIFTS[c]))
        for seed in args.seeds:
            if (case, lift, seed) in done:
                continue
            try:
                row = pair(args, cases[case], lift, seed)
            except RuntimeError as failed:
                row = {"case": case, "lift": lift, "kind": LIFTS[case][lift][0], "seed": seed, "failure": str(failed)[:400]}
            with file.open("a") as out:
                out.write(json.dumps(row) + "\n")
            print(json.dumps(row), flush=True)


FEW = 4  # as in KindRecord
NOISE = 0.03  # two runs of one service differ by as much


def judged(rows):
    """Pairs with a prediction and a measurement, of valid runs."""
    return [r for r in rows if "measured" in r and r["valid"] and r["validAfter"]]


def within(row):
    return row["low"] * (1 - NOISE) <= row["measured"] <= row["high"] * (1 + NOISE)


def near(row):
    return abs((row["low"] + row["high"]) / 2 / row["measured"] - 1) <= 0.2


def least(rows):
    """Share of its bound that the next pair will probably reach: the least share of n pairs, × n / (n + 2) because n is small. 0 of few pairs."""
    shares = [(r["measured"] - 1) / (r["predicted"] - 1) for r in rows if r["atMost"] and r["predicted"] > 1 + NOISE]
    n = len(shares)
    return min(1, max(0, min(shares) * n / (n + 2))) if n >= FEW else 0


def width(row):
    return (row["high"] - row["low"]) / ((row["high"] + row["low"]) / 2)


def bounded(rows):
    """The pairs, with the lower end that a bound has today (GainRange). The share of its kind is that of a record without the pair itself."""
    good = judged(rows)
    return [{**r, "low": min(r["high"], 1 + least([o for o in good if o is not r and o["kind"] == r["kind"]]) * max(0, min(1, r["high"] - 1)))}
            if r.get("atMost") and "measured" in r else r for r in rows]


def read(folder):
    return [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]


def report(args):
    rows = read(args.out)
    if args.without:
        seen = {r["case"] for r in read(args.without)}
        rows = [r for r in rows if r["case"] not in seen]
    if args.bounds:
        rows = bounded(rows)
    kinds = sorted({r["kind"] for r in rows})
    print("| kind of change | pairs | measured within the range | middle within 20 % | median width | no prediction | failed or not valid |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    record = []
    for kind in [*kinds, None]:
        of_kind = [r for r in rows if kind in (None, r["kind"])]
        good = judged(of_kind)
        withheld = sum("withheld" in r for r in of_kind)
        bad = len(of_kind) - len(good) - withheld
        if good:
            inside, middle = sum(map(within, good)), sum(map(near, good))
            figures = f"{inside} of {len(good)} | {middle} of {len(good)} | {statistics.median(map(width, good)):.0%}"
        else:
            inside, figures = 0, "- | - | -"
        print(f"| {kind or 'all'} | {len(of_kind)} | {figures} | {withheld} | {bad} |")
        if kind and good:
            record.append(f"{kind}\t{len(good)}\t{inside}\t{least(good):.2f}")
    if args.record:
        args.record.write_text("kind\tpairs\twithin\tleast\n" + "".join(line + "\n" for line in record))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="jdyno", help="how the tool is started")
    parser.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java")
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("measure")
    verb.add_argument("what", nargs="*", metavar="CASE:LIFT")
    verb.add_argument("--seeds", type=lambda text: [int(s) for s in text.split(",")], default=[1])
    verb.set_defaults(does=measure)
    verb = verbs.add_parser("report")
    verb.add_argument("--bounds", action="store_true", help="begin the range of a bound at the share that the other pairs of its kind reached")
    verb.add_argument("--without", type=pathlib.Path, metavar="DIR", help="leave out the services that have pairs in DIR")
    verb.add_argument("--record", type=pathlib.Path)
    verb.set_defaults(does=report)
    args = parser.parse_args()
    args.does(args)


if __name__ == "__main__":
    main()
