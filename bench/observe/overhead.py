#!/usr/bin/env python3
"""What observing costs the target: throughput and p99 with and without the observer, in the order A B B A.

    ./mvnw -DskipTests package
    python3 bench/observe/overhead.py --java /usr/lib/jvm/java-17-openjdk-amd64 --rounds 2

The service is the lab's `perf` on Tomcat, the client wrk with one thread. Conditions: `null` (nothing runs in B either: the
noise), `probes` (Observer once a second), `jfr` (with the flight recording), `gclog` (with the GC log), `all` (with both).
A recorder is started under load and given --settle seconds before it counts: a run starts it before its warm-up. Printed per condition: the ratio
of B's throughput to A's, each round's and their median, and both p99. Needs wrk and a quiet machine."""
import argparse, os, re, statistics, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNIT = {"us": 1e-3, "ms": 1.0, "s": 1e3}


def wrk(url, connections, seconds):
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", url],
                         capture_output=True, text=True, check=True).stdout
    p99, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), float(p99) * UNIT[unit]


def watched(args, pid, condition, measure):
    if condition == "null":
        return measure()
    watch = subprocess.Popen([args.jdk25 + "/bin/java", "-cp", args.classpath, "dev.jdyno.bench.observe.Watch", str(pid), condition],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    first = watch.stdout.readline().strip()
    if args.settle:
        wrk(args.url, args.connections, args.settle)
    result = measure()
    rest, _ = watch.communicate("end\n", timeout=60)
    watched.said[condition] = first + " | " + rest.strip().replace("\n", " | ")
    return result


watched.said = {}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--java", required=True, help="home of the JDK that runs the service")
    p.add_argument("--jdk25", default=os.environ.get("JAVA_HOME"), help="home of a JDK 25 that runs the observer")
    p.add_argument("--classpath", default=f"{ROOT}/bench/target/benchmarks.jar")
    p.add_argument("--lab", default=f"{ROOT}/lab/target/jdyno-lab.jar")
    p.add_argument("--conditions", default="null,probes,all")
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--seconds", type=int, default=3)
    p.add_argument("--settle", type=int, default=5, help="seconds of load between the start of a recorder and what counts")
    p.add_argument("--pages", default="/perf,/perf?cpu=1")
    p.add_argument("--connections", type=int, default=20)
    args = p.parse_args()
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
            wrk(url, args.connections, 6)
            for condition in args.conditions.split(","):
                ratios, plain, seen = [], [], []
                for _ in range(args.rounds):
                    a1 = wrk(url, args.connections, args.seconds)
                    b1 = watched(args, service.pid, condition, lambda: wrk(url, args.connections, args.seconds))
                    b2 = watched(args, service.pid, condition, lambda: wrk(url, args.connections, args.seconds))
                    a2 = wrk(url, args.connections, args.seconds)
                    ratios.append((b1[0] + b2[0]) / (a1[0] + a2[0]))
                    plain += [a1, a2]
                    seen += [b1, b2]
                median = lambda runs, i: statistics.median(r[i] for r in runs)
                print(f"{page:12} {condition:7} ratio {statistics.median(ratios):.3f} [{min(ratios):.3f}..{max(ratios):.3f}]"
                      f"  QPS {median(plain, 0):.0f} -> {median(seen, 0):.0f}"
                      f"  p99 {median(plain, 1):.2f} -> {median(seen, 1):.2f} ms", flush=True)
        for condition, said in watched.said.items():
            print(f"{condition}: {said}")
    finally:
        service.terminate()
        service.wait()


main()
