#!/usr/bin/env python3
"""Names what limits a page that answers "ok" on seven HTTP servers, at several loads, on several JDKs.

    ./mvnw -f bench/fast/pom.xml package                       builds the servers
    bench/fast/matrix.py --out /tmp/fast                       all runs, about 20 s each
    bench/fast/matrix.py --out /tmp/fast --servers jetty,jdk --jdks 17 --connections 1,20
    bench/fast/matrix.py --out /tmp/fast --table               prints what is there

Rows are appended to DIR/rows.csv. A case that has a row there is not measured again, so the matrix can be run in portions; --again measures it
again, and its last row counts. A run that gave no result has a row, too, and is tried again by the next call. The column "exit" is the exit code
of jdyno; any code but 0 says that the row does not count. Each result.json stays in DIR. A run beside which others used more than a tenth of the
machine is marked with "!". Whatever was started is ended, on Ctrl-C as well. Exit code 1 if a run gave no result.
"""
import argparse, csv, json, os, pathlib, re, shutil, signal, subprocess, sys, threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SERVERS = ["tomcat", "jetty", "undertow", "netty", "jdk", "vertx", "helidon"]
NEEDS = {"helidon": 21}  # Java release that a server's classes need; the others run on 17
BESIDE = 0.1  # share of the machine's cores used by others from which a row is marked
RUN_MOST_SECONDS = 600  # ends a run that hangs; one takes about 20 s
COLUMNS = ["server", "jdk", "connections", "exit", "name", "confidence", "requests/s", "service", "client", "others", "system", "where"]
NO_RESULT = "no result"


def end(process):
    """The process and all that it started: each has a session of its own."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        try:
            process.wait(timeout=30)
            return
        except subprocess.TimeoutExpired:
            pass


def start(java, server):
    """(process, port) of a server that listens."""
    process = subprocess.Popen([java, "-Xmx256m", "-jar", str(HERE / "target/fast.jar"), server],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    hangs = threading.Timer(60, end, [process])
    hangs.start()
    try:
        for line in process.stdout:
            if line.startswith("port "):
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return process, int(line.split()[1])
    except BaseException:
        end(process)
        raise
    finally:
        hangs.cancel()
    end(process)
    raise OSError(f"{server} on {java} did not start")


def run(args, server, jdk, connections):
    """One row. What an earlier run left in its folder is removed first, so that it is not taken for this run's."""
    out = args.out / f"{server}-{jdk}-{connections}"
    shutil.rmtree(out, ignore_errors=True)
    java = pathlib.Path(args.java[jdk]) / "bin/java"
    case = [server, jdk, str(connections)]
    try:
        service, port = start(str(java), server)
    except OSError as not_started:
        return [*case, "-", NO_RESULT, *["-"] * 6, str(not_started)]
    try:
        words = [*args.jdyno.split(), "run", "--url", f"http://127.0.0.1:{port}/", "--pid", str(service.pid), "--concurrency", str(connections),
                 "--round", args.round, "--warmup", args.warmup, *args.options.split(), "--no-store", "--quiet", "--out", str(out)]
        with open(args.out / f"{out.name}.txt", "w", encoding="utf-8") as report:
            jdyno = subprocess.Popen(words, stdout=report, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                code = str(jdyno.wait(RUN_MOST_SECONDS))
            except subprocess.TimeoutExpired:
                code = "hung"
            finally:
                end(jdyno)
    finally:
        end(service)
    return [*case, code, *figures(out)]


def figures(out):
    """The cells of a result, from its verdict on."""
    try:
        result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as none:
        return [NO_RESULT, *["-"] * 6, f"see {out.name}.txt: {type(none).__name__}"]
    verdict, last = result.get("verdict"), (result.get("rounds") or [{}])[-1]
    if not verdict:
        return [NO_RESULT, *["-"] * 6, f"see {out.name}.txt: no verdict"]
    cpu = last.get("cpu")
    cells = [verdict["bottleneck"], f"{verdict['confidence']:.2f}", f"{last['qps']:.0f}" if last else "-"]
    if cpu:
        others = cpu["otherCores"] + cpu["stealPct"] / 100 * cpu["availableCores"]
        cells += [f"{cpu['processCores']:.2f}", f"{cpu['clientCores']:.2f}",
                  f"{others:.2f}{' !' if others > BESIDE * result['machine']['cores'] else ''}",
                  f"{cpu['systemCores'] / max(1e-9, cpu['processCores']):.0%}"]
    else:
        cells += ["-"] * 4
    return [*cells, verdict["where"][:40]]


def held(args):
    """The last row of each case that has one, by (server, jdk, connections)."""
    file = args.out / "rows.csv"
    if not file.exists():
        return {}
    with open(file, newline="", encoding="utf-8") as rows:
        lines = list(csv.reader(rows))
    if not lines or lines[0] != COLUMNS:
        raise SystemExit(f"{file} has other columns than {','.join(COLUMNS)}: give another --out")
    return {tuple(row[:3]): row for row in lines[1:] if len(row) == len(COLUMNS)}


def append(args, row):
    file = args.out / "rows.csv"
    new = not file.exists()
    with open(file, "a", newline="", encoding="utf-8") as rows:
        csv.writer(rows).writerows([COLUMNS, row] if new else [row])


def table(args):
    rows = sorted(held(args).values(), key=lambda r: (SERVERS.index(r[0]), int(r[1]), int(r[2])))
    print("| " + " | ".join(COLUMNS) + " |\n|" + " --- |" * len(COLUMNS))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    valid = [r[4] for r in rows if r[3] == "0"]
    print(f"\n{len(rows)} runs, {len(rows) - len(valid)} of them with another exit code than 0. Of the others: "
          + ", ".join(f"{valid.count(n)} {n}" for n in sorted(set(valid))))


def release(home):
    """The Java release of a JDK, by its file `release`; None where that does not say."""
    try:
        said = re.search(r'^JAVA_VERSION="(\d+)', (pathlib.Path(home) / "release").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return None
    return said and said.group(1)


def main():
    home = os.environ.get("JAVA_HOME", "")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--jdks", default="17,25")
    parser.add_argument("--connections", default="1,2,20,200")
    parser.add_argument("--java", action="append", default=[], metavar="RELEASE=HOME", help="where a JDK is, such as 17=/usr/lib/jvm/java-17-openjdk-amd64")
    parser.add_argument("--jdyno", default=str(ROOT / "jdyno"))
    parser.add_argument("--round", default="2s")
    parser.add_argument("--warmup", default="5s")
    parser.add_argument("--options", default="--no-profile --no-live-count", help="more options of `jdyno run`; these two leave out what names no bottleneck here")
    parser.add_argument("--again", action="store_true", help="measure cases that have a row, too")
    parser.add_argument("--table", action="store_true", help="run nothing")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.table:
        table(args)
        return 0
    args.java = dict(word.split("=", 1) for word in args.java)
    jdks = args.jdks.split(",")
    unknown = sorted(set(args.servers.split(",")) - set(SERVERS))
    if unknown:
        parser.error(f"no server {', '.join(unknown)}; there are {', '.join(SERVERS)}")
    for j in jdks:
        args.java.setdefault(j, home)
        if not os.access(pathlib.Path(args.java[j]) / "bin/java", os.X_OK) or release(args.java[j]) not in (j, None):
            parser.error(f"no JDK {j} in '{args.java[j]}': say --java {j}=HOME")
    if not (HERE / "target/fast.jar").exists():
        parser.error("build first: ./mvnw -f bench/fast/pom.xml package")
    before = held(args)
    without = 0
    for server in args.servers.split(","):
        for jdk in jdks:
            if int(jdk) < NEEDS.get(server, 17):
                continue
            for connections in args.connections.split(","):
                row = before.get((server, jdk, connections))
                if row and row[4] != NO_RESULT and not args.again:
                    continue
                row = run(args, server, jdk, int(connections))
                append(args, row)
                without += row[4] == NO_RESULT
                print("\t".join(row), flush=True)
    print()
    table(args)
    return 1 if without else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
