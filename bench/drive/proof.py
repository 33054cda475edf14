#!/usr/bin/env python3
"""Compares the verdict under jdyno's own load with the verdicts under load tools of the user (`run --drive`).

Each case is a service of the lab with one planted bottleneck (docs/planted.md). For each load a new process of it is started with the same seed,
and `jdyno run` measures it at the same concurrencies: a quarter, once and twice those of its label. Then the names are compared.

    proof.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR measure
    proof.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR --cases cpu,lock-over-io --tools own,wrk measure
    proof.py --out DIR report

Each measurement has a folder DIR/CASE/TOOL with the files of jdyno and `row.json`. One that has its row is not measured again, except after a failure.
A tool that is not installed is left out by name. `report` exits with 1 if a tool has the same name in less than nine of ten cases.
"""
import argparse, json, os, pathlib, shlex, shutil, signal, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import Service, catalogue, end

HERE = pathlib.Path(__file__).resolve().parent
OWN = "own"

CASES = [
    "cpu", "lock-synchronized", "lock-over-io", "thread-pool-tomcat", "thread-pool-own", "connection-pool-http", "connection-pool-database",
    "downstream-slots", "rate-limit-semaphore", "pool-starvation-nested", "gc-explicit", "logging-slow-sink",
]

# The part of the machine that other processes may use, as in `jdyno lab bottlenecks`. With more, the case is measured again.
OTHERS_SPOIL = 0.30
TRIES = 3
GOAL = 0.9


def drives(args, port, work):
    """For each load: the options of `run` that choose it."""
    url = f"http://127.0.0.1:{port}/"
    return {
        OWN: [],
        "wrk": ["--drive", f"{args.wrk} -t1 -c{{n}} -d{{seconds}}s --latency --timeout 30s {url}"],
        "k6": ["--drive", f"{args.k6} run -q --no-usage-report --vus {{n}} --duration {{seconds}}s --summary-export {{out}} "
               + shlex.join(["--summary-trend-stats", "avg,med,max,p(90),p(99),p(99.9)", "-e", f"URL={url}", str(HERE / "page.js")])],
        "jmeter": ["--drive", f"{args.jmeter} -n -Jusers={{n}} -Jseconds={{seconds}} -l {{out}} "
                   + shlex.join([f"-Jport={port}", "-j", str(work / "jmeter.log"), "-t", str(HERE / "page.jmx")])],
    }


def present(args, tool):
    return tool == OWN or shutil.which(shlex.split(getattr(args, tool))[0]) is not None


def run(args, case, tool, folder):
    """Runs jdyno once, and returns its result; a result that is not valid (exit 3) is one, too."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    n = case["concurrency"]
    loads = ",".join(str(c) for c in sorted({max(1, n // 4), n, 2 * n}))
    with Service(args, case, args.seed) as service, (folder / "jdyno.log").open("w") as log:
        command = [*shlex.split(args.jdyno), "run", f"http://127.0.0.1:{service.port}/", "--pid", str(service.process.pid), "--concurrency", loads,
                   "--warmup", args.warmup, "--round", args.round, "--no-store", "--no-metrics", "--quiet", "--out", str(folder / "run"),
                   *drives(args, service.port, folder)[tool]]
        log.write(shlex.join(command) + "\n")
        log.flush()
        jdyno = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            code = jdyno.wait(args.limit)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"no result within {args.limit} s")
        finally:
            end(jdyno)
    if code not in (0, 3):
        lines = (folder / "jdyno.log").read_text().splitlines()[1:]
        raise RuntimeError(f"exit code {code}: {' '.join(line.strip() for line in lines[-3:])[:300]}")
    return json.loads((folder / "run" / "result.json").read_text())


def row_of(case, tool, result):
    """What is compared. `others` is the largest part of the machine that other processes used in a round."""
    verdict = result["verdict"]
    cores = result["machine"]["cores"]
    others = max((r["cpu"]["otherCores"] / cores for r in result["rounds"] if r["cpu"]), default=0)
    planted = {case["bottleneck"], *case["also"]}
    driver = ((result.get("load") or {}).get("driver") or {}).get("source", OWN)
    return {
        "case": case["case"], "planted": case["bottleneck"], "tool": tool, "source": driver, "name": verdict["bottleneck"], "where": verdict["where"],
        "confidence": verdict["confidence"], "valid": result["validity"]["ok"], "right": verdict["bottleneck"] in planted,
        "qps": max((r["qps"] for r in result["rounds"]), default=None), "others": others,
        "disturbed": others > OTHERS_SPOIL and "cpu-neighbour" not in planted,
    }


def measured(args, case, tool):
    folder = args.out / case["case"] / tool
    file = folder / "row.json"
    for attempt in range(TRIES):
        try:
            result = run(args, case, tool, folder)
            if result["partial"] or not result["rounds"]:
                raise RuntimeError("cut short")
            row = row_of(case, tool, result)
        except (RuntimeError, OSError, ValueError, KeyError) as failed:
            row = {"case": case["case"], "planted": case["bottleneck"], "tool": tool, "failure": f"{type(failed).__name__}: {failed}"[:400]}
        if not row.get("disturbed"):
            break
    folder.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    partial.write_text(json.dumps(row, indent=1) + "\n")
    partial.replace(file)
    return row


def is_done(file):
    if not file.exists():
        return False
    row = json.loads(file.read_text())
    return "failure" not in row and not row["disturbed"]


def measure(args):
    known = catalogue(args)
    unknown = [c for c in args.cases if c not in known]
    if unknown:
        sys.exit(f"the lab has no case {', '.join(unknown)}; it has {', '.join(known)}")
    tools = [t for t in args.tools if present(args, t)]
    for tool in args.tools:
        if tool not in tools:
            print(f"{tool}: not installed, left out")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.cases:
        for tool in tools:
            if not is_done(args.out / name / tool / "row.json"):
                print(json.dumps(measured(args, known[name], tool)), flush=True)
    return report(args)


def cell(row):
    if row is None:
        return "–"
    if "failure" in row:
        return "failed: " + row["failure"][:60].replace("|", "/")
    marks = ([] if row["valid"] else ["not valid"]) + (["disturbed"] if row["disturbed"] else [])
    return f"{row['name']} {row['confidence']:.2f}" + (f" ({', '.join(marks)})" if marks else "")


def counts(row):
    """True if a measurement can be compared."""
    return row is not None and "failure" not in row and not row["disturbed"]


def rows_in(folder):
    rows = {}
    for file in sorted(folder.glob("*/*/row.json")):
        row = json.loads(file.read_text())
        rows[(row["case"], row["tool"])] = row
    return rows


def report(args):
    rows = rows_in(args.out)
    names = list(dict.fromkeys(case for case, _ in rows))
    names = [c for c in args.cases if c in names] + [c for c in names if c not in args.cases]
    tools = [t for t in drives(args, 0, args.out) if t != OWN and any((c, t) in rows for c in names)]
    print(f"| case | planted | own load | {' | '.join(tools)} | same |")
    print("| --- " * (len(tools) + 4) + "|")
    same = {t: [] for t in tools}
    for case in names:
        own = rows.get((case, OWN))
        driven = {t: rows.get((case, t)) for t in tools}
        pairs = {t: own["name"] == r["name"] for t, r in driven.items() if counts(own) and counts(r)}
        for tool, is_same in pairs.items():
            same[tool].append(is_same)
        planted = next(r["planted"] for (c, _), r in rows.items() if c == case)
        print(f"| {case} | {planted} | {cell(own)} | {' | '.join(cell(driven[t]) for t in tools)} | "
              f"{sum(pairs.values())} of {len(pairs)} |")
    print()
    for tool in tools:
        short = "" if len(same[tool]) >= 10 else " (fewer than ten cases)"
        print(f"{tool}: the same name in {sum(same[tool])} of {len(same[tool])}{short}")
    right = [r["right"] for (_, t), r in rows.items() if t == OWN and counts(r)]
    print(f"own load: as planted in {sum(right)} of {len(right)}")
    return 1 if any(not s or sum(s) < GOAL * len(s) for s in same.values()) else 0


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "report"])
    parser.add_argument("--jdyno", default="jdyno", help="how the tool is started")
    parser.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java", help="the JVM of the services")
    parser.add_argument("--cases", type=lambda text: text.split(","), default=CASES)
    parser.add_argument("--tools", type=lambda text: text.split(","), default=[OWN, "wrk", "k6", "jmeter"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--warmup", default="20s", help="longest warm-up of a run")
    parser.add_argument("--round", default="3s")
    parser.add_argument("--limit", type=int, default=900, help="longest time of one measurement, in s")
    for tool in ("wrk", "k6", "jmeter"):
        parser.add_argument(f"--{tool}", default=tool, help=f"how {tool} is started")
    args = parser.parse_args(argv)
    args.out = args.out.resolve()
    unknown = [t for t in args.tools if t not in drives(args, 0, args.out)]
    if unknown:
        parser.error(f"unknown tools: {', '.join(unknown)}")
    # Blocks that end processes are left when the script is ended, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return {"measure": measure, "report": report}[args.what](args)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
