#!/usr/bin/env python3
"""Compares the CPU per gRPC call of jdyno's load engine with ghz and h2load, in the order A B B A.

The server is the one of the tests (grpc-java on Netty, load/src/test/.../ShopServer.java) on one core; the clients run on
another, one after the other. A client makes N calls and then 3 N calls; its CPU per call is the difference of the two runs
divided by 2 N, so that starting (a JVM, a Go runtime, server reflection) is in no figure. CPU time is the kernel's, of the
process and its children. Every client must report that all calls succeeded. h2load sends the same bytes and looks at no
grpc-status. A client that is not installed is skipped by name.
"""
import argparse
import json
import os
import re
import shutil
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


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def class_path(folder):
    """What the tests of `load` run with; built before: ./mvnw -pl load -am test-compile."""
    out = os.path.join(folder, "cp.txt")
    subprocess.run(
        [f"{ROOT}/mvnw", "-f", f"{ROOT}/pom.xml", "-o", "-q", "-pl", "load", "dependency:build-classpath",
         "-DincludeScope=test", f"-Dmdep.outputFile={out}"],
        check=True,
    )
    with open(out, encoding="utf-8") as f:
        return ":".join([f"{ROOT}/load/target/test-classes", f"{ROOT}/load/target/classes", f.read().strip()])


def start_server(java, folder, port, core):
    server = subprocess.Popen(
        ["taskset", "-c", str(core), java, "-cp", class_path(folder), "dev.jdyno.load.grpc.ShopServer", str(port)]
    )
    deadline = time.time() + 20
    while time.time() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server
        except OSError:
            time.sleep(0.1)
    server.terminate()
    sys.exit(f"the server does not listen on port {port}")


def commands(java, port, frame, connections, streams, calls):
    """For each client: its command, and how many calls it says succeeded."""
    address = f"127.0.0.1:{port}"
    return {
        "jdyno": (
            [java, "-jar", f"{ROOT}/app/target/jdyno.jar", "load", f"grpc://{address}/{CALL}", "--data", '{"id": 1}',
             "-c", str(connections), "--streams", str(streams), "-n", str(calls), "-t", "1", "--quiet", "--json"],
            lambda text: json.loads(text)["statuses"].get("0", 0),
        ),
        "ghz": (
            ["ghz", "--insecure", "--call", CALL.replace("/", "."), "-d", '{"id": 1}', "-c", str(connections * streams),
             "--connections", str(connections), "-n", str(calls), "-O", "json", address],
            lambda text: json.loads(text)["statusCodeDistribution"].get("OK", 0),
        ),
        "h2load": (
            ["h2load", "-n", str(calls), "-c", str(connections), "-m", str(streams), "-t", "1", "-d", frame,
             "-H", "content-type: application/grpc", "-H", "te: trailers", f"http://{address}/{CALL}"],
            lambda text: int(re.search(r"(\d+) succeeded", text).group(1)),
        ),
    }


def cpu_of(command, core, counted, calls):
    """Seconds of CPU that a client takes for its calls, all of which must have succeeded."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(["taskset", "-c", str(core)] + command, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    done = counted(text)
    if process.returncode != 0 or done != calls:
        sys.exit(f"{command[0]}: {done} of {calls} calls succeeded, exit code {process.returncode}")
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4, help="each runs every client once; every other one backwards")
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("-c", "--connections", type=int, default=2)
    parser.add_argument("--streams", type=int, default=25)
    parser.add_argument("--clients", default="jdyno,ghz,h2load")
    args = parser.parse_args()
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
    found = [c for c in args.clients.split(",") if c == "jdyno" or shutil.which(c)]
    for missing in set(args.clients.split(",")) - set(found):
        print(f"{missing}: not installed, left out")
    port = free_port()
    seen = {c: [] for c in found}
    with tempfile.TemporaryDirectory() as folder:
        frame = os.path.join(folder, "frame")
        with open(frame, "wb") as f:
            f.write(FRAME)
        server = start_server(java, folder, port, core=1)
        try:
            short, long = (
                commands(java, port, frame, args.connections, args.streams, n) for n in (args.calls, 3 * args.calls)
            )
            for number in range(args.rounds):
                for client in found if number % 2 == 0 else reversed(found):
                    less = cpu_of(*short[client][:1], 0, short[client][1], args.calls)
                    more = cpu_of(*long[client][:1], 0, long[client][1], 3 * args.calls)
                    seen[client].append((more - less) / (2 * args.calls) * 1e6)
        finally:
            server.terminate()
            server.wait()
    print(f"{args.connections} connections × {args.streams} streams, {args.rounds} rounds, median (least…most)")
    for client in found:
        all_of_it = seen[client]
        ratios = [a / b for a, b in zip(all_of_it, seen["ghz"])] if "ghz" in seen else []
        print(
            f"{client:8} {statistics.median(all_of_it):8.2f} µs/call ({min(all_of_it):.2f}…{max(all_of_it):.2f})"
            + (f"   ÷ ghz {statistics.median(ratios):.2f} ({min(ratios):.2f}…{max(ratios):.2f})" if ratios else "")
        )


if __name__ == "__main__":
    main()
