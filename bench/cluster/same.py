#!/usr/bin/env python3
"""Whether a service is judged the same wherever the load and the observer are: verdict, knee and response-time breakdown of `jdyno demo`'s
service by

    local      jdyno run --pid: load and observer in one process
    observe    jdyno run --observe: the load from the run, an agent observes
    agents-1   jdyno run --agents --observe: one agent loads, another one observes
    agents-3   the same with three agents that load

All on the loopback device of one machine, service and downstream on one half of its cores and the rest on the other, one after another in
each block, in reverse order in every second one; a run that is not counted goes before, so that service and agents are warm.

    ./mvnw -DskipTests package
    bench/cluster/same.py --blocks 3 --keep runs.jsonl
    bench/cluster/same.py --read runs.jsonl

`--keep` appends each run to a file, so that many can be measured in pieces; `--read` judges what the file has. Compared with `local`:

- the verdict is the same in every run;
- the knee: the mean of the logarithms differs by no more than both intervals allow (the root of the sum of their squares);
- the breakdown at --at requests in flight, each cause with at least 3 % of the response time: the means differ by no more than their
  error (95 % for all comparisons together, by the scatter of the runs within each way), or by less than 3 % of the response time. One block
  has no scatter: its breakdowns are shown and not judged.

Exits with 1 where one of these does not hold, and with 3 where a run is not valid, for then nothing is said of it.
"""
import argparse
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WAYS = ("local", "observe", "agents-1", "agents-3")
LOAD_AGENTS = {"agents-1": 1, "agents-3": 3}
LEAST_SHARE = 0.03
CONFIDENCE = 0.95


def started(command, word):
    """A process that has printed a line with the word, and the last word of that line."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if word in line:
            return process, line
    raise RuntimeError(f"has ended: {command}")


class Scene:
    """Service, downstream, observer and three agents that load."""

    def __init__(self, options, folder):
        self.processes = []
        self.folder = folder
        self.options = options

    def begin(self):
        options, folder = self.options, self.folder
        half = os.cpu_count() // 2
        # service and downstream on one half of the cores, what loads and observes on the other: an observer that takes
        # CPU from the downstream would make its answers slower
        on_service, on_others = ([["taskset", "-c", cores] for cores in (f"0-{half - 1}", f"{half}-{os.cpu_count() - 1}")]
                                 if half and not options.shared else [[], []])
        self.jdyno = on_others + shlex.split(options.jdyno)
        self.token = os.path.join(folder, "token")
        with open(os.open(self.token, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="ascii") as f:
            f.write(os.urandom(32).hex() + "\n")
        lab = [options.java, "-cp", options.lab]
        downstream = self.port(on_service + lab + ["-Xmx64m", "dev.jdyno.lab.downstream.Downstream", "--port", "0"])
        service = on_service + lab + ["-Xms256m", "-Xmx256m", "dev.jdyno.lab.perf.Perf", "--port", "0", "--max-threads", "400",
                         "--downstream", f"http://127.0.0.1:{downstream}"]
        self.url = f"http://127.0.0.1:{self.port(service)}/perf?cpu=10&io=80"
        self.pid = self.processes[-1].pid
        self.observer = self.agent("--role", "observe")
        self.loaders = [self.agent("--allow", "127.0.0.1:*") for _ in range(max(LOAD_AGENTS.values()))]

    def start(self, command, word):
        process, line = started(command, word)
        self.processes.append(process)
        return line

    def port(self, command):
        return self.start(command, "listening on").split()[-1]

    def agent(self, *does):
        command = self.jdyno + ["agent", "--listen", "127.0.0.1:0", "--token-file", self.token, *does]
        return self.start(command, "is ready").split()[1]

    def run(self, way):
        target = ["--pid", str(self.pid)] if way == "local" else ["--observe", f"{self.observer}:pid={self.pid}", "--token-file", self.token]
        agents = ["--agents", ",".join(self.loaders[:LOAD_AGENTS[way]])] if way in LOAD_AGENTS else []
        out = os.path.join(self.folder, "out")
        done = subprocess.run(
            self.jdyno + ["run", self.url, *target, *agents, "--concurrency", self.options.loads, "--round", self.options.round,
                          "--warmup", self.options.warmup, "--no-store", "--no-live-count", "--no-profile", "--quiet", "--out", out],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        result = os.path.join(out, "result.json")
        if not os.path.exists(result):
            raise RuntimeError(f"{way}: exit {done.returncode}: {done.stderr}")
        with open(result, encoding="utf-8") as f:
            read = json.load(f)
        os.remove(result)
        return extract(way, read, self.options.at)

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()


def end(result, why):
    """Ends with 3 where the run itself is invalid, which says nothing of the way it was made."""
    print(why, file=sys.stderr)
    sys.exit(1 if result["validity"]["ok"] else 3)


def extract(way, result, at):
    """What is compared of one run."""
    rounds = {r["concurrency"]: r for r in result["rounds"]}
    if at not in rounds:
        end(result, f"no round with {at} requests in flight")
    knee = result["knee"]
    if not rounds[at]["anatomy"]:
        end(result, f"a run of {way} looked into its loads {[n for n, r in rounds.items() if r['anatomy']]} only")
    return {"way": way,
            "bottleneck": result["verdict"]["bottleneck"],
            "where": result["verdict"]["where"],
            "confidence": result["verdict"]["confidence"],
            "knee": knee and {"concurrency": knee["concurrency"], "ci95": knee["ci95"], "qps": knee["qps"]},
            "rtMs": rounds[at]["rtMs"]["mean"],
            "qps": rounds[at]["qps"],
            "breakdown": rounds[at]["anatomy"]["perRequestMs"],
            "invalid": [] if result["validity"]["ok"] else [w["id"] for w in result["validity"]["warnings"] if w.get("spoils", True)]}


def t_quantile(share, freedom):
    """Student's t: the value below which that share lies, by summing up its density."""
    scale = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)
    step, x, below = 1e-3, 0.0, 0.5
    while below < share:
        below += step * scale * (1 + (x + step / 2) ** 2 / freedom) ** (-(freedom + 1) / 2)
        x += step
    return x


def same_knee(one, other):
    """Difference of the logarithms, and how much of it the intervals explain."""
    def middle(runs):
        return statistics.mean(math.log(r["knee"]["concurrency"]) for r in runs)

    def half(runs):
        return statistics.mean(math.log(r["knee"]["ci95"][1] / r["knee"]["ci95"][0]) / 2 for r in runs)
    return middle(other) - middle(one), math.hypot(half(one), half(other))


def scatter(by_way, value):
    """Standard deviation of a run among those of its way, and its degrees of freedom."""
    groups = [[value(r) for r in runs] for runs in by_way.values() if len(runs) > 1]
    freedom = sum(len(g) - 1 for g in groups)
    return (math.sqrt(sum((x - statistics.mean(g)) ** 2 for g in groups for x in g) / freedom), freedom) if freedom else (math.nan, 0)


def judge(runs):
    """Prints a table; what is not valid, and the differences."""
    by_way = {way: [r for r in runs if r["way"] == way] for way in WAYS}
    by_way = {way: some for way, some in by_way.items() if some}
    if "local" not in by_way or len(by_way) < 2:
        sys.exit("nothing to compare")
    invalid = [f"a run of {r['way']}: {', '.join(r['invalid'])}" for r in runs if r["invalid"]]
    differences = [f"a run of {r['way']} has no knee" for r in runs if not r["knee"]]
    if differences:
        return invalid, differences
    local = by_way["local"]
    response = statistics.mean(r["rtMs"] for r in local)
    causes = [c for c in local[0]["breakdown"] if max(statistics.mean(r["breakdown"][c] for r in some) for some in by_way.values()) >= LEAST_SHARE * response]
    comparisons = len(causes) * (len(by_way) - 1)
    print(f"| way | runs | verdict | knee | its intervals | requests/s there | response time | {' | '.join(causes)} |")
    print(f"|{' --- |' * (7 + len(causes))}")
    for way, some in by_way.items():
        verdicts = ", ".join(sorted({f"{r['bottleneck']} at {'.'.join((r['where'] or '?').split('.')[-2:])}" for r in some}))
        knees = statistics.geometric_mean(r["knee"]["concurrency"] for r in some)
        low, high = (statistics.geometric_mean(r["knee"]["ci95"][i] for r in some) for i in (0, 1))
        print(f"| {way} | {len(some)} | {verdicts} | {knees:.1f} | {low:.1f} to {high:.1f} | {statistics.mean(r['qps'] for r in some):.1f} |"
              f" {statistics.mean(r['rtMs'] for r in some):.1f} ms | "
              + " | ".join(f"{statistics.mean(r['breakdown'][c] for r in some):.1f} ms" for c in causes) + " |")
    for way, some in by_way.items():
        if {r["bottleneck"] for r in some} != {local[0]["bottleneck"]}:
            differences.append(f"{way}: another verdict")
        if way == "local":
            continue
        off, allowed = same_knee(local, some)
        print(f"{way}: knee x {math.exp(off):.3f}, the intervals allow x {math.exp(-allowed):.3f} to {math.exp(allowed):.3f}")
        if abs(off) > allowed:
            differences.append(f"{way}: another knee")
        for cause in causes:
            deviation, freedom = scatter(by_way, lambda r, c=cause: r["breakdown"][c])
            error = (t_quantile(1 - (1 - CONFIDENCE) / 2 / comparisons, freedom) * deviation * math.sqrt(1 / len(local) + 1 / len(some))
                     if freedom else math.inf)
            apart = statistics.mean(r["breakdown"][cause] for r in some) - statistics.mean(r["breakdown"][cause] for r in local)
            print(f"{way}: {cause} {apart:+.1f} ms of {response:.1f} ms, error {error:.1f} ms")
            if abs(apart) > max(error, LEAST_SHARE * response):
                differences.append(f"{way}: another share of {cause}")
    return invalid, differences


def lines(file):
    if not file or not os.path.exists(file):
        return []
    with open(file, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def measure(options):
    runs = []
    first = len(lines(options.keep)) // len(options.ways)
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(options, folder)
        try:
            scene.begin()
            if options.quick:
                subprocess.run(scene.jdyno + ["load", scene.url, "-c", "16", "-d", "20s", "--anyway"], stdout=subprocess.DEVNULL, check=True)
            for block in range(0 if options.quick else -1, options.blocks):
                for way in options.ways[-1:] if block < 0 else options.ways if (first + block) % 2 == 0 else options.ways[::-1]:
                    run = scene.run(way)
                    kept = block >= 0
                    print(f"{'block ' + str(block + 1) if kept else 'not counted'}: {way}: {run['bottleneck']}, knee"
                          f" {run['knee'] and round(run['knee']['concurrency'], 1)}, {run['qps']:.1f} requests/s, {run['invalid'] or 'valid'}", flush=True)
                    if kept:
                        runs.append(run)
                        if options.keep:
                            with open(options.keep, "a", encoding="utf-8") as f:
                                f.write(json.dumps(run) + "\n")
        finally:
            scene.close()
    return runs


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--blocks", type=int, default=2)
    p.add_argument("--ways", type=lambda s: s.split(","), default=list(WAYS), help="which of the four, local among them")
    p.add_argument("--quick", action="store_true", help="before the first block a load of 20 s instead of a run")
    p.add_argument("--shared", action="store_true", help="do not give the service one half of the cores and all others the other half")
    p.add_argument("--loads", default="1,5,20,60")
    p.add_argument("--at", type=int, default=60, help="the load whose breakdown is compared; one that a run looks into")
    p.add_argument("--round", default="5s")
    p.add_argument("--warmup", default="5s")
    p.add_argument("--keep", help="append each run to this file, and judge nothing")
    p.add_argument("--read", help="judge the runs of this file instead")
    p.add_argument("--jdyno", default=os.path.join(ROOT, "jdyno"), help="the command")
    p.add_argument("--java", default="java", help="that runs the service")
    p.add_argument("--lab", default=os.path.join(ROOT, "lab", "target", "jdyno-lab.jar"))
    options = p.parse_args()
    if options.read:
        runs = lines(options.read)
    else:
        print("machine:", os.uname().release, os.cpu_count(), "cores", flush=True)
        runs = measure(options)
    if options.keep and not options.read:
        return 0
    invalid, differences = judge(runs)
    for run in invalid:
        print("NOT VALID:", run)
    for difference in differences:
        print("DIFFERS:", difference)
    return 3 if invalid else 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
