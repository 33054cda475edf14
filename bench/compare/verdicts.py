#!/usr/bin/env python3
"""What `jdyno compare` says of services whose difference is known, and what two simpler methods say of the same blocks.

    ./mvnw -DskipTests package
    bench/compare/verdicts.py --cases 10:10,10:10.5 --rounds 6 --budget 3m --keep blocks.jsonl
    bench/compare/verdicts.py --read blocks.jsonl

A case is A:B, milliseconds of CPU that a request of the lab's `perf` burns in A and B; 10:10 is A/A, of which at most 5 %
may be called better or worse. The verdict is about `--primary`, CPU per request by default. Printed for each comparison:
verdict, ratio, interval, starts, seconds. Then for each case how often a difference was claimed by
  jdyno      the verdict,
  naive      one start of A and, later, one start of B: the means differ by 3 % or more,
  benchstat  all blocks of A against all of B by Mann-Whitney's test, p < 0.05, as Go's benchstat does;
and how many of the intervals contain the true ratio. Needs a quiet machine and nothing else running: `--keep` appends each
comparison to a file, so that many can be measured in pieces, and `--read` sums the file up."""
import argparse, collections, json, math, os, shlex, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MIN_EFFECT = 0.03


def rank_sum_p(a, b):
    """Two-sided p of Mann-Whitney's test, by all orders (no ties: the blocks are real numbers)."""
    n, m = len(a), len(b)
    u = sum(1 for x in a for y in b if x > y) + 0.5 * sum(1 for x in a for y in b if x == y)
    # how many orders give each U: U(i, j) = U(i - 1, j) shifted by j, plus U(i, j - 1)
    ways = [[collections.Counter() for _ in range(m + 1)] for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            if i == 0 or j == 0:
                ways[i][j][0] = 1
                continue
            for value, count in ways[i - 1][j].items():
                ways[i][j][value + j] += count
            for value, count in ways[i][j - 1].items():
                ways[i][j][value] += count
    off = abs(u - n * m / 2)
    extreme = sum(count for value, count in ways[n][m].items() if abs(value - n * m / 2) >= off)
    return extreme / math.comb(n + m, n)


def figure(result, name):
    return next(m for m in result["metrics"] if m["name"] == name)


def naive(metric):
    """A of the first start and B of the last: minutes lie between them."""
    first, last = metric["blocks"][0]["a"], metric["blocks"][-1]["b"]
    return abs(math.log(statistics.mean(last) / statistics.mean(first))) >= math.log1p(MIN_EFFECT)


def benchstat(metric):
    a = [value for start in metric["blocks"] for value in start["a"]]
    b = [value for start in metric["blocks"] for value in start["b"]]
    return rank_sum_p(a, b) < 0.05


def line(case, result, primary):
    m = figure(result, primary)
    return (f"{case}  {result['verdict']:12}  {primary} x {m['ratio']:.3f} ({m['ci95'][0]:.3f} to {m['ci95'][1]:.3f})"
            f"  naive {'differs' if naive(m) else '-':7}  benchstat {'differs' if benchstat(m) else '-':7}"
            f"  {result['starts']} starts, {result['discarded']} blocks again, {result['seconds']:.0f} s")


def summed(seen, primary):
    for case, results in seen.items():
        a, b = map(float, case.split(":"))
        metrics = [figure(r, primary) for r in results]
        claims = sum(r["verdict"] in ("better", "worse") for r in results)
        # of the CPU per request: a request costs more than what it burns, so the true ratio is known for A/A only
        inside = sum(m["ci95"][0] <= 1 <= m["ci95"][1] for m in metrics) if a == b else None
        print(f"{case}: {len(results)} comparisons, {dict(collections.Counter(r['verdict'] for r in results))}")
        print(f"  a difference claimed by jdyno {claims}, naive {sum(map(naive, metrics))}, benchstat {sum(map(benchstat, metrics))}"
              + (f"; {inside} of {len(metrics)} intervals contain 1" if inside is not None else ""))
        print(f"  ratio: median {statistics.median(m['ratio'] for m in metrics):.3f}; seconds: median"
              f" {statistics.median(r['seconds'] for r in results):.0f}, most {max(r['seconds'] for r in results):.0f}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", default="10:10", help="A:B in milliseconds of CPU, several with commas")
    options.add_argument("--rounds", type=int, default=4, help="comparisons of each case, interleaved")
    options.add_argument("--budget", default="3m")
    options.add_argument("--block", default="5s")
    options.add_argument("--warmup", default="6s")
    options.add_argument("--primary", default="cpuMsPerRequest")
    options.add_argument("--seconds", type=float, default=math.inf, help="begin no comparison after that time")
    options.add_argument("--keep", help="append each comparison to this file")
    options.add_argument("--read", help="sum up a file of comparisons instead")
    options.add_argument("--jdyno", default=os.path.join(ROOT, "jdyno"))
    options.add_argument("--java", default="java", help="that runs the service")
    options.add_argument("--lab", default=os.path.join(ROOT, "lab", "target", "jdyno-lab.jar"))
    given = options.parse_args()
    seen = collections.defaultdict(list)
    if given.read:
        for text in open(given.read):
            kept = json.loads(text)
            seen[kept["case"]].append(kept["result"])
        return summed(seen, given.primary)
    service = f"{given.java} -Xmx256m -cp {shlex.quote(given.lab)} dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {{port}}"
    print("machine:", os.uname().release, os.cpu_count(), "cores; service:", service, flush=True)
    began = time.monotonic()
    for _ in range(given.rounds):
        for case in given.cases.split(","):
            if time.monotonic() - began > given.seconds:
                break
            a, b = case.split(":")
            with tempfile.TemporaryDirectory() as folder:
                said = subprocess.run(
                    [given.jdyno, "compare", "--json", "--quiet", "--no-store", "--no-look", "--budget", given.budget,
                     "--block", given.block, "--warmup", given.warmup, "--primary", given.primary, "--out", folder,
                     "--url", "http://127.0.0.1:{port}/perf?cpu=" + a, "--url-b", "http://127.0.0.1:{port}/perf?cpu=" + b,
                     "--a", service, "--b", service],
                    stdout=subprocess.PIPE, text=True)
            if not said.stdout:
                sys.exit(f"{case}: no result, exit code {said.returncode}")
            result = json.loads(said.stdout)
            seen[case].append(result)
            if given.keep:
                with open(given.keep, "a") as kept:
                    kept.write(json.dumps({"case": case, "result": result}) + "\n")
            print(line(case, result, given.primary), flush=True)
    summed(seen, given.primary)


if __name__ == "__main__":
    main()
