#!/usr/bin/env python3
"""Holds many connections to nginx with jdyno, and asks the kernel how many there are.

Three cases, each with what must come out of it:
  many       -c 30000 --active 5% -r 1000: every connection held by the kernel's count on nginx's side, none
             lost, no error, a valid run (exit 0), jdyno's processes together within --max-rss MiB
  interrupt  the same, SIGINT in the middle: all its processes gone within 1 s, partial result, exit 130
  pinned     -c 50, closed, 60 kB searched by the client on one core, nginx on the others: the client is named
             the limit, exit 3
A process may open --files files, so that jdyno has to share 30,000 connections among several of its own.
Exit code 1 when a case is not as it must be. See README.md.
"""
import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

from peers import rss_mib, start_nginx
from processes import family


def held(port):
    """Established connections on the server's side, as the kernel counts them."""
    out = subprocess.run(
        ["ss", "-Htn", "state", "established", f"sport = :{port}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return out.count("\n")


def as_from_a_terminal(files):
    """What a shell's background job has ignored (SIGINT) ends the client again."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Client:
    """One `jdyno load --json`, and the processes it started."""

    def __init__(self, args, words, core=None, page=""):
        pin = ["taskset", "-c", str(core)] if core is not None else []
        self.process = subprocess.Popen(
            pin + [args.jdyno, "load", f"http://127.0.0.1:{args.port}/{page}", "--json"] + words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: as_from_a_terminal(args.files),
        )

    def end(self):
        out, said = self.process.communicate(timeout=120)
        if not out:
            sys.exit(f"jdyno ended with {self.process.returncode} and no result: {said}")
        return self.process.returncode, json.loads(out)


def many_words(args, seconds):
    return ["-c", str(args.connections), "--active", "5%", "-r", "1000", "-d", f"{seconds}s"]


def watch(args, client, until):
    """The most connections held and the most memory used until the condition is met, and when it was."""
    connections, rss, processes = 0, 0.0, 0
    deadline = time.time() + 120
    while client.process.poll() is None and time.time() < deadline:
        connections = max(connections, held(args.port))
        try:
            rss = max(rss, rss_mib(client.process.pid))
            processes = max(processes, len(family(client.process.pid)))
        except (FileNotFoundError, ProcessLookupError):
            continue
        if until(connections):
            break
        time.sleep(0.5)
    return connections, rss, processes


def many(args):
    client = Client(args, many_words(args, 10))
    connections, rss, processes = watch(args, client, lambda _: False)
    code, result = client.end()
    print(
        f"many: {connections} held by the kernel's count, over {processes} processes, RSS {rss:.0f} MiB,"
        f" {result['qps']:.0f}/s, p99 {result['rtMs']['p99']:.2f} ms, {result['errors']} errors, exit {code}"
    )
    for warning in result["validity"]["warnings"]:
        print(f"  {warning['says']}")
    return code == 0 and connections == args.connections and result["errors"] == 0 and rss <= args.max_rss


def interrupt(args):
    client = Client(args, many_words(args, 60))
    connections, _, processes = watch(args, client, lambda n: n >= args.connections)
    time.sleep(3)
    started = family(client.process.pid)
    begin = time.monotonic()
    client.process.send_signal(signal.SIGINT)
    code, result = client.end()
    took = time.monotonic() - begin
    left = [p for p in started if os.path.exists(f"/proc/{p}")]
    print(
        f"interrupt: {connections} held over {processes} processes, ended {took:.2f} s after SIGINT, exit {code},"
        f" {result['requests']} requests in the partial result, {len(left)} processes left"
    )
    return code == 130 and took <= 1 and not left and result["requests"] > 0


def pinned(args):
    others = set(os.sched_getaffinity(0)) - {args.client_core}
    for worker in family(args.nginx):
        os.sched_setaffinity(worker, others)
    words = ["-c", "50", "-t", "1", "-d", "5s", "--check-contains", "end"]
    client = Client(args, words, core=args.client_core, page="big.html")
    code, result = client.end()
    own = result["client"]
    print(
        f"pinned: {result['qps']:.0f}/s, busiest loop {own['busiestLoopPct']:.0f} %, saturated {own['saturated']}"
        f" ({own['why']}), exit {code}"
    )
    return code == 3 and own["saturated"]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--jdyno", default="./jdyno")
    p.add_argument("--connections", type=int, default=30_000)
    p.add_argument("--files", type=int, default=20_000, help="files a process of jdyno may open")
    p.add_argument("--max-rss", type=float, default=400, help="MiB, all processes of jdyno together")
    p.add_argument("--port", type=int, default=18_480)
    p.add_argument("--client-core", type=int, default=0)
    p.add_argument("--cases", default="many,interrupt,pinned")
    args = p.parse_args()
    may_open = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    args.files = min(args.files, may_open)
    workers = max(2, 1 + args.connections // (may_open * 3 // 5))  # the kernel spreads them about evenly
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        nginx = start_nginx(folder, args.port, workers=workers, files=may_open)
        args.nginx = nginx.pid
        with open(os.path.join(folder, "big.html"), "w", encoding="ascii") as f:
            f.write("x" * 60_000 + "end")
        try:
            for case in args.cases.split(","):
                if not {"many": many, "interrupt": interrupt, "pinned": pinned}[case](args):
                    wrong.append(case)
        finally:
            nginx.terminate()
            nginx.wait()
    print("not as it must be: " + ", ".join(wrong) if wrong else "all as they must be")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
