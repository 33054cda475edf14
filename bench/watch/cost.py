#!/usr/bin/env python3
"""Measures what `jdyno watch` costs: its own CPU and memory, and the CPU per request of the service that it watches.

A planted service of the lab gets a constant load in four blocks, A B B A: without and with a watch (one watch for both blocks B). The watch's
CPU is that of its process and of the programs that it starts (`ss`), as a share of one core, without and with its first minutes, in which its
JVM starts. Its memory is the resident set (VmRSS at the end of each block, VmHWM at the end).

    cost.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR [--case cpu] [--rate 50] [--seconds 300] [--services 1]

Prints one JSON document; nothing else may use the machine meanwhile.
"""
import argparse, json, os, pathlib, shlex, statistics, subprocess, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import Service, catalogue, end
from processes import family

TICKS = os.sysconf("SC_CLK_TCK")
START_S = 120  # of the watch, left out of the steady figure


def cpu_seconds(pid, ended_children=True):
    """User and system time of a process; with the children that it has waited for."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return sum(int(fields[i]) for i in ((11, 12, 13, 14) if ended_children else (11, 12))) / TICKS


def cpu_of_all(pid):
    return sum(cpu_seconds(p) for p in family(pid))


def memory(pid):
    """VmRSS and VmHWM in MB."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
        lines = dict(line.split(":", 1) for line in f if ":" in line)
    return [int(lines[k].split()[0]) / 1024 for k in ("VmRSS", "VmHWM")]


class Watch:
    def __init__(self, args, services):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [*shlex.split(args.jdyno), "watch", *[str(s.process.pid) for s in services], "--quiet", "--out", str(args.out / "days")],
            stdout=(args.out / "events.txt").open("w"), stderr=(args.out / "notes.txt").open("w"))
        self.marks = []

    def mark(self):
        self.marks.append((time.monotonic() - self.started, cpu_of_all(self.process.pid)))

    def share(self, from_s):
        """CPU after this many seconds, as a share of a core."""
        marks = [m for m in self.marks if m[0] >= from_s]
        return None if len(marks) < 2 else (marks[-1][1] - marks[0][1]) / (marks[-1][0] - marks[0][0])


def load(args, url, seconds):
    done = subprocess.run([*shlex.split(args.jdyno), "load", url, "-c", "20", "--rate", str(args.rate), "-d", f"{seconds}s", "--json"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"load failed: {done.stderr[:300]}")
    return json.loads(done.stdout)


def block(args, services, watch):
    """CPU per request in ms of the first service, which has the load; p99."""
    first = services[0]
    before = cpu_seconds(first.process.pid)
    if watch:
        watch.mark()
    end_at = time.monotonic() + args.seconds
    requests, p99 = 0, []
    while time.monotonic() < end_at - 1:
        part = max(2, min(30, round(end_at - time.monotonic())))
        result = load(args, first.url, part)
        requests += result["requests"]
        p99.append(result["rtMs"]["p99"])
        if watch:
            watch.mark()
    found = {"watched": bool(watch), "cpuMsPerRequest": 1000 * (cpu_seconds(first.process.pid) - before) / max(1, requests),
             "requests": requests, "p99Ms": statistics.median(p99)}
    if watch:
        found["rssMb"], found["rssHighestMb"] = memory(watch.process.pid)
    print(json.dumps(found), file=sys.stderr)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="./jdyno")
    parser.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    parser.add_argument("--java", default=os.path.join(os.environ.get("JAVA_HOME", "/usr"), "bin", "java"))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--case", default="cpu")
    parser.add_argument("--rate", default="50", help="requests per second")
    parser.add_argument("--seconds", type=int, default=300, help="length of a block")
    parser.add_argument("--services", type=int, default=1, help="services that are watched; only the first one has load")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    started = []
    try:
        for _ in range(args.services):
            started.append(Service(args, catalogue(args)[args.case]).__enter__())
        load(args, started[0].url, 30)  # warm-up
        blocks = [block(args, started, None)]
        watch = Watch(args, started)
        try:
            blocks += [block(args, started, watch) for _ in range(2)]
        finally:
            end(watch.process)
        blocks.append(block(args, started, None))
    finally:
        for service in started:
            service.__exit__()
    without = statistics.mean(b["cpuMsPerRequest"] for b in blocks if not b["watched"])
    with_watch = statistics.mean(b["cpuMsPerRequest"] for b in blocks if b["watched"])
    print(json.dumps({
        "case": args.case, "rate": args.rate, "seconds": args.seconds, "services": args.services, "cores": os.cpu_count(),
        "watchCoreShare": watch.share(START_S), "watchCoreShareWithStart": watch.share(0),
        "rssMb": blocks[2]["rssMb"], "rssHighestMb": blocks[2]["rssHighestMb"],
        "serviceCpuRatio": with_watch / without, "p99Ratio": statistics.mean(b["p99Ms"] for b in blocks if b["watched"])
        / statistics.mean(b["p99Ms"] for b in blocks if not b["watched"]), "blocks": blocks}, indent=2))


if __name__ == "__main__":
    main()
