#!/usr/bin/env python3
"""Compares the limit that `diagnose --headroom` gives from natural traffic with the measured one.

A planted service of the lab, or an application of apps.json, is warmed up and its maximum is measured with a closed load. Then traffic of an open model goes through a day in
--seconds (a curve between --low and --high of that maximum, Poisson arrivals), never above, while `jdyno diagnose --headroom` watches. Then the
maximum is measured again; the mean of both counts, and their ratio is printed, because it says how well the truth is known.

    headroom.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR measure [CASE ...] [--seeds 1,2,3]
    headroom.py --out DIR report

Each pair is one line of DIR/pairs.jsonl; a pair that is there is not measured again.
"""
import argparse, json, math, os, pathlib, random, shlex, socket, statistics, subprocess, sys, tempfile, time, urllib.error, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import Service, catalogue, end

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
START_S = 90

CASES = ["cpu", "cpu-garbage", "cpu-regex", "cpu-exceptions", "gc-allocation", "cpu-system-calls"]


def load(args, *options):
    """The result of `jdyno load`; a result that is not valid (exit 3) is one, too."""
    done = subprocess.run([*shlex.split(args.jdyno), "load", *options, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"load failed: {done.stderr[:300]}")
    return json.loads(done.stdout)


def maximum(args, service, concurrency):
    return load(args, *service.target, "-c", str(concurrency), "-d", "12s")["qps"]


class Application:
    """An application that is started for one pair. Its requests are drawn by the weights of its paths."""

    def __init__(self, case):
        self.case = case

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory()
        words = shlex.split(self.case["command"].replace("{port}", str(port)))
        self.process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        paths = self.case["paths"]
        try:
            self.await_answer(url + next(iter(paths)))
        except BaseException:
            self.__exit__()
            raise
        workload = pathlib.Path(self.folder.name) / "workload.yaml"
        journeys = [{"name": f"path{i}", "weight": weight, "steps": [{"path": path}]} for i, (path, weight) in enumerate(paths.items())]
        workload.write_text(json.dumps({"journeys": journeys}))  # JSON is YAML
        self.target = [url, "--workload", str(workload)]
        return self

    def await_answer(self, url):
        until = time.monotonic() + START_S
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urllib.request.urlopen(url, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        raise RuntimeError(f"did not start: {self.case['command']}")

    def __exit__(self, *_):
        end(self.process)
        self.folder.cleanup()


class Planted(Service):
    def __enter__(self):
        super().__enter__()
        self.target = [self.url]
        return self


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
    row = {"case": case["case"], "seed": seed, "limit": case.get("limit", "cpu")}
    with Application(case) if "command" in case else Planted(args, case, seed) as service:
        load(args, *service.target, "-c", str(case["concurrency"]), "-d", f"{args.warm}s")
        before = maximum(args, service, case["concurrency"])
        rates = day(args, before, seed)
        traffic = subprocess.Popen(
            [*shlex.split(args.jdyno), "load", *service.target, "-c", "50", "--rate", ",".join(map(str, rates)), "-d", f"{args.seconds + 15}s",
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
    applications = {case["case"]: case for case in json.loads((HERE / "apps.json").read_text())}
    known.update(applications)
    for name in args.what or [*CASES, *applications]:
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
    print("| service | seed | measured maximum (second ÷ first) | limits | first limit by headroom (95 %) | limit ÷ measured | seen up to |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    known = []
    for r in rows:
        if "failure" in r:
            print(f"| {r['case']} | {r['seed']} | failed: {r['failure'][:60]} | | | | |")
            continue
        truth = (r["before"] + r["after"]) / 2
        measured = f"{truth:.0f}/s ({r['after'] / r['before']:.2f})"
        first = r.get("first")
        if first is None:
            bound = r.get("bound")
            least = f"; at least {bound['limitPerS']:.0f}/s by {bound['name']}" if bound else ""
            print(f"| {r['case']} | {r['seed']} | {measured} | {r['limit']} | none: {r.get('reason')}{least} | | |")
            continue
        known.append((r, first, truth))
        low, high = first["ci95"]
        used = r.get("highestUtilisation") if first["kind"] == "cpu" else next(
            (p["highestUtilisation"] for p in r["pools"] + r.get("disks", []) if first["name"] in (p.get("name"), p.get("device"))), None)
        seen = "" if used is None else f"{used:.0%}"
        print(f"| {r['case']} | {r['seed']} | {measured} | {r['limit']} | {first['name']} {first['limitPerS']:.0f}/s ({low:.0f} to {high:.0f}) | "
              f"{first['limitPerS'] / truth:.2f} | {seen} |")
    if known:
        inside = sum(f["ci95"][0] <= t <= f["ci95"][1] for _, f, t in known)
        near = sum(abs(f["limitPerS"] / t - 1) <= 0.2 for _, f, t in known)
        named = sum(f["kind"] == r["limit"] for r, f, _ in known)
        ratios = [f["limitPerS"] / t for _, f, t in known]
        n = len(known)
        print(f"\n{n} limits of {len(rows)} pairs: within the interval {inside}, within 20 % {near}, resource right {named}, "
              f"median ratio {statistics.median(ratios):.2f}")


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
