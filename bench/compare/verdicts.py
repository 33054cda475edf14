#!/usr/bin/env python3
"""What `jdyno compare` says of services whose difference is known, one comparison after the other.

    ./mvnw -DskipTests package
    bench/compare/verdicts.py --cases 10:10,10:12 --rounds 6 --budget 3m

A case is A:B, milliseconds of CPU that a request of the lab's `perf` burns in A and B; 10:10 is A/A, of which at most 5 %
may be called better or worse. A ratio of throughput above 1 means that B is faster. Printed for each comparison: verdict,
ratio, interval, starts, seconds; then how often each verdict was given. Needs a quiet machine and nothing else running."""
import argparse, collections, json, os, shlex, statistics, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", default="10:10", help="A:B in milliseconds of CPU, several with commas")
    options.add_argument("--rounds", type=int, default=4, help="comparisons of each case, interleaved")
    options.add_argument("--budget", default="3m")
    options.add_argument("--jdyno", default=os.path.join(ROOT, "jdyno"))
    options.add_argument("--java", default="java", help="that runs the service")
    options.add_argument("--lab", default=os.path.join(ROOT, "lab", "target", "jdyno-lab.jar"))
    given = options.parse_args()
    service = f"{given.java} -Xmx256m -cp {shlex.quote(given.lab)} dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {{port}}"
    print("machine:", os.uname().release, os.cpu_count(), "cores; service:", service, flush=True)
    seen = collections.defaultdict(list)
    for round_ in range(given.rounds):
        for case in given.cases.split(","):
            a, b = case.split(":")
            with tempfile.TemporaryDirectory() as folder:
                said = subprocess.run(
                    [given.jdyno, "compare", "--json", "--quiet", "--budget", given.budget, "--out", folder,
                     "--url", "http://127.0.0.1:{port}/perf?cpu=" + a, "--url-b", "http://127.0.0.1:{port}/perf?cpu=" + b,
                     "--a", service, "--b", service],
                    stdout=subprocess.PIPE, text=True)
            if not said.stdout:
                sys.exit(f"{case}: no result, exit code {said.returncode}")
            result = json.loads(said.stdout)
            qps = next(m for m in result["metrics"] if m["name"] == "qps")
            cpu = next((m for m in result["metrics"] if m["name"] == "cpuMsPerRequest"), None)
            seen[case].append(result)
            print(f"{case}  {result['verdict']:12}  qps x {qps['ratio']:.3f} ({qps['ci95'][0]:.3f} to {qps['ci95'][1]:.3f})"
                  f"  cpu x {cpu['ratio'] if cpu else 0:.3f} {cpu['verdict'] if cpu else ''}"
                  f"  {result['starts']} starts, {result['discarded']} blocks again, {result['seconds']:.0f} s", flush=True)
    for case, results in seen.items():
        verdicts = collections.Counter(r["verdict"] for r in results)
        print(f"{case}: {dict(verdicts)}; median {statistics.median(r['seconds'] for r in results):.0f} s")


main()
