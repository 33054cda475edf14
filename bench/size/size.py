#!/usr/bin/env python3
"""Does the size that `jdyno size` finds hold on further fresh starts, and does one step less fail?

    size.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR measure [NAME ...] [--starts 5]
    size.py --jdyno ./jdyno --out DIR measure --plan shop.yaml --rate 200/s --goal 'p99<100ms'
    size.py --out DIR report

`measure` searches the smallest size of each service, and then starts the service anew: at the found size, with one step less CPU, and with one step less
memory. The services are two planted ones (cpu, live-set), one with a connection pool (pool), or the application of a plan. Each search and each group of
starts is a line of DIR/size.jsonl; one that is there is not measured again. It needs the right to make control groups.
"""
import argparse, json, os, pathlib, re, shlex, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from planted import MAIN

HERE = pathlib.Path(__file__).resolve().parent
DECADE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # steps of the CPU, as docs/size.md
OCTAVE = (4, 5, 6, 7)
CPUS = sorted(step * 10 ** power for power in range(1, 6) for step in DECADE)
MEMORY = sorted(step * 2 ** power for power in range(3, 21) for step in OCTAVE)
MIN_HEAP = 8


def services(args):
    """Name → the plan's text, rate and goal."""
    def planted(case, seed, flags):
        return f"{args.java} {flags} -cp {shlex.quote(str(args.lab.resolve()))} {MAIN} --case {case} --seed {seed} --port {{port}}"

    classes = args.out.resolve() / "classes"
    pooled = f"{args.java} -XX:+UseSerialGC -Dpool.size=20 -cp {shlex.quote(str(classes))} Pooled {{port}}"
    knob = "\nknobs:\n  - {name: orders, range: 1..40, property: 'pool.size={}'}"
    return {
        "cpu": (plan(planted("cpu", 1, "-XX:+UseSerialGC")), "60/s", "p99<200ms"),
        "live-set": (plan(planted("gc-live-set", 1, "-XX:+UseSerialGC")), "100/s", "p99<200ms"),
        "pool": (plan(pooled) + knob, "100/s", "p99<200ms"),
    }


def plan(command):
    return f"name: sized\nurl: http://127.0.0.1:{{port}}/\ntarget:\n  launch: {json.dumps(command)}"


def size(args, text, folder, rate, goal, more):
    """Runs `jdyno size`; the document, or its error as a string."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "plan.yaml"
    file.write_text(text + "\n")
    command = [*shlex.split(args.jdyno), "size", str(file), "--rate", rate, "--goal", goal, "--json", "--out", str(folder / "out"), *more]
    done = subprocess.run(command, capture_output=True, text=True)
    (folder / "stderr.txt").write_text(done.stderr)
    return json.loads(done.stdout) if done.stdout.startswith("{") else done.stderr.strip()[:400] or f"exit {done.returncode}"


def with_heap(text, flags):
    """The plan with these JVM flags after those of its command, where the last one wins."""
    return re.sub(r"(\S*\bjava)(?= )((?: -(?!cp\b|jar\b|m\b)\S+)*)", lambda m: m.group(0) + "".join(" " + f for f in flags), text, count=1)


def smaller(found, kind):
    """The next smaller size and its flags; None at the end of the steps."""
    cpu, memory = found["size"]["milliCpus"], found["size"]["mebibytes"]
    below = [s for s in (CPUS if kind == "less-cpu" else MEMORY) if s < (cpu if kind == "less-cpu" else memory)]
    if not below:
        return None
    if kind == "less-cpu":
        return below[-1], memory, found["flags"]

    def less(flag):  # what the heap leaves to the rest stays the same
        heap = re.fullmatch(r"(-Xm[xs])(\d+)m", flag)
        return f"{heap.group(1)}{max(MIN_HEAP, int(heap.group(2)) - memory + below[-1])}m" if heap else flag

    return cpu, below[-1], [less(f) for f in found["flags"]]


def starts(args, text, folder, rate, goal, cpu, memory, flags):
    """Outcomes of fresh starts at one size. A call gives one, or two if the first is good; one that cannot start is bad."""
    outcomes = []
    while len(outcomes) < args.starts:
        answer = size(args, with_heap(text, flags), folder / str(len(outcomes)), rate, goal, ["--cpus", f"{cpu}m", "--memory", f"{memory}m"])
        if isinstance(answer, str):
            outcomes.append({"outcome": "bad", "reason": answer})
        else:
            seen = [t for t in answer["tests"] if t["why"] in ("full", "again")]
            if not seen:
                raise RuntimeError(f"no test: {answer['notes']}")
            outcomes += [{"outcome": t["outcome"], "reason": t["reason"]} for t in seen]
    return outcomes[:args.starts]


def one(args, name, text, rate, goal, rows, keep):
    searched = rows.get((name, "search"))
    if searched is None:
        answer = size(args, text, args.out / name / "search", rate, goal, ["--budget", args.budget])
        if isinstance(answer, str):
            raise RuntimeError(answer)
        searched = {"service": name, "step": "search", "rate": rate, "goal": goal, "end": answer["end"], "found": answer["found"],
                    "pools": answer["pools"], "tests": len(answer["tests"]), "seconds": answer["seconds"]}
        keep(searched)
    found = searched["found"]
    if not found:
        return
    at = (found["size"]["milliCpus"], found["size"]["mebibytes"], found["flags"])
    for step, wanted in (("same", at), ("less-cpu", smaller(found, "less-cpu")), ("less-memory", smaller(found, "less-memory"))):
        if wanted and (name, step) not in rows:
            cpu, memory, flags = wanted
            outcomes = starts(args, text, args.out / name / step, rate, goal, cpu, memory, flags)
            keep({"service": name, "step": step, "milliCpus": cpu, "mebibytes": memory, "flags": flags, "starts": outcomes})


def read(args):
    file = args.out / "size.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def measure(args):
    args.out.mkdir(parents=True, exist_ok=True)
    if args.plan:
        if not args.rate or not args.goal:
            sys.exit("--plan needs --rate and --goal")
        wanted = {args.plan.stem: (args.plan.read_text(), args.rate, args.goal)}
    else:
        wanted = {n: v for n, v in services(args).items() if not args.what or n in args.what}
        subprocess.run([str(pathlib.Path(args.java).parent / "javac") if "/" in args.java else "javac", "-d", str(args.out / "classes"),
                        str(HERE / "Pooled.java")], check=True)

    def keep(row):
        with (args.out / "size.jsonl").open("a") as out:
            out.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)

    for name, (text, rate, goal) in wanted.items():
        rows = {(r["service"], r["step"]): r for r in read(args)}
        try:
            one(args, name, text, rate, goal, rows, keep)
        except (RuntimeError, json.JSONDecodeError) as failed:
            print(f"{name}: {failed}", file=sys.stderr)


def report(args):
    print("| service | found | tests, minutes | good at the found size | one step less CPU: bad | one step less memory: bad | pools |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    rows = {(r["service"], r["step"]): r for r in read(args)}

    def count(name, step, outcome):
        row = rows.get((name, step))
        return f"{sum(s['outcome'] == outcome for s in row['starts'])} of {len(row['starts'])}" if row else ""

    for (name, step), r in rows.items():
        if step != "search":
            continue
        found = r["found"] and f"{r['found']['size']['cpu']}, {r['found']['size']['memory']}"
        pools = "; ".join(f"{p['pool']} {p['places']} ({p['result']}), {p['less']} {p['lessResult']}" for p in r["pools"])
        print(f"| {name} | {found or r['end']} | {r['tests']}, {r['seconds'] / 60:.0f} | {count(name, 'same', 'good')} | {count(name, 'less-cpu', 'bad')} | "
              f"{count(name, 'less-memory', 'bad')} | {pools} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="jdyno", help="how the tool is started")
    parser.add_argument("--lab", type=pathlib.Path, default="lab/target/jdyno-lab.jar", help="the lab's jar")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java")
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("measure")
    verb.add_argument("what", nargs="*", metavar="NAME")
    verb.add_argument("--plan", type=pathlib.Path, help="an application with its launch command")
    verb.add_argument("--rate")
    verb.add_argument("--goal")
    verb.add_argument("--starts", type=int, default=5, help="fresh starts of each size")
    verb.add_argument("--budget", default="40m", help="of a search")
    verb.set_defaults(does=measure)
    verb = verbs.add_parser("report")
    verb.set_defaults(does=report)
    args = parser.parse_args()
    args.does(args)


if __name__ == "__main__":
    main()
