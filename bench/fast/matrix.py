#!/usr/bin/env python3
"""Names what limits a page that answers "ok" on seven HTTP servers, at several loads, on several JDKs.

    ./mvnw -f bench/fast/pom.xml package                       builds the servers
    bench/fast/matrix.py --out /tmp/fast                       all runs, about 20 s each
    bench/fast/matrix.py --out /tmp/fast --servers jetty,jdk --jdks 17 --connections 1,20
    bench/fast/matrix.py --out /tmp/fast --table               prints what is there

Rows are appended to DIR/rows.tsv, so that the matrix can be run in portions; the last row of a case counts. Each result.json
stays in DIR. A run beside which others used more than a tenth of the machine is marked. Whatever was started is ended, on Ctrl-C as well.
"""
import argparse, json, os, pathlib, signal, subprocess, sys, threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SERVERS = ["tomcat", "jetty", "undertow", "netty", "jdk", "vertx", "helidon"]
NEEDS = {"helidon": 21}  # Java release that a server's classes need; the others run on 17
BESIDE = 0.1  # share of the machine's cores used by others from which a row is marked
COLUMNS = ["server", "jdk", "connections", "name", "confidence", "requests/s", "service", "client", "others", "system", "where"]


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
    raise SystemExit(f"{server} on {java} did not start")


def run(args, server, jdk, connections):
    out = args.out / f"{server}-{jdk}-{connections}"
    java = pathlib.Path(args.java[jdk]) / "bin/java"
    service, port = start(str(java), server)
    try:
        words = [*args.jdyno.split(), "run", "--url", f"http://127.0.0.1:{port}/", "--pid", str(service.pid), "--concurrency", str(connections),
                 "--round", args.round, "--warmup", args.warmup, *args.options.split(), "--no-store", "--quiet", "--out", str(out)]
        with open(args.out / f"{out.name}.txt", "w", encoding="utf-8") as report:
            jdyno = subprocess.Popen(words, stdout=report, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                jdyno.wait()
            finally:
                end(jdyno)
    finally:
        end(service)
    result = json.loads((out / "result.json").read_text())
    verdict, last = result["verdict"], result["rounds"][-1]
    cpu = last["cpu"]
    others = cpu["otherCores"] + cpu["stealPct"] / 100 * cpu["availableCores"]
    return [server, jdk, connections, verdict["bottleneck"], f"{verdict['confidence']:.2f}", f"{last['qps']:.0f}",
            f"{cpu['processCores']:.2f}", f"{cpu['clientCores']:.2f}",
            f"{others:.2f}{' !' if others > BESIDE * result['machine']['cores'] else ''}",
            f"{cpu['systemCores'] / max(1e-9, cpu['processCores']):.0%}", verdict["where"][:40]]


def table(args):
    file = args.out / "rows.tsv"
    last = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        row = line.split("\t")
        last[tuple(row[:3])] = row
    rows = sorted(last.values(), key=lambda r: (SERVERS.index(r[0]), int(r[1]), int(r[2])))
    print("| " + " | ".join(COLUMNS) + " |\n|" + " --- |" * len(COLUMNS))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    names = [r[3] for r in rows]
    print(f"\n{len(rows)} runs: " + ", ".join(f"{names.count(n)} {n}" for n in sorted(set(names))))


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
    parser.add_argument("--table", action="store_true", help="run nothing")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.table:
        return table(args)
    args.java = dict(word.split("=", 1) for word in args.java)
    jdks = args.jdks.split(",")
    missing = [j for j in jdks if not os.access(pathlib.Path(args.java.get(j, home)) / "bin/java", os.X_OK)]
    if missing or not (HERE / "target/fast.jar").exists():
        parser.error("say --java RELEASE=HOME for " + ", ".join(missing) if missing else "build first: ./mvnw -f bench/fast/pom.xml package")
    for j in jdks:
        args.java.setdefault(j, home)
    for server in args.servers.split(","):
        for jdk in jdks:
            if int(jdk) < NEEDS.get(server, 17):
                continue
            for connections in args.connections.split(","):
                row = [str(cell) for cell in run(args, server, jdk, int(connections))]
                with open(args.out / "rows.tsv", "a", encoding="utf-8") as rows:
                    rows.write("\t".join(row) + "\n")
                print("\t".join(row), flush=True)
    print()
    table(args)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
