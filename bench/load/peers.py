#!/usr/bin/env python3
"""Compares the CPU per request of jdyno's load engine with wrk, ab, h2load, oha and k6.

Every client is pinned to one core and nginx (one worker, a 612-byte page) to another. Each round runs
every client once, one after the other, so that what the machine does in between hits all of them; the
ratios are taken within a round. A client runs for a warm-up, then for the window: its CPU time comes
from /proc/PID/stat (children included), the requests from nginx's own counter, both read at the same
two instants, so no client's own arithmetic is trusted. See README.md.
"""
import argparse
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from processes import family

TICK = os.sysconf("SC_CLK_TCK")


def start_nginx(folder, port, core=None, workers=1, files=None):
    """nginx with a page of 612 bytes, on one core if given; with `files` its workers may open so many each, and share the port evenly."""
    page = os.path.join(folder, "index.html")
    with open(page, "w", encoding="ascii") as f:
        f.write("x" * 612)
    conf = os.path.join(folder, "nginx.conf")
    with open(conf, "w", encoding="ascii") as f:
        f.write(
            f"""worker_processes {workers}; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
{f'worker_rlimit_nofile {files};' if files else ''} events {{ worker_connections {files - 100 if files else 20000}; }}
http {{ access_log off; keepalive_requests 1000000000; keepalive_timeout 600s;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port} backlog=4096{' reuseport' if workers > 1 else ''}; root {folder};
    location = /status {{ stub_status; }} }} }}
"""
        )
    process = subprocess.Popen(([] if core is None else ["taskset", "-c", str(core)]) + ["nginx", "-c", conf])
    deadline = time.time() + 10
    while time.time() < deadline:
        try:
            served(port)
            return process
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nginx does not answer on port {port}; see {folder}/error.log")


def served(port):
    """Requests nginx has answered so far, and the instant at which it said so."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5) as r:
        text = r.read().decode()
    return int(text.splitlines()[2].split()[2]), time.monotonic()


def cpu_seconds(pid):
    """User and system CPU of the process, in seconds, from the per-thread nanosecond counters."""
    user = system = exact = 0.0
    for p in family(pid):
        with open(f"/proc/{p}/stat", encoding="ascii") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        user += int(fields[11]) / TICK
        system += int(fields[12]) / TICK
        for task in os.listdir(f"/proc/{p}/task"):
            with open(f"/proc/{p}/task/{task}/schedstat", encoding="ascii") as f:
                exact += int(f.read().split()[0]) / 1e9
    return exact, user, system


def rss_mib(pid):
    total = 0
    for p in family(pid):
        with open(f"/proc/{p}/status", encoding="ascii") as f:
            for line in f:
                if line.startswith("VmRSS:"):
                    total += int(line.split()[1])
    return total / 1024


def commands(args, connections, url):
    """Client name -> command that loads until it is stopped; only what is installed."""
    long = int(args.warmup + args.window + 30)
    c = str(connections)
    all_clients = {
        "jdyno": [args.jdyno, "load", url, "-c", c, "-t", "1", "-d", f"{long}s", "--quiet"],
        "wrk": ["wrk", "-c", c, "-t", "1", "-d", f"{long}s", url],
        # ab keeps 32 bytes for each of -n requests from the start; it is stopped long before
        "ab": ["ab", "-q", "-k", "-c", c, "-n", str(long * 150_000), url],
        "h2load": ["h2load", "--h1", "-c", c, "-t", "1", "-D", str(long), url],
        "oha": ["oha", "--no-tui", "-c", c, "-z", f"{long}s", url],
        "k6": ["k6", "run", "--vus", c, "--duration", f"{long}s", os.path.join(HERE, "k6.js")],
    }
    wanted = args.clients.split(",")
    return {n: k for n, k in all_clients.items() if n in wanted and shutil.which(k[0])}


def one(name, command, args, env):
    client = subprocess.Popen(
        ["taskset", "-c", str(args.client_core)] + command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=env,
    )
    try:
        time.sleep(args.warmup)
        before, cpu_before = served(args.port), cpu_seconds(client.pid)
        time.sleep(args.window)
        after, cpu_after = served(args.port), cpu_seconds(client.pid)
        if client.poll() is not None:
            sys.exit(f"{name} ended by itself: {' '.join(command)}")
        requests = after[0] - before[0] - 1
        if requests < 1:
            sys.exit(f"{name} sent nothing: {' '.join(command)}")
        return {
            "us": (cpu_after[0] - cpu_before[0]) / requests * 1e6,
            "user": (cpu_after[1] - cpu_before[1]) / requests * 1e6,
            "qps": requests / (after[1] - before[1]),
            "rss": rss_mib(client.pid),
        }
    finally:
        client.send_signal(signal.SIGINT)
        try:
            client.wait(10)
        except subprocess.TimeoutExpired:
            client.kill()
            client.wait()


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--clients", default="jdyno,wrk,ab,h2load,oha,k6")
    p.add_argument("--connections", default="50,200,2")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--warmup", type=float, default=4.0)
    p.add_argument("--window", type=float, default=4.0)
    p.add_argument("--port", type=int, default=18081)
    p.add_argument("--client-core", type=int, default=0)
    p.add_argument("--server-core", type=int, default=1)
    p.add_argument("--jdyno", default=os.path.join(HERE, "..", "..", "jdyno"))
    p.add_argument("--json", help="write every measurement to this file")
    args = p.parse_args()
    if not shutil.which("nginx"):
        sys.exit("nginx is not installed: apt-get install nginx-light")
    url = f"http://127.0.0.1:{args.port}/"
    env = dict(os.environ, URL=url)
    folder = tempfile.mkdtemp(prefix="jdyno-peers-")
    nginx = start_nginx(folder, args.port, args.server_core)
    rows = []
    try:
        for connections in map(int, args.connections.split(",")):
            clients = commands(args, connections, url)
            for r in range(args.rounds):
                for name in list(clients) if r % 2 == 0 else list(clients)[::-1]:
                    m = one(name, clients[name], args, env)
                    rows.append(dict(m, client=name, connections=connections, round=r))
                    print(
                        f"  {connections:4d} connections, round {r + 1}: {name:7s}"
                        f" {m['us']:6.2f} us/request ({m['user']:.2f} user)"
                        f" {m['qps']:8.0f}/s {m['rss']:5.0f} MiB",
                        file=sys.stderr,
                    )
    finally:
        nginx.send_signal(signal.SIGQUIT)
        nginx.wait(10)
        shutil.rmtree(folder)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    report(rows, args)


def report(rows, args):
    kernel = platform.release()
    print(f"machine: {os.cpu_count()} cores, kernel {kernel}; window {args.window} s after {args.warmup} s")
    print("| connections | client | CPU us/request, median | CPU ÷ wrk's, median (min…max of rounds) | requests/s | RSS MiB |")
    print("| --- | --- | --- | --- | --- | --- |")
    for connections in sorted({r["connections"] for r in rows}, key=lambda c: -c):
        here = [r for r in rows if r["connections"] == connections]
        wrk = {r["round"]: r["us"] for r in here if r["client"] == "wrk"}
        for name in dict.fromkeys(r["client"] for r in here):
            mine = [r for r in here if r["client"] == name]
            ratios = [r["us"] / wrk[r["round"]] for r in mine if r["round"] in wrk]
            ratio = (
                f"{statistics.median(ratios):.2f} ({min(ratios):.2f}…{max(ratios):.2f})"
                if ratios
                else "-"
            )
            print(
                f"| {connections} | {name} | {statistics.median(r['us'] for r in mine):.2f} | {ratio}"
                f" | {statistics.median(r['qps'] for r in mine):.0f}"
                f" | {statistics.median(r['rss'] for r in mine):.0f} |"
            )


if __name__ == "__main__":
    main()
