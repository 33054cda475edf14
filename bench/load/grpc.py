#!/usr/bin/env python3
"""Compares the CPU per gRPC call of jdyno's load engine with ghz and h2load, in the order A B B A.

The server is the one of the tests (grpc-java on Netty, load/src/test/.../ShopServer.java) on one core; the clients run on
another, one after the other. A client makes N calls and then 3 N calls; its CPU per call is the difference of the two runs
divided by 2 N, so that starting (a JVM, a Go runtime, server reflection) is in no figure. CPU time is the kernel's, of the
process and its children. Every client must report that all calls succeeded. h2load sends the same bytes and looks at no
grpc-status. ghz prints its summary: as JSON it would print each call. A client that is not installed is skipped by name.

    grpc.py --rounds 4 --ghz ~/go/bin/ghz
"""
import argparse
import json
import os
import platform
import re
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CALL = "shop.Prices/price"
# field 1 (int32) = 1, behind the prefix of gRPC: not compressed, two bytes
FRAME = bytes([0, 0, 0, 0, 2, 8, 1])
# jdyno's CPU per call as a share of ghz's
GOAL = 0.5
START_S = 30


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def class_path(folder):
    """What the tests of `load` run with; compiles them."""
    out = os.path.join(folder, "cp.txt")
    subprocess.run(
        [f"{ROOT}/mvnw", "-f", f"{ROOT}/pom.xml", "-o", "-q", "-pl", "load", "-am", "test-compile", "dependency:build-classpath",
         "-DincludeScope=test", f"-Dmdep.outputFile={out}"],
        check=True,
    )
    with open(out, encoding="utf-8") as f:
        return ":".join([f"{ROOT}/load/target/test-classes", f"{ROOT}/load/target/classes", f.read().strip()])


def end(process):
    """Ends a process of ours that may still run."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start_server(java, path, port, core):
    server = subprocess.Popen(
        ["taskset", "-c", str(core), java, "-cp", path, "dev.jdyno.load.grpc.ShopServer", str(port)]
    )
    try:
        deadline = time.time() + START_S
        while time.time() < deadline and server.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return server
            except OSError:
                time.sleep(0.1)
        sys.exit(f"the server does not listen on port {port}")
    except BaseException:
        end(server)
        raise


def commands(args, port, frame, calls):
    """For each client: its command, and how many calls it reports as succeeded."""
    address = f"127.0.0.1:{port}"
    return {
        "jdyno": (
            [*shlex.split(args.jdyno), "load", f"grpc://{address}/{CALL}", "--data", '{"id": 1}',
             "-c", str(args.connections), "--streams", str(args.streams), "-n", str(calls), "-t", "1", "--quiet", "--json"],
            lambda text: json.loads(text)["statuses"].get("0", 0),
        ),
        "ghz": (
            [args.ghz, "--insecure", "--call", CALL.replace("/", "."), "-d", '{"id": 1}', "-c", str(args.connections * args.streams),
             "--connections", str(args.connections), "-n", str(calls), address],
            lambda text: int(re.search(r"\[OK\]\s+(\d+) responses", text).group(1)),
        ),
        "h2load": (
            [args.h2load, "-n", str(calls), "-c", str(args.connections), "-m", str(args.streams), "-t", "1", "-d", frame,
             "-H", "content-type: application/grpc", "-H", "te: trailers", f"http://{address}/{CALL}"],
            lambda text: int(re.search(r"(\d+) succeeded", text).group(1)),
        ),
    }


def cpu_of(client, core, calls):
    """Seconds of CPU that a client takes for its calls, all of which must have succeeded."""
    command, counted = client
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(["taskset", "-c", str(core)] + command, stdout=out, stderr=err)
        try:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            end(process)
        out.seek(0)
        err.seek(0)
        text = out.read().decode(errors="replace")
        last = err.read().decode(errors="replace").strip()[-300:]
    try:
        done = counted(text)
    except (AttributeError, ValueError, KeyError) as unknown:
        sys.exit(f"{command[0]}: exit code {process.returncode}, no count of calls in its output ({unknown!r}): {text[:300]} {last}")
    if process.returncode != 0 or done != calls:
        sys.exit(f"{command[0]}: {done} of {calls} calls succeeded, exit code {process.returncode}: {last}")
    return used.ru_utime + used.ru_stime


def first_line(*command):
    """What a program prints of its version; empty if it prints nothing."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return (done.stdout.strip().splitlines() or [""])[0]


def conditions(args, found):
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        model = re.search(r"model name\s*: (.*)", f.read())
    print(f"{os.cpu_count()} cores ({model.group(1) if model else platform.machine()}), Linux {platform.release()}, "
          f"server: {first_line(args.java, '-version')}")
    versions = {"jdyno": [*shlex.split(args.jdyno), "--version"], "ghz": [args.ghz, "--version"], "h2load": [args.h2load, "--version"]}
    for client in found:
        print(f"{client}: {first_line(*versions[client])}")


def measure(args, found, seen):
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        frame = os.path.join(folder, "frame")
        with open(frame, "wb") as f:
            f.write(FRAME)
        path = args.class_path or class_path(folder)
        server = start_server(args.java, path, port, core=1)
        try:
            short, long = (commands(args, port, frame, n) for n in (args.calls, 3 * args.calls))
            for number in range(args.rounds):
                for client in found if number % 2 == 0 else reversed(found):
                    less = cpu_of(short[client], 0, args.calls)
                    more = cpu_of(long[client], 0, 3 * args.calls)
                    if more <= less:
                        sys.exit(f"{client}: {3 * args.calls} calls took no more CPU than {args.calls}: raise --calls")
                    seen[client].append((more - less) / (2 * args.calls) * 1e6)
                    print(f"round {number + 1} {client}: {seen[client][-1]:.2f} µs/call", flush=True)
        finally:
            end(server)


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}…{max(values):.2f})"


def report(args, found, seen):
    print(f"\n{args.connections} connections × {args.streams} streams, {args.rounds} rounds of {args.calls} and {3 * args.calls} calls, "
          "CPU of the client in µs per call, median (least…most)")
    ratios = {c: [a / b for a, b in zip(seen[c], seen["ghz"])] for c in found} if "ghz" in seen else {}
    print("| client | µs/call | ÷ ghz, in each round |")
    print("| --- | --- | --- |")
    for client in found:
        print(f"| {client} | {spread(seen[client])} | {spread(ratios[client]) if ratios else '–'} |")
    if ratios and "jdyno" in ratios:
        ratio = statistics.median(ratios["jdyno"])
        print(f"jdyno ÷ ghz {ratio:.2f}, goal {GOAL}: {'reached' if ratio <= GOAL else 'not reached'}")
        return 0 if ratio <= GOAL else 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4, help="each runs every client once; every other one backwards")
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("-c", "--connections", type=int, default=2)
    parser.add_argument("--streams", type=int, default=25)
    parser.add_argument("--clients", default="jdyno,ghz,h2load")
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java")
    parser.add_argument("--jdyno", help="how the tool is started (default: app/target/jdyno.jar of this checkout)")
    parser.add_argument("--ghz", default="ghz")
    parser.add_argument("--h2load", default="h2load")
    parser.add_argument("--class-path", help="of the server, instead of asking Maven for that of the tests of load")
    args = parser.parse_args()
    # Blocks that end processes are left when the script is ended, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    args.jdyno = args.jdyno or shlex.join([args.java, "-jar", f"{ROOT}/app/target/jdyno.jar"])
    programs = {"jdyno": shlex.split(args.jdyno)[0], "ghz": args.ghz, "h2load": args.h2load}
    wanted = args.clients.split(",")
    unknown = set(wanted) - set(programs)
    if unknown:
        parser.error(f"unknown clients: {', '.join(sorted(unknown))}")
    found = [c for c in wanted if shutil.which(programs[c])]
    for missing in wanted:
        if missing not in found:
            print(f"{missing}: not installed, left out")
    if not found:
        sys.exit("no client is installed")
    conditions(args, found)
    seen = {c: [] for c in found}
    try:
        measure(args, found, seen)
    except KeyboardInterrupt:
        sys.exit(130)
    return report(args, found, seen)


if __name__ == "__main__":
    sys.exit(main())
