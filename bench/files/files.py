#!/usr/bin/env python3
"""How often `jdyno diagnose --files` names the bottleneck of a planted service from recorded files alone.

    files.py --jdyno ./jdyno --lab lab/target/jdyno-lab.jar --out DIR record CASE@JDK [CASE@JDK ...]
    files.py --jdyno ./jdyno --out DIR report [--write]

`record` starts the lab's service of each case with a JDK (17, 25; --jdk 17=/usr/lib/jvm/…), loads it, and records what an operator can:
a flight recording with default settings, twelve thread dumps, a GC log. Then `jdyno diagnose PID` judges the same service, for comparison.
`report` judges the files of each case in four mixes. --write puts the answers into results.tsv and the table into README.md.
"""
import argparse, csv, json, os, pathlib, re, shlex, socket, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent
MIXES = {
    "all files": ["files"],
    "dumps": ["dump-*.txt"],
    "flight recording": ["r.jfr"],
    "flight recording, GC log": ["r.jfr", "gc.log"],
}
DUMPS = 12
# the load outlasts the recording, also where jcmd waits for a busy JVM
LOAD_S = 240
COLUMNS = ["case", "jdk", "recorded", "expected", "live", *MIXES]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def label(args, case):
    listed = subprocess.run(
        [str(lister(args) / "bin/java"), "-cp", args.lab, "dev.jdyno.lab.planted.Planted", "--list"],
        check=True, capture_output=True, text=True, timeout=120).stdout
    found = [json.loads(line) for line in listed.splitlines() if line.startswith("{")]
    return next((one for one in found if one["case"] == case), None) or sys.exit(f"the lab has no case {case}")


def homes(args):
    return dict(pair.split("=", 1) for pair in args.jdk)


def home(args, jdk):
    """The JDK of a case. Another one in its place would put its answers under a wrong name."""
    return pathlib.Path(homes(args).get(jdk) or sys.exit(f"no JDK {jdk} for this case: give --jdk {jdk}=FOLDER"))


def lister(args):
    """The JDK that lists the cases of the lab, which any version from 17 on can do."""
    known = homes(args)
    return pathlib.Path(
        known.get("25") or os.environ.get("JAVA_HOME") or next(iter(known.values()), None)
        or sys.exit("no JDK to list the cases: set JAVA_HOME or give --jdk 25=FOLDER"))


def java(args, jdk):
    return str(home(args, jdk) / "bin/java")


def listens(log, service):
    for _ in range(300):
        if "listening" in log.read_text(errors="replace"):
            return
        if service.poll() is not None:
            break
        time.sleep(0.2)
    sys.exit(f"the service did not start: {log.read_text(errors='replace')[-500:]}")


def record(args, case, jdk):
    folder = pathlib.Path(args.out).resolve() / f"{case}-{jdk}"
    if folder.exists():
        print(f"{folder.name}: is there, not recorded again")
        return
    planted = label(args, case)
    files = folder / "files"
    files.mkdir(parents=True)
    (folder / "label.json").write_text(json.dumps(planted) + "\n")
    jcmd = str(home(args, jdk) / "bin/jcmd")
    port = free_port()
    log = folder / "service.log"
    running = []
    try:
        with open(log, "w") as out:
            service = subprocess.Popen(
                [java(args, jdk), *planted["jvmArgs"], f"-Xlog:gc*,safepoint:file={files}/gc.log:time,uptime,level,tags",
                 "-cp", args.lab, "dev.jdyno.lab.planted.Planted", "--case", case, "--port", str(port)],
                stdout=out, stderr=subprocess.STDOUT)
        running.append(service)
        listens(log, service)
        with open(folder / "load.txt", "w") as out:
            running.append(subprocess.Popen(
                [*shlex.split(args.jdyno), "load", f"http://127.0.0.1:{port}/", "-c", str(planted["concurrency"]), "-d", f"{LOAD_S}s",
                 "--quiet"], stdout=out, stderr=subprocess.STDOUT))
        time.sleep(12)
        pid = str(service.pid)
        subprocess.run([jcmd, pid, "JFR.start", "name=r", "settings=default"], check=True, capture_output=True, timeout=120)
        for i in range(1, DUMPS + 1):
            dump = subprocess.run([jcmd, pid, "Thread.print"], check=True, capture_output=True, timeout=120).stdout
            (files / f"dump-{i}.txt").write_bytes(dump)
            # irregular, so that a rhythm of the service does not meet that of the dumps
            time.sleep(0.4 + i * 0.618 % 1)
        subprocess.run([jcmd, pid, "JFR.stop", "name=r", f"filename={files}/r.jfr"], check=True, capture_output=True, timeout=120)
        live = subprocess.run([*shlex.split(args.jdyno), "diagnose", pid, "--duration", "12s", "--json", "--no-store"],
                              capture_output=True, text=True, timeout=300)
        (folder / "live.json").write_text(live.stdout)
        if running[1].poll() is not None:
            sys.exit(f"{folder.name}: the load ended before the recording; remove the folder and record it again")
        print(f"{folder.name}: recorded")
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait(timeout=60)


def judged(args, folder, mix):
    given = [str(path) for pattern in MIXES[mix]
             for path in (sorted((folder / "files").glob(pattern)) if pattern != "files" else [folder / "files"])]
    answer = subprocess.run([*shlex.split(args.jdyno), "diagnose", "--json", "--no-store", "--files", *given],
                            capture_output=True, text=True, timeout=300)
    if answer.returncode:
        sys.exit(f"{folder.name}, {mix}: {answer.stderr}")
    return verdict(answer.stdout)


def verdict(document):
    found = json.loads(document)["verdict"]
    return f"{found['bottleneck']} {found['confidence']:.2f}"


def case_of(args, folder):
    planted = json.loads((folder / "label.json").read_text())
    case, jdk = folder.name.rsplit("-", 1)
    row = {
        "case": case,
        "jdk": jdk,
        "recorded": time.strftime("%Y-%m-%d", time.gmtime((folder / "files/r.jfr").stat().st_mtime)),
        "expected": "|".join([planted["bottleneck"], *planted.get("also", [])]),
        "live": verdict((folder / "live.json").read_text()),
    }
    for mix in MIXES:
        row[mix] = judged(args, folder, mix)
    print("; ".join(row.values()), flush=True)
    return row


def is_right(row, column):
    return row[column].split()[0] in row["expected"].split("|")


def cell(row, column):
    name = row[column].split()[0]
    return row[column] if is_right(row, column) else ("no name" if name == "unknown" else f"**wrong:** {row[column]}")


def summary(rows):
    lines = ["| judged from | cases | right | another name | no name | wrong at 0.9 or more |", "| --- | --- | --- | --- | --- | --- |"]
    for column in ["live", *MIXES]:
        right = sum(is_right(r, column) for r in rows)
        unnamed = sum(r[column].startswith("unknown") for r in rows)
        sure = sum(not is_right(r, column) and float(r[column].split()[1]) >= 0.9 for r in rows)
        name = "the running JVM (`diagnose PID`)" if column == "live" else column
        lines.append(f"| {name} | {len(rows)} | {right} | {len(rows) - right - unnamed} | {unnamed} | {sure} |")
    return lines


def table(rows):
    lines = ["| case | JDK | recorded | expected | the running JVM | " + " | ".join(MIXES) + " |", "| --- " * (5 + len(MIXES)) + "|"]
    for r in rows:
        cells = [r["case"], r["jdk"], r["recorded"], " or ".join(r["expected"].split("|")), *(cell(r, c) for c in ["live", *MIXES])]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def write(page, part, lines):
    text = page.read_text(encoding="utf-8")
    new, found = re.subn(rf"<!-- {part} -->\n.*?<!-- /{part} -->",
                         lambda _: f"<!-- {part} -->\n" + "\n".join(lines) + f"\n<!-- /{part} -->", text, count=1, flags=re.S)
    if not found:
        sys.exit(f"{page} has no place for '{part}'")
    page.write_text(new, encoding="utf-8")


def report(args):
    folders = sorted(p for p in pathlib.Path(args.out).resolve().iterdir() if (p / "files/r.jfr").exists())
    for p in [p for p in folders if not (p / "live.json").exists() or not (p / "live.json").read_text().strip()]:
        print(f"{p.name}: has no live verdict, left out")
        folders.remove(p)
    rows = [case_of(args, p) for p in folders]
    print("\n".join(summary(rows)))
    if args.write:
        with open(HERE / "results.tsv", "w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, COLUMNS, delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        write(HERE / "README.md", "summary", summary(rows))
        write(HERE / "README.md", "cases", table(rows))
        write(HERE.parents[1] / "docs/accuracy.md", "files", summary(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="./jdyno", help="the command (default: ./jdyno)")
    parser.add_argument("--lab", default="lab/target/jdyno-lab.jar")
    parser.add_argument("--jdk", action="append", default=[], metavar="N=HOME")
    parser.add_argument("--out", required=True)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("record").add_argument("cases", nargs="+", metavar="CASE@JDK")
    verbs.add_parser("report").add_argument("--write", action="store_true")
    args = parser.parse_args()
    args.lab = str(pathlib.Path(args.lab).resolve())
    if args.verb == "report":
        report(args)
    else:
        for case in args.cases:
            record(args, *case.split("@"))


if __name__ == "__main__":
    main()
