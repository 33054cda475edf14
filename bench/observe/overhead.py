#!/usr/bin/env python3
"""What observing costs the target: throughput, CPU per request and p99 with and without the observer, in the order A B B A.

    ./mvnw -DskipTests package
    bench/observe/overhead.py --java /usr/lib/jvm/java-17-openjdk-amd64 --rounds 2

The service is the lab's `perf` on Tomcat, the client wrk with one thread. Conditions: `null` (nothing runs in B either: the
noise), `probes` (Observer once a second), `jfr` (with the flight recording), `gclog` (with the GC log), `all` (with both),
`steady` (one Observer for all rounds, which is stopped by SIGSTOP in A: without its start and its compilers' work).
A recorder is started under load and given --settle seconds before it counts: a run starts it before its warm-up, which takes
6 s and more.

Printed per condition, B's to A's, median, range and mean of the rounds:
- QPS: what users feel, and as noisy as the machine (steal, neighbours);
- by CPU: the same ratio with the CPU's time as the clock: requests per CPU second of service, client and observer together.
  Client, service and observer share a machine that they fill, so this is what QPS would do if nobody else took time.
Both p99 follow. Needs wrk and a quiet machine."""
import argparse, collections, os, re, resource, signal, statistics, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNIT = {"us": 1e-3, "ms": 1.0, "s": 1e3}


TICK = os.sysconf("SC_CLK_TCK")

Run = collections.namedtuple("Run", "qps p99_ms cpu_s requests")


def cpu_of(pid):
    """CPU seconds of all threads of a process so far."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def ended_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wrk(url, connections, seconds, pids=()):
    """@param pids processes whose CPU counts beside the client's"""
    before = ended_children() + sum(map(cpu_of, pids))
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", url],
                         capture_output=True, text=True, check=True).stdout
    cpu = ended_children() + sum(map(cpu_of, pids)) - before
    p99, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    return Run(float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), float(p99) * UNIT[unit], cpu, requests)


class Watched:
    """One observer of the service, from its start until `end`."""

    said = {}

    def __init__(self, args, pid, condition):
        self.condition = condition
        # the launcher's collector
        self.process = subprocess.Popen(
            [args.jdk25 + "/bin/java", "-XX:+UseSerialGC", "-cp", args.classpath, "dev.jdyno.bench.observe.ObserverProcess", str(pid),
             "probes" if condition == "steady" else condition],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.first = self.process.stdout.readline().strip()

    def pause(self, stopped):
        self.process.send_signal(signal.SIGSTOP if stopped else signal.SIGCONT)

    def end(self):
        self.pause(False)
        rest, _ = self.process.communicate("end\n", timeout=60)
        Watched.said[self.condition] = self.first + " | " + rest.strip().replace("\n", " | ")


def watched(args, pid, condition, measure):
    if condition == "null":
        return measure([pid])
    observer = Watched(args, pid, condition)
    if args.settle:
        wrk(args.url, args.connections, args.settle)
    result = measure([pid, observer.process.pid])
    observer.end()
    return result


def rounds_of(args, pid, condition, measure):
    """A B B A, as often as was asked for: for each round its two runs without and its two with the observer."""
    if condition != "steady":
        for _ in range(args.rounds):
            first = measure([pid])
            seen = [watched(args, pid, condition, measure) for _ in range(2)]
            yield [first, measure([pid])], seen
        return
    observer = Watched(args, pid, condition)
    try:
        wrk(args.url, args.connections, args.warmup)
        for _ in range(args.rounds):
            runs = {True: [], False: []}
            for stopped in (True, False, False, True):
                observer.pause(stopped)
                runs[stopped].append(measure([pid, observer.process.pid]))
            yield runs[True], runs[False]
    finally:
        observer.end()


def per_cpu_second(runs):
    return sum(r.requests for r in runs) / sum(r.cpu_s for r in runs)


def spread(ratios):
    return f"{statistics.median(ratios):.3f} [{min(ratios):.3f}..{max(ratios):.3f}] mean {statistics.mean(ratios):.3f}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--java", required=True, help="home of the JDK that runs the service")
    p.add_argument("--jdk25", default=os.environ.get("JAVA_HOME"), help="home of a JDK 25 that runs the observer")
    p.add_argument("--classpath", default=f"{ROOT}/bench/target/benchmarks.jar")
    p.add_argument("--lab", default=f"{ROOT}/lab/target/jdyno-lab.jar")
    p.add_argument("--conditions", default="null,probes,all")
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--seconds", type=int, default=3)
    p.add_argument("--warmup", type=int, default=20, help="seconds of load on a page before anything counts")
    p.add_argument("--settle", type=int, default=6, help="seconds of load between the start of a recorder and what counts")
    p.add_argument("--pages", default="/perf,/perf?cpu=1")
    p.add_argument("--connections", type=int, default=20)
    args = p.parse_args()
    # so that what was started is ended
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # the service wants a downstream; neither page calls it
    service = subprocess.Popen([args.java + "/bin/java", "-Xmx512m", "-cp", args.lab, "dev.jdyno.lab.perf.Perf", "--port", "0",
                                "--downstream", "http://127.0.0.1:9", "--parent", str(os.getpid())],
                               stdout=subprocess.PIPE, text=True)
    try:
        port = service.stdout.readline().split()[-1]
        print(f"{args.java} · {os.cpu_count()} cores · {' '.join(sys.argv)}")
        for page in args.pages.split(","):
            url = f"http://127.0.0.1:{port}{page}"
            args.url = url
            wrk(url, args.connections, args.warmup)
            for condition in args.conditions.split(","):
                ratios, by_cpu, plain, seen = [], [], [], []
                measure = lambda pids: wrk(url, args.connections, args.seconds, pids)
                for without, with_it in rounds_of(args, service.pid, condition, measure):
                    ratios.append(sum(r.qps for r in with_it) / sum(r.qps for r in without))
                    by_cpu.append(per_cpu_second(with_it) / per_cpu_second(without))
                    plain += without
                    seen += with_it
                median = lambda runs, what: statistics.median(getattr(r, what) for r in runs)
                print(f"{page:12} {condition:7} QPS {spread(ratios)}  by CPU {spread(by_cpu)}"
                      f"  QPS {median(plain, 'qps'):.0f} -> {median(seen, 'qps'):.0f}"
                      f"  p99 {median(plain, 'p99_ms'):.2f} -> {median(seen, 'p99_ms'):.2f} ms", flush=True)
        for condition, said in Watched.said.items():
            print(f"{condition}: {said}")
    finally:
        service.terminate()
        service.wait()


main()
