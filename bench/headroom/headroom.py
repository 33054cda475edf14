#!/usr/bin/env python3
"""Compares the limit that `diagnose --headroom` gives from natural traffic with the measured one.

A planted service of the lab is warmed up and its maximum is measured with a closed load. Then traffic of an open model goes through a day in
--seconds (a curve between --low and --high of that maximum, Poisson arrivals), never above, while `jdyno diagnose --headroom` watches. Then the
maximum is measured again; the mean of both counts, and their ratio is printed, because it says how well the truth is known.

    headroom.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR measure [CASE ...] [--seeds 1,2,3]
    headroom.py --out DIR report

Each pair is one line of DIR/pairs.jsonl; a pair that is there is not measured again.
"""
import argparse, json, math, os, pathlib, random, shlex, statistics, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import Service, catalogue

CASES = ["cpu", "cpu-garbage", "cpu-regex", "cpu-exceptions", "gc-allocation", "cpu-system-calls"]


def load(args, *options):
    """The result of `jdyno load`; a result that is not valid (exit 3) is one, too."""
    done = subprocess.run([*shlex.split(args.jdyno), "load", *options, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"load failed: {done.stderr[:300]}")
    return json.loads(done.stdout)


def maximum(args, service, concurrency):
    return load(args, service.url, "-c", str(concurrency), "-d", "12s")["qps"]


def day(args, most, seed):
    """Rates of a day: a wave with noise and a burst, in steps of equal length."""
    draw = random.Random(seed)
    middle, half = (args.low + args.high) / 2, (args.high - args.low) / 2
    rates = []
    for step in range(args.steps):
        share = middle + half * math.sin(2 * math.pi * step / args.steps * 2) * 0.8 + half * 0.2 * draw.uniform(-1, 1)
        if step == args.steps // 3:
            share = args.high
        rates.append(max(1, round(min(args.high, max(args.low, share)) * most)))
    return rates


def pair(args, case, seed):
    row = {"case": case["case"], "seed": seed}
    with Service(args, case, seed) as service:
        load(args, service.url, "-c", str(case["concurrency"]), "-d", f"{args.warm}s")
        before = maximum(args, service, case["concurrency"])
        rates = day(args, before, seed)
        traffic = subprocess.Popen(
            [*shlex.split(args.jdyno), "load", service.url, "-c", "50", "--rate", ",".join(map(str, rates)), "-d", f"{args.seconds + 15}s",
             "--arrivals", "poisson", "--warmup", "0s", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            done = subprocess.run(
                [*shlex.split(args.jdyno), "diagnose", str(service.process.pid), "--headroom", "--duration", f"{args.seconds}s", "--json", "--no-store"],
                capture_output=True, text=True)
            seen = json.loads(done.stdout)
        finally:
            traffic.wait()
        after = maximum(args, service, case["concurrency"])
    row.update(before=before, after=after, rates=rates, bottleneck=seen["verdict"]["bottleneck"], **(seen["headroom"] or {}))
    return row


def measure(args):
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "pairs.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(r["case"], r["seed"]) for r in rows}
    known = catalogue(args)
    for name in args.what or CASES:
        for seed in args.seeds:
            if (name, seed) in done:
                continue
            try:
                row = pair(args, known[name], seed)
            except (RuntimeError, json.JSONDecodeError) as failed:
                row = {"case": name, "seed": seed, "failure": str(failed)[:400]}
            with file.open("a") as out:
                out.write(json.dumps(row) + "\n")
            print(json.dumps(row), flush=True)


def report(args):
    rows = [json.loads(line) for line in (args.out / "pairs.jsonl").read_text().splitlines()]
    print("| service | seed | measured maximum (second ÷ first) | limit by headroom (95 %) | limit ÷ measured | seen up to |")
    print("| --- | --- | --- | --- | --- | --- |")
    known = []
    for r in rows:
        if "failure" in r:
            print(f"| {r['case']} | {r['seed']} | failed: {r['failure'][:60]} | | | |")
            continue
        truth = (r["before"] + r["after"]) / 2
        measured = f"{truth:.0f}/s ({r['after'] / r['before']:.2f})"
        if "limitPerS" not in r:
            print(f"| {r['case']} | {r['seed']} | {measured} | {r.get('reason')} | | |")
            continue
        known.append((r, truth))
        low, high = r["ci95"]
        print(f"| {r['case']} | {r['seed']} | {measured} | {r['limitPerS']:.0f}/s ({low:.0f} to {high:.0f}) | {r['limitPerS'] / truth:.2f} | "
              f"{r['highestUtilisation']:.0%} |")
    if known:
        inside = sum(r["ci95"][0] <= t <= r["ci95"][1] for r, t in known)
        near = sum(abs(r["limitPerS"] / t - 1) <= 0.2 for r, t in known)
        ratios = [r["limitPerS"] / t for r, t in known]
        print(f"\nwithin the interval {inside} of {len(known)}, within 20 % {near} of {len(known)}, median ratio {statistics.median(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="jdyno", help="how the tool is started")
    parser.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java")
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("measure")
    verb.add_argument("what", nargs="*", metavar="CASE")
    verb.add_argument("--seeds", type=lambda text: [int(s) for s in text.split(",")], default=[1])
    verb.add_argument("--seconds", type=int, default=150)
    verb.add_argument("--warm", type=int, default=20)
    verb.add_argument("--steps", type=int, default=12)
    verb.add_argument("--low", type=float, default=0.2)
    verb.add_argument("--high", type=float, default=0.6)
    verb.set_defaults(does=measure)
    verb = verbs.add_parser("report")
    verb.set_defaults(does=report)
    args = parser.parse_args()
    args.does(args)


if __name__ == "__main__":
    main()
